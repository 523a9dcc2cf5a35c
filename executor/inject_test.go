package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/executor"
	"helve/tool"
)

type user struct {
	ID     string `json:"user_id"`
	Secret string `json:"secret"`
}

// whoAmI says who the host says is calling, and leaks what it got into every
// place that a careless tool might.
func whoAmI() tool.Tool {
	return tool.Must(tool.New("who_am_i", "Says who is calling.", func(ctx context.Context, in map[string]any) (string, error) {
		u, ok := tool.Value[user](ctx)
		if !ok {
			return "nobody", nil
		}
		rt := tool.RuntimeFrom(ctx)
		if in["fail"] == true {
			return "", fmt.Errorf("failed for %v %+v %#v", rt, rt, rt)
		}
		return fmt.Sprint(u.ID, " in ", rt.CallID), nil
	}))
}

func TestRule7_NoArgumentSetsAnInjectedValue(t *testing.T) {
	t.Parallel()
	ctx := tool.WithRuntime(t.Context(), &tool.Runtime{CallID: "of the host", Values: []any{nil, user{"ada", "hunter2"}, nil}})
	e := newExecutor(t, executor.Config{}, whoAmI())
	for _, arguments := range []string{
		`{}`, `{"user_id":"eve"}`, `{"USER_ID":"eve"}`, `{"User_Id":"eve","ID":"eve","user":{"user_id":"eve"}}`,
		`{"runtime":{"Values":[{"user_id":"eve"}]},"CallID":"eve","call_id":"eve","state":{},"store":null,"__proto__":{"ID":"eve"}}`,
	} {
		r := e.Execute(ctx, []tool.Call{call("c1", "who_am_i", arguments)})[0]
		if got := r.Output.Text(); got != "ada in c1" {
			t.Errorf("%s: %q, %v", arguments, got, r.Err)
		}
	}
}

func TestRule7_UndeclaredArgumentIsRefusedInAnyLetterCase(t *testing.T) {
	t.Parallel()
	e := newExecutor(t, executor.Config{}, echo())
	for _, arguments := range []string{`{"text":"a","user_id":"eve"}`, `{"text":"a","TEXT":"b"}`, `{"Text":"b"}`} {
		if r := execute1(e, call("1", "echo", arguments)); kind(r) != tool.KindInvalidParameters {
			t.Errorf("%s: %q, %v", arguments, r.Output.Text(), r.Err)
		}
	}
}

func TestRule7_InjectedValuesAreInNoLogErrorOrDefinition(t *testing.T) {
	t.Parallel()
	var log logBuffer
	ctx := tool.WithRuntime(t.Context(), &tool.Runtime{
		Values: []any{user{"ada", "hunter2"}},
		State:  tool.State{Values: map[string]any{"pin": "hunter2"}},
		Config: map[string]any{"key": "hunter2"},
	})
	e := newExecutor(t, executor.Config{Logger: log.logger(slog.LevelDebug)}, whoAmI())
	for _, arguments := range []string{`{}`, `{"fail":true}`, `[]`} {
		r := e.Execute(ctx, []tool.Call{call("c1", "who_am_i", arguments)})[0]
		if said := modelReads(r); strings.Contains(said, "hunter2") {
			t.Errorf("the model reads %s", said)
		}
	}
	definition, err := json.Marshal(whoAmI().Definition())
	if err != nil {
		t.Fatal(err)
	}
	for where, text := range map[string]string{"log": log.String(), "definition": string(definition)} {
		if text == "" || strings.Contains(text, "hunter2") || strings.Contains(text, "ada") {
			t.Errorf("%s: %s", where, text)
		}
	}
}

func TestInjectionOfEachCallsOwnID(t *testing.T) {
	t.Parallel()
	id := simple("id", func(ctx context.Context) (string, error) { return string(tool.RuntimeFrom(ctx).CallID), nil })
	host := &tool.Runtime{}
	var calls []tool.Call
	for i := range 20 {
		calls = append(calls, call(fmt.Sprint("c", i), "id", ""))
	}
	for _, r := range newExecutor(t, executor.Config{}, id).Execute(tool.WithRuntime(t.Context(), host), calls) {
		if r.Output.Text() != r.Call.ID {
			t.Errorf("call %s was told %q", r.Call.ID, r.Output.Text())
		}
	}
	if host.CallID != "" {
		t.Errorf("the host's runtime was changed: %q", host.CallID)
	}
}

func TestInjectionWithoutAHost(t *testing.T) {
	t.Parallel()
	store := simple("store", func(ctx context.Context) (string, error) {
		rt := tool.RuntimeFrom(ctx)
		rt.Progress(1, 2, "nobody listens")
		_, _, err := rt.Store.Get(ctx, "key")
		return "", err
	})
	r := execute1(newExecutor(t, executor.Config{}, store), call("1", "store", ""))
	if !errors.Is(r.Err, tool.ErrNoStore) {
		t.Errorf("got %v", r.Err)
	}
}

func TestInjectionOfANilRuntime(t *testing.T) {
	t.Parallel()
	ctx := tool.WithRuntime(t.Context(), nil)
	got := newExecutor(t, executor.Config{}, answers("a", "fine")).Execute(ctx, []tool.Call{call("1", "a", ""), call("2", "a", "")})
	for _, r := range got {
		if r.Output.Text() != "fine" {
			t.Errorf("%q, %v", r.Output.Text(), r.Err)
		}
	}
}

func TestContextOfATool(t *testing.T) {
	t.Parallel()
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "of the host")
	sees := simple("sees", func(ctx context.Context) (string, error) {
		inner, cancel := context.WithCancel(ctx)
		defer cancel()
		value, _ := inner.Value(key{}).(string)
		return fmt.Sprint(value, ", ", inner.Err()), nil
	})
	r := newExecutor(t, executor.Config{}, sees).Execute(ctx, []tool.Call{call("1", "sees", "")})[0]
	if diff := cmp.Diff("of the host, <nil>", r.Output.Text()); diff != "" {
		t.Error(diff)
	}
}
