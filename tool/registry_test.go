package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"helve/schema"
	"helve/tool"
)

// answers is a tool of that name that gives that text.
func answers(name, text string) tool.Tool {
	return tool.Must(tool.New(name, "Answer.", func(context.Context, struct{}) (string, error) { return text, nil }))
}

func weather() tool.Tool {
	type input struct {
		City string `json:"city"`
	}
	return tool.Must(tool.New("get_weather", "Get current weather for a city",
		func(_ context.Context, in input) (map[string]any, error) {
			return map[string]any{"temp": 22, "city": in.City}, nil
		}))
}

func TestDoc003_RegistryExecuteByName(t *testing.T) {
	t.Parallel()
	registry, err := tool.NewRegistry(weather())
	if err != nil {
		t.Fatal(err)
	}
	result, err := registry.Execute(t.Context(), "get_weather", json.RawMessage(`{"city":"Beijing"}`))
	if want := `{"city":"Beijing","temp":22}`; err != nil || result.Text() != want {
		t.Errorf("Execute = %s, %v, want %s", result.Text(), err, want)
	}

	_, err = registry.Execute(t.Context(), "get_weather", json.RawMessage(`{}`))
	wantKind(t, err, tool.KindInvalidParameters)

	_, err = registry.Execute(t.Context(), "get_wether", nil)
	e := wantKind(t, err, tool.KindNotFound)
	data, _ := e.MarshalJSON()
	if want := `{"success":false,"error":"Tool not found: get_wether","code":"not_found","available":["get_weather"]}`; string(data) != want {
		t.Errorf("error %s, want %s", data, want)
	}
}

// A tool needs no constructor: name, description, parameters and a way to run it
// are all.
func TestDoc003_ToolAbstraction(t *testing.T) {
	t.Parallel()
	registry, err := tool.NewRegistry(bare(func() (tool.Result, error) { return tool.Text("done"), nil }))
	if err != nil {
		t.Fatal(err)
	}
	if result, err := registry.Execute(t.Context(), "bare", nil); err != nil || result.Text() != "done" {
		t.Errorf("Execute = %s, %v", result.Text(), err)
	}
	_, err = registry.Execute(t.Context(), "bare", json.RawMessage(`{"a":1}`)) // it has no parameters
	wantKind(t, err, tool.KindInvalidParameters)
}

func TestDoc003_RegistryLookupAndList(t *testing.T) {
	t.Parallel()
	var registry tool.Registry // the zero value is ready
	if _, ok := registry.Lookup("a"); ok || len(registry.Tools()) != 0 || len(registry.Definitions()) != 0 {
		t.Error("the zero Registry is not empty")
	}
	if err := registry.Register(); err != nil {
		t.Errorf("registering nothing: %v", err)
	}
	a := answers("a", "A")
	if err := registry.Register(a); err != nil {
		t.Fatal(err)
	}
	if got, ok := registry.Lookup("a"); !ok || got != a {
		t.Errorf("Lookup = %v, %t, want the very tool", got, ok)
	}
	if _, ok := registry.Lookup("A"); ok {
		t.Error("Lookup does not mind letter case")
	}
}

func TestDoc003_RegistryKeepsTheFirstOfAName(t *testing.T) {
	t.Parallel()
	registry, err := tool.NewRegistry(answers("b", "first"), answers("a", "first"), answers("a", "second"), answers("c", "first"), answers("b", "second"))
	if registry == nil {
		t.Fatal("no registry beside the error")
	}
	var duplicate *tool.DuplicateError
	if !errors.As(err, &duplicate) || duplicate.Name != "a" {
		t.Fatalf("error %v, want a *tool.DuplicateError for a first", err)
	}
	want := "tool a: the name is taken: the first tool of that name is kept\ntool b: the name is taken: the first tool of that name is kept"
	if err.Error() != want {
		t.Errorf("error:\n%v\nwant:\n%s", err, want)
	}
	for _, name := range []string{"a", "b", "c"} {
		if result, err := registry.Execute(t.Context(), name, nil); err != nil || result.Text() != "first" {
			t.Errorf("%s answers %q, %v", name, result.Text(), err)
		}
	}
	if err := registry.Register(answers("a", "third")); !errors.As(err, &duplicate) {
		t.Errorf("a later duplicate: %v", err)
	}
}

// Map order must never reach a prompt.
func TestDoc003_RegistryOrderIsStable(t *testing.T) {
	t.Parallel()
	var tools []tool.Tool
	var want []string
	for i := range 40 {
		want = append(want, fmt.Sprintf("tool_%02d", i))
		tools = append(tools, answers(want[i], ""))
	}
	var prompt string
	for range 20 {
		rand.Shuffle(len(tools), func(i, j int) { tools[i], tools[j] = tools[j], tools[i] })
		registry, err := tool.NewRegistry(tools...)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		var rendered strings.Builder
		for i, d := range registry.Definitions() {
			names = append(names, d.Name)
			data, _ := d.FunctionTool(schema.OpenAI)
			rendered.Write(data)
			if registry.Tools()[i].Definition().Name != d.Name {
				t.Fatal("Tools and Definitions differ in their order")
			}
		}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Fatalf("wrong order (-want +got):\n%s", diff)
		}
		if prompt != "" && rendered.String() != prompt {
			t.Fatal("the same tools make another prompt")
		}
		prompt = rendered.String()
	}
}

func TestDoc003_RegistryConcurrentUse(t *testing.T) {
	t.Parallel()
	var registry tool.Registry
	var wait sync.WaitGroup
	for i := range 16 {
		wait.Go(func() {
			name := fmt.Sprintf("tool_%02d", i%8) // each name twice
			var duplicate *tool.DuplicateError
			if err := registry.Register(answers(name, name)); err != nil && !errors.As(err, &duplicate) {
				t.Error(err)
			}
			if result, err := registry.Execute(t.Context(), name, nil); err != nil || result.Text() != name {
				t.Errorf("Execute(%s) = %s, %v", name, result.Text(), err)
			}
			registry.Definitions()
			registry.NotFound("tool")
		})
	}
	wait.Wait()
	if n := len(registry.Tools()); n != 8 {
		t.Errorf("%d tools, want 8", n)
	}
}

// A tool may look at the registry it is in: no lock is held while its code runs.
func TestRegistry_ToolMayUseTheRegistry(t *testing.T) {
	t.Parallel()
	registry := &tool.Registry{}
	list := returns(func() (int, error) {
		return len(registry.Definitions()), registry.Register(answers("late", ""))
	})
	if err := registry.Register(list); err != nil {
		t.Fatal(err)
	}
	if result, err := registry.Execute(t.Context(), "give", nil); err != nil || result.Text() != "1" {
		t.Errorf("Execute = %s, %v", result.Text(), err)
	}
}

func TestRegistry_NotFound(t *testing.T) {
	t.Parallel()
	few, err := tool.NewRegistry(answers("search", ""), answers("read_file", ""), answers("list_files", ""))
	if err != nil {
		t.Fatal(err)
	}
	many := &tool.Registry{}
	for i := range 30 {
		if err := many.Register(answers(fmt.Sprintf("operation_%02d", i), "")); err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct {
		registry *tool.Registry
		name     string
		want     any // the detail "available"
	}{
		"near":                  {few, "serch", []string{"search"}},
		"letter case":           {few, "Search", []string{"search"}},
		"none near, few tools":  {few, "zzzzzzzz", []string{"list_files", "read_file", "search"}},
		"none near, many tools": {many, "zzzzzzzz", nil},
		"many near":             {many, "operation", []string{"operation_00", "operation_01", "operation_02", "operation_03", "operation_04"}},
		"no tools":              {&tool.Registry{}, "search", nil},
		"no name":               {many, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := test.registry.NotFound(test.name)
			if e.Kind != tool.KindNotFound || e.Message != "Tool not found: "+test.name {
				t.Errorf("error %v", e)
			}
			if diff := cmp.Diff(test.want, e.Detail["available"]); diff != "" {
				t.Errorf("wrong names (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRegistry_NotFoundClipsAnInventedName(t *testing.T) {
	t.Parallel()
	registry, err := tool.NewRegistry(answers("search", ""))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{strings.Repeat("x", 10_000), strings.Repeat("搜", 10_000), strings.Repeat("\xff", 10_000)} {
		e := registry.NotFound(name)
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Message) > 150 || len(data) > 300 || !utf8.ValidString(e.Message) || !strings.HasSuffix(e.Message, "…") {
			t.Errorf("message of %d bytes: %q", len(e.Message), e.Message)
		}
	}
}

// nameless is a tool that no provider would take.
type nameless struct{ tool.Tool }

func (nameless) Definition() tool.Definition { return tool.Definition{Description: "No name."} }

func TestRegistry_LeavesOutWhatNoProviderWouldTake(t *testing.T) {
	t.Parallel()
	r, err := tool.NewRegistry(nil, nameless{})
	if err == nil || len(r.Tools()) != 0 {
		t.Errorf("error %v, tools %v", err, r.Tools())
	}
}

func TestNew_RefusesANilFunction(t *testing.T) {
	t.Parallel()
	if _, err := tool.New[struct{}, string]("nil", "Nil.", nil); err == nil {
		t.Error("New took a nil function")
	}
	if _, err := tool.FromSchema("nil", "Nil.", []byte(`{"type":"object"}`), (func(context.Context, json.RawMessage) (any, error))(nil)); err == nil {
		t.Error("FromSchema took a nil function")
	}
}
