package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"helve/message"
	"helve/tool"
)

// mustInvoke calls t with args and wants a result.
func mustInvoke(tb testing.TB, t tool.Tool, args string) tool.Result {
	tb.Helper()
	result, err := tool.Invoke(tb.Context(), t, tool.Call{ID: "call_1", Name: t.Definition().Name, Arguments: json.RawMessage(args)})
	if err != nil {
		tb.Fatalf("Invoke(%s): %v", args, err)
	}
	return result
}

// wantKind checks that err is a tool error of that kind and returns it.
func wantKind(tb testing.TB, err error, kind tool.Kind) *tool.Error {
	tb.Helper()
	e, ok := err.(*tool.Error)
	if !ok || e == nil {
		tb.Fatalf("error %#v, want a *tool.Error", err)
	}
	if e.Kind != kind {
		tb.Errorf("error of kind %s, want %s: %v", e.Kind, kind, e)
	}
	return e
}

// returns is a tool without parameters that gives back what f does.
func returns[Out any](f func() (Out, error)) tool.Tool {
	return tool.Must(tool.New("give", "Give something.", func(context.Context, struct{}) (Out, error) { return f() }))
}

// bare is a Tool that no constructor made.
type bare func() (tool.Result, error)

func (bare) Definition() tool.Definition { return tool.Definition{Name: "bare", Description: "Bare."} }

func (b bare) Call(context.Context, tool.Call) (tool.Result, error) { return b() }

func TestInvoke_PanicIsAnErrorWhoseStackIsForTheLog(t *testing.T) {
	t.Parallel()
	var none map[string]int
	for name, test := range map[string]struct {
		panics func()
		value  func(any) bool
	}{
		"text":    {func() { panic("s3cret") }, func(v any) bool { return v == "s3cret" }},
		"error":   {func() { panic(errors.New("s3cret")) }, func(v any) bool { return fmt.Sprint(v) == "s3cret" }},
		"nil":     {func() { panic(nil) }, func(v any) bool { _, ok := v.(*runtime.PanicNilError); return ok }},
		"runtime": {func() { none["s3cret"] = 1 }, func(v any) bool { _, ok := v.(runtime.Error); return ok }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			broken := returns(func() (string, error) { test.panics(); return "", nil })
			result, err := tool.Invoke(t.Context(), broken, tool.Call{})
			e := wantKind(t, err, tool.KindExecution)
			if len(result.Content) != 0 {
				t.Errorf("a call that panicked has the content %v", result.Content)
			}
			var panicked *tool.PanicError
			if !errors.As(err, &panicked) || !test.value(panicked.Value) {
				t.Fatalf("the cause is %#v", e.Err)
			}
			if !strings.Contains(string(panicked.Stack), "invoke_test.go") || !strings.Contains(panicked.Error(), "invoke_test.go") {
				t.Errorf("the cause does not say where it was:\n%v", panicked)
			}
			seen, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			for where, text := range map[string]string{"model": string(seen), "Error": e.Error()} {
				if strings.Contains(text, "s3cret") || strings.Contains(text, ".go") {
					t.Errorf("%s shows the panic: %s", where, text)
				}
			}
		})
	}
}

func TestInvoke_EmptyArgumentsAreAnEmptyObject(t *testing.T) {
	t.Parallel()
	var got []string
	record := tool.Must(tool.FromSchema("record", "Record.", []byte(`{"type":"object"}`), func(_ context.Context, args json.RawMessage) (any, error) {
		got = append(got, string(args))
		return "done", nil
	}))
	for _, args := range []string{"", " ", "null", "{}"} {
		mustInvoke(t, record, args)
	}
	for _, args := range got {
		if args != "{}" {
			t.Errorf("the tool got %q, want {}", got)
		}
	}
}

func TestInvoke_ArgumentsThatAreNotJSON(t *testing.T) {
	t.Parallel()
	give := returns(func() (string, error) { return "given", nil })
	for _, args := range []string{`{`, `{"a":`, `[]`, `"x"`, `{} {}`, "\x00"} {
		_, err := tool.Invoke(t.Context(), give, tool.Call{Arguments: json.RawMessage(args)})
		wantKind(t, err, tool.KindInvalidParameters)
	}
}

// A validation error that a tool's own code returns is not about the model's
// arguments (semantics, 11).
func TestInvoke_OnlyItsOwnValidationIsInvalidParameters(t *testing.T) {
	t.Parallel()
	strict := tool.Must(tool.FromSchema("strict", "Strict.", []byte(`{"type":"object","required":["a"]}`), func(context.Context, json.RawMessage) (any, error) { return nil, nil }))
	inner := strict.Definition().Schema().Validate([]byte(`{}`))
	if inner == nil {
		t.Fatal("{} is valid")
	}
	_, err := tool.Invoke(t.Context(), returns(func() (string, error) { return "", inner }), tool.Call{})
	wantKind(t, err, tool.KindExecution)
}

func TestInvoke_KeepsTheArtifactOfAFailedCall(t *testing.T) {
	t.Parallel()
	down := errors.New("down")
	for name, broken := range map[string]tool.Tool{
		"typed": returns(func() (tool.Result, error) { return tool.WithArtifact("text", 42), down }),
		"any":   returns(func() (any, error) { return tool.WithArtifact("text", 42), down }),
		"message": returns(func() (message.ToolResult, error) {
			return message.ToolResult{IsError: true, Content: []message.Part{message.Text("down")}, Artifact: 42}, nil
		}),
		"bare": bare(func() (tool.Result, error) { return tool.WithArtifact("text", 42), down }),
	} {
		result, err := tool.Invoke(t.Context(), broken, tool.Call{})
		if e := wantKind(t, err, tool.KindExecution); e.Message != "down" {
			t.Errorf("%s: message %q", name, e.Message)
		}
		if result.Artifact != 42 || result.Content != nil {
			t.Errorf("%s: result %+v, want the artifact alone", name, result)
		}
	}
}

func TestProtect_RefusesContentThatNoConversationHolds(t *testing.T) {
	t.Parallel()
	for name, part := range map[string]message.Part{
		"nil part":            nil,
		"*message.Image":      &message.Image{URL: "https://example.com/a.png"},
		"message.ToolCall":    message.ToolCall{ID: "1", Name: "x"},
		"message.ToolResult":  message.ToolResult{CallID: "1"},
		"message.Reasoning":   message.Reasoning("hm"),
		"*message.ToolResult": &message.ToolResult{CallID: "1"},
	} {
		broken := bare(func() (tool.Result, error) {
			return tool.Result{Content: []message.Part{message.Text("fine"), part}}, nil
		})
		_, err := tool.Protect(t.Context(), broken, tool.Call{})
		if e := wantKind(t, err, tool.KindExecution); !strings.Contains(e.Message, name) {
			t.Errorf("the message does not name %s: %s", name, e.Message)
		}
	}
}
