package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"

	"helve/schema"
	"helve/tool"
)

// one is an input with a single required property of type T.
type one[T any] struct {
	V T `json:"v"`
}

type order struct {
	Order string `json:"order" jsonschema:"enum=asc,enum=desc"`
}

type address struct {
	Street string `json:"street"`
}

type person struct {
	Name string  `json:"name"`
	Home address `json:"home"`
}

type folder struct {
	Name    string   `json:"name"`
	Folders []folder `json:"folders,omitempty"`
}

type paging struct {
	Page int `json:"page,omitempty" jsonschema:"default=1"`
}

type listing struct {
	paging
	Query string `json:"query"`
}

type optional struct {
	Note *string `json:"note,omitempty"`
}

// intOrText is a union: Go has none, so it says its schema itself.
type intOrText struct {
	Int  int
	Text string
}

func (intOrText) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "integer"}, {Type: "string"}}}
}

func (u *intOrText) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, &u.Text)
	}
	return json.Unmarshal(data, &u.Int)
}

// even says its schema and keeps what it reads as it is.
type even int

func (even) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", MultipleOf: "2"}
}

func TestDoc002_ParameterKinds(t *testing.T) {
	t.Parallel()
	text := "x"
	for name, test := range map[string]func(*testing.T){
		"string":  takes(`{"v":"x"}`, one[string]{"x"}, `{"type":"string"}`, `{"v":5}`, `{"v":null}`, `{}`),
		"integer": takes(`{"v":5}`, one[int]{5}, `{"type":"integer"}`, `{"v":"5"}`, `{"v":5.5}`, `{"v":true}`),
		"number":  takes(`{"v":5.5}`, one[float64]{5.5}, `{"type":"number"}`, `{"v":"5.5"}`),
		"boolean": takes(`{"v":true}`, one[bool]{true}, `{"type":"boolean"}`, `{"v":"true"}`, `{"v":1}`),
		"list": takes(`{"v":["a","b"]}`, one[[]string]{[]string{"a", "b"}},
			`{"type":"array","items":{"type":"string"}}`, `{"v":"a"}`, `{"v":["a",1]}`),
		"map": takes(`{"v":{"a":1,"B":[true]}}`, one[map[string]any]{map[string]any{"a": 1.0, "B": []any{true}}},
			`{"type":"object"}`, `{"v":[]}`, `{"v":{"a":1,"a":2}}`),
		"map of integers": takes(`{"v":{"a":1}}`, one[map[string]int]{map[string]int{"a": 1}},
			`{"type":"object","additionalProperties":{"type":"integer"}}`, `{"v":{"a":"1"}}`),
		"tuple": takes(`{"v":[1,2]}`, one[[2]int]{[2]int{1, 2}},
			`{"type":"array","items":{"type":"integer"},"maxItems":2,"minItems":2}`, `{"v":[1]}`, `{"v":[1,2,3]}`),
		"set": takes(`{"v":["a","b"]}`, one[schema.Set[string]]{schema.Set[string]{"a": {}, "b": {}}},
			`{"type":"array","items":{"type":"string"},"uniqueItems":true}`, `{"v":["a","a"]}`),
		"optional, given":  takes(`{"note":"x"}`, optional{&text}, `{"type":"string"}`, `{"note":5}`),
		"optional, absent": takes(`{}`, optional{}, `{"type":"string"}`),
		"optional, null":   takes(`{"note":null}`, optional{}, `{"type":"string"}`),
		"enum": takes(`{"order":"asc"}`, order{"asc"},
			`{"type":"string","enum":["asc","desc"]}`, `{"order":"up"}`, `{"order":"ASC"}`),
		"union, integer": takes(`{"v":5}`, one[intOrText]{intOrText{Int: 5}},
			`{"anyOf":[{"type":"integer"},{"type":"string"}]}`, `{"v":true}`, `{"v":5.5}`),
		"union, string": takes(`{"v":"x"}`, one[intOrText]{intOrText{Text: "x"}},
			`{"anyOf":[{"type":"integer"},{"type":"string"}]}`),
		"own schema": takes(`{"v":4}`, one[even]{4}, `{"type":"integer","multipleOf":2}`, `{"v":5}`),
		"nested": takes(`{"v":{"name":"Ada","home":{"street":"Main"}}}`, one[person]{person{"Ada", address{"Main"}}}, "",
			`{"v":{"name":"Ada","home":{"Street":"Main"}}}`, `{"v":{"name":"Ada"}}`, `{"v":{"name":"Ada","home":{"street":"Main","no":1}}}`),
		"recursive": takes(`{"v":{"name":"a","folders":[{"name":"b"}]}}`, one[folder]{folder{"a", []folder{{Name: "b"}}}}, "",
			`{"v":{"name":"a","folders":[{"name":1}]}}`, `{"v":{"name":"a","folders":[{"NAME":"b"}]}}`),
		"raw JSON": takes(`{"v":{"a": [1, 2]}}`, one[json.RawMessage]{json.RawMessage(`{"a": [1, 2]}`)}, ""),
		"any":      takes(`{"v":[1,"x",null]}`, one[any]{[]any{1.0, "x", nil}}, ""),
		"time": takes(`{"v":"2026-01-02T03:04:05Z"}`, one[time.Time]{time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)},
			`{"type":"string","format":"date-time"}`, `{"v":"tomorrow"}`, `{"v":1700000000}`),
		"bytes": takes(`{"v":"aGk="}`, one[[]byte]{[]byte("hi")}, "", `{"v":"not base64!"}`, `{"v":[1]}`),
		"embedded struct, its default": takes(`{"query":"x"}`, listing{paging{1}, "x"},
			`{"type":"integer","default":1}`, `{"page":"1","query":"x"}`),
		"pointer to the input":   takes(`{"v":"x"}`, &one[string]{"x"}, `{"type":"string"}`, `{"v":5}`),
		"map as the input":       takes(`{"a":1}`, map[string]int{"a": 1}, "", `{"a":"1"}`, `[]`),
		"no parameters":          takes(`{}`, struct{}{}, "", `{"a":1}`),
		"no parameters, no JSON": takes(``, struct{}{}, ""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t)
		})
	}
}

// takes makes a typed tool, calls it with args and wants that input. property is
// the schema of its first property, if it is told. None of the bad arguments may
// reach the function, and each error must name a place or say what is wrong.
func takes[In any](args string, want In, property string, bad ...string) func(*testing.T) {
	return func(t *testing.T) {
		var got *In
		record := tool.Must(tool.New("record", "Record the input.", func(_ context.Context, in In) (string, error) {
			got = &in
			return "done", nil
		}))
		if property != "" {
			checkProperty(t, record, property)
		}
		if _, err := tool.Invoke(t.Context(), record, tool.Call{Arguments: json.RawMessage(args)}); err != nil {
			t.Fatalf("Invoke(%s): %v", args, err)
		}
		if diff := cmp.Diff(&want, got, cmp.AllowUnexported(listing{})); diff != "" {
			t.Errorf("Invoke(%s): wrong input (-want +got):\n%s", args, diff)
		}
		for _, args := range bad {
			got = nil
			_, err := tool.Invoke(t.Context(), record, tool.Call{Arguments: json.RawMessage(args)})
			if got != nil {
				t.Errorf("Invoke(%s): the function was called with %+v", args, *got)
			}
			if e := tool.AsError(err); e == nil || e.Kind != tool.KindInvalidParameters {
				t.Errorf("Invoke(%s): error %v, want one of kind %s", args, err, tool.KindInvalidParameters)
			}
		}
	}
}

func checkProperty(t *testing.T, record tool.Tool, want string) {
	t.Helper()
	var got struct{ Properties json.RawMessage }
	if err := json.Unmarshal(record.Definition().Schema().JSON(), &got); err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(got.Properties))
	for range 2 { // the brace and the key
		if _, err := dec.Token(); err != nil {
			t.Fatal(err)
		}
	}
	var first json.RawMessage
	if err := dec.Decode(&first); err != nil {
		t.Fatal(err)
	}
	if string(first) != want {
		t.Errorf("schema of the property:\n got %s\nwant %s", first, want)
	}
}

// JSON Schema calls 5.0 and 1e2 integers and encoding/json does not.
func TestDoc002_ParameterKinds_IntegerSpellings(t *testing.T) {
	t.Parallel()
	type input struct {
		Any   int    `json:"any,omitempty"`
		Small int8   `json:"small,omitempty"`
		Large uint64 `json:"large,omitempty"`
	}
	var got input
	record := tool.Must(tool.New("record", "Record the input.", func(_ context.Context, in input) (string, error) {
		got = in
		return "done", nil
	}))
	for args, want := range map[string]input{
		`{"any":5.0}`:                    {Any: 5},
		`{"any":-50e-1}`:                 {Any: -5},
		`{"small":1e2}`:                  {Small: 100},
		`{"small":-128.0}`:               {Small: -128},
		`{"large":18446744073709551615}`: {Large: 18446744073709551615},
	} {
		if _, err := tool.Invoke(t.Context(), record, tool.Call{Arguments: json.RawMessage(args)}); err != nil || got != want {
			t.Errorf("Invoke(%s) = %+v, %v, want %+v", args, got, err, want)
		}
	}
	for args, want := range map[string]string{
		`{"small":128}`:                  "/small must be at most 127, got 128",
		`{"small":1e9}`:                  "/small must be at most 127",
		`{"large":-1}`:                   "/large must be at least 0, got -1",
		`{"any":5.5}`:                    "/any must be an integer",
		`{"any":9223372036854775808}`:    "any does not fit int", // no schema says it: only Go knows
		`{"any":1e30}`:                   "any does not fit int",
		`{"large":18446744073709551616}`: "large does not fit uint64",
	} {
		_, err := tool.Invoke(t.Context(), record, tool.Call{Name: "record", Arguments: json.RawMessage(args)})
		wantKind(t, err, tool.KindInvalidParameters)
		if err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("Invoke(%s): %v\nwant %q in it", args, err, want)
		}
	}
}

func TestDoc002_DefaultsReachTheFunction(t *testing.T) {
	t.Parallel()
	type input struct {
		Query string `json:"query"`
		Limit int    `json:"limit,omitempty" jsonschema:"default=10"`
	}
	search := tool.Must(tool.New("search", "Search.", func(_ context.Context, in input) (input, error) { return in, nil }))
	for args, want := range map[string]string{
		`{"query":"a"}`:              `{"query":"a","limit":10}`,
		`{"query":"a","limit":5}`:    `{"query":"a","limit":5}`,
		`{"query":"a","limit":null}`: `{"query":"a","limit":10}`,
	} {
		if got := mustInvoke(t, search, args).Text(); got != want {
			t.Errorf("Invoke(%s) = %s, want %s", args, got, want)
		}
	}
}

func TestInvoke_TellsEveryViolation(t *testing.T) {
	t.Parallel()
	type input struct {
		Query string `json:"query" jsonschema:"minLength=1"`
		Limit int    `json:"limit,omitempty" jsonschema:"minimum=1"`
	}
	search := tool.Must(tool.New("search", "Search.", func(context.Context, input) (string, error) { return "", nil }))
	_, err := tool.Invoke(t.Context(), search, tool.Call{Name: "search", Arguments: json.RawMessage(`{"query":"","limit":0,"offset":1}`)})
	e := wantKind(t, err, tool.KindInvalidParameters)
	for _, pointer := range []string{"/query ", "/limit ", "/offset "} {
		if !strings.Contains(e.Message, pointer) {
			t.Errorf("the message says nothing of %s: %s", pointer, e.Message)
		}
	}
	violations, _ := e.Detail["violations"].([]schema.Violation)
	if len(violations) != 3 {
		t.Errorf("%d violations in the detail, want 3: %v", len(violations), violations)
	}
}

func TestInvoke_SaysHowManyViolationsAreLeftOut(t *testing.T) {
	t.Parallel()
	sum := tool.Must(tool.New("sum", "Add.", func(context.Context, one[[]int]) (string, error) { return "", nil }))
	args := `{"v":[` + strings.Repeat(`"x",`, 199) + `"x"]}`
	_, err := tool.Invoke(t.Context(), sum, tool.Call{Arguments: json.RawMessage(args)})
	if e := wantKind(t, err, tool.KindInvalidParameters); !strings.Contains(e.Message, "; and 150 more.") {
		t.Errorf("the message does not say what was left out: …%s", e.Message[max(0, len(e.Message)-80):])
	}
}
