package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/executor"
	"helve/tool"
)

func TestDoc002_WrapToolCallFirstIsOutermost(t *testing.T) {
	t.Parallel()
	var trace []string
	named := func(name string) executor.Middleware {
		return func(next executor.Handler) executor.Handler {
			return func(ctx context.Context, req executor.Request) (tool.Result, error) {
				trace = append(trace, "before "+name)
				defer func() { trace = append(trace, "after "+name) }()
				return next(ctx, req)
			}
		}
	}
	e := newExecutor(t, executor.Config{Middleware: []executor.Middleware{named("first"), named("second")}}, answers("a", ""))
	execute1(e, call("1", "a", ""))
	if diff := cmp.Diff([]string{"before first", "before second", "after second", "after first"}, trace); diff != "" {
		t.Error(diff)
	}
}

// handling is a middleware of one function.
func handling(f func(ctx context.Context, req executor.Request, next executor.Handler) (tool.Result, error)) executor.Config {
	return executor.Config{Middleware: []executor.Middleware{func(next executor.Handler) executor.Handler {
		return func(ctx context.Context, req executor.Request) (tool.Result, error) { return f(ctx, req, next) }
	}}}
}

func TestDoc002_WrapToolCallCallsNextZeroOneOrManyTimes(t *testing.T) {
	t.Parallel()
	for n := range 4 {
		var ran atomic.Int64
		counts := simple("counts", func(context.Context) (string, error) { return fmt.Sprint(ran.Add(1)), nil })
		e := newExecutor(t, handling(func(ctx context.Context, req executor.Request, next executor.Handler) (r tool.Result, err error) {
			r = tool.Text("not run")
			for range n {
				r, err = next(ctx, req)
			}
			return r, err
		}), counts)
		want := fmt.Sprint(n)
		if n == 0 {
			want = "not run"
		}
		if r := execute1(e, call("1", "counts", "")); r.Output.Text() != want || int(ran.Load()) != n {
			t.Errorf("%d times: %q, %v; ran %d times", n, r.Output.Text(), r.Err, ran.Load())
		}
	}
}

func TestDoc002_WrapToolCallReplacesArgumentsWhichAreValidatedAgain(t *testing.T) {
	t.Parallel()
	e := newExecutor(t, handling(func(ctx context.Context, req executor.Request, next executor.Handler) (tool.Result, error) {
		var in map[string]any
		_ = json.Unmarshal(req.Call.Arguments, &in)
		req.Call.Arguments = json.RawMessage(fmt.Sprint(in["text"]))
		return next(ctx, req)
	}), echo())
	original := call("1", "echo", `{"text":"{\"text\":\"replaced\"}"}`)
	r := execute1(e, original)
	if r.Output.Text() != "replaced" {
		t.Errorf("got %q, %v", r.Output.Text(), r.Err)
	}
	if diff := cmp.Diff(original, r.Call); diff != "" {
		t.Errorf("the result is not of the model's call: %s", diff)
	}
	if r := execute1(e, call("1", "echo", `{"text":"{\"text\":\"\"}"}`)); kind(r) != tool.KindInvalidParameters {
		t.Errorf("invalid arguments of a middleware: %q, %v", r.Output.Text(), r.Err)
	}
}

func TestDoc002_WrapToolCallReplacesTheToolWhichGetsInjection(t *testing.T) {
	t.Parallel()
	substitute := tool.Must(tool.New("substitute", "Stands in.", func(ctx context.Context, in struct {
		N int `json:"n" jsonschema:"default=7"`
	}) (string, error) {
		u, _ := tool.Value[user](ctx)
		return fmt.Sprint(in.N, " ", u.ID, " ", tool.RuntimeFrom(ctx).CallID), nil
	}))
	e := newExecutor(t, handling(func(ctx context.Context, req executor.Request, next executor.Handler) (tool.Result, error) {
		req.Tool = substitute
		return next(ctx, req)
	}), answers("original", "never"))
	ctx := tool.WithRuntime(t.Context(), &tool.Runtime{Values: []any{user{ID: "ada"}}})
	if r := e.Execute(ctx, []tool.Call{call("c1", "original", "{}")})[0]; r.Output.Text() != "7 ada c1" {
		t.Errorf("got %q, %v", r.Output.Text(), r.Err)
	}
	if r := e.Execute(ctx, []tool.Call{call("c1", "original", `{"n":"x"}`)})[0]; kind(r) != tool.KindInvalidParameters {
		t.Errorf("the substitute's schema is not applied: %q, %v", r.Output.Text(), r.Err)
	}
}

func TestDoc002_WrapToolCallServesAnUnregisteredTool(t *testing.T) {
	t.Parallel()
	e := newExecutor(t, handling(func(ctx context.Context, req executor.Request, next executor.Handler) (tool.Result, error) {
		switch {
		case req.Tool != nil:
			return tool.Result{}, errors.New("this is no registered tool")
		case req.Call.Name == "by_hand":
			return tool.Text("served " + req.Definition().Name), nil
		case req.Call.Name == "by_tool":
			req.Tool = echo()
		}
		return next(ctx, req)
	}))
	for _, tt := range []struct {
		call tool.Call
		want string
		kind tool.Kind
	}{
		{call("1", "by_hand", "not even JSON"), "served by_hand", ""},
		{call("2", "by_tool", `{"text":"hi"}`), "hi", ""},
		{call("3", "by_tool", `{}`), "", tool.KindInvalidParameters},
		{call("4", "by_nobody", `{}`), "", tool.KindNotFound},
	} {
		if r := execute1(e, tt.call); r.Output.Text() != tt.want || kind(r) != tt.kind {
			t.Errorf("%s: %q, %v", tt.call.Name, r.Output.Text(), r.Err)
		}
	}
}

func TestErrorOfAMiddleware(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		want tool.Kind
		says string
	}{
		{errors.New("no budget left"), tool.KindExecution, "no budget left"},
		{&tool.Error{Kind: tool.KindDenied, Message: "A person said no.", Err: errors.New("by ada")}, tool.KindDenied, "A person said no."},
		{fmt.Errorf("policy: %w", &tool.Error{Kind: tool.KindPermissionDenied, Message: "Not allowed."}), tool.KindPermissionDenied, "Not allowed."},
		{context.DeadlineExceeded, tool.KindTimeout, "The tool took too long."},
	} {
		e := newExecutor(t, handling(func(context.Context, executor.Request, executor.Handler) (tool.Result, error) {
			return tool.Text("not to be shown"), tt.err
		}), answers("a", ""))
		r := execute1(e, call("1", "a", ""))
		if kind(r) != tt.want || r.Err.Message != tt.says || len(r.Output.Content) != 0 || strings.Contains(modelReads(r), "ada") {
			t.Errorf("%v: %+v", tt.err, r)
		}
	}
}

func TestMiddlewareMayWaitLongerThanTheDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		config := handling(func(ctx context.Context, req executor.Request, next executor.Handler) (tool.Result, error) {
			time.Sleep(time.Hour) // for a person, say
			return next(ctx, req)
		})
		config.Timeout = time.Second
		if r := execute1(newExecutor(t, config, answers("a", "ran")), call("1", "a", "")); r.Output.Text() != "ran" {
			t.Errorf("got %q, %v", r.Output.Text(), r.Err)
		}
	})
}

func TestMiddlewareThatCallsNextAtOnce(t *testing.T) {
	t.Parallel()
	config := handling(func(ctx context.Context, req executor.Request, next executor.Handler) (tool.Result, error) {
		other := make(chan tool.Result)
		go func() {
			r, _ := next(ctx, req)
			other <- r
		}()
		first, err := next(ctx, req)
		return tool.Text(first.Text() + (<-other).Text()), err
	})
	if r := execute1(newExecutor(t, config, answers("a", "x")), call("1", "a", "")); r.Output.Text() != "xx" {
		t.Errorf("got %q, %v", r.Output.Text(), r.Err)
	}
}

func TestChainOfNothing(t *testing.T) {
	t.Parallel()
	handler := executor.Chain(func(context.Context, executor.Request) (tool.Result, error) { return tool.Text("bare"), nil })
	if r, err := handler(t.Context(), executor.Request{}); err != nil || r.Text() != "bare" {
		t.Errorf("got %q, %v", r.Text(), err)
	}
}
