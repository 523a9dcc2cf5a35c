package executor_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"helve/executor"
	"helve/tool"
)

func explode(v any) { panic(v) } // its name is what the tests look for in stacks

func TestRule4_PanicIsAnErrorWithItsStackInTheLogOnly(t *testing.T) {
	t.Parallel()
	inTool := func(v any) executor.Config { return executor.Config{} }
	inMiddleware := func(v any) executor.Config {
		return executor.Config{Middleware: []executor.Middleware{func(executor.Handler) executor.Handler {
			return func(context.Context, executor.Request) (tool.Result, error) { explode(v); return tool.Result{}, nil }
		}}}
	}
	for _, tt := range []struct {
		name    string
		value   any
		config  func(v any) executor.Config
		says    string // to the model
		logsToo string
	}{
		{"tool", "secret plan", inTool, "The tool failed unexpectedly.", "panic: secret plan"},
		{"tool, error", errors.New("secret plan"), inTool, "The tool failed unexpectedly.", "panic: secret plan"},
		{"tool, nil", nil, inTool, "The tool failed unexpectedly.", "panic called with nil argument"},
		{"middleware", "secret plan", inMiddleware, "The call failed unexpectedly.", "panic: secret plan"},
		{"middleware, nil", nil, inMiddleware, "The call failed unexpectedly.", "panic called with nil argument"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var log logBuffer
			config := tt.config(tt.value)
			config.Logger = log.logger(slog.LevelError)
			e := newExecutor(t, config, simple("bomb", func(context.Context) (string, error) { explode(tt.value); return "", nil }))

			r := execute1(e, call("1", "bomb", ""))
			if diff := cmp.Diff(`{"success":false,"error":"`+tt.says+`","code":"execution"}`, modelReads(r)); diff != "" {
				t.Error(diff)
			}
			for _, want := range []string{"level=ERROR", tt.logsToo, "executor_test.explode"} {
				if !strings.Contains(log.String(), want) {
					t.Errorf("the log lacks %q: %s", want, log.String())
				}
			}
		})
	}
}

type panickingHook struct{ inStart, inEnd bool }

func (h panickingHook) Start(ctx context.Context, _ tool.Call) context.Context {
	if h.inStart {
		explode("start")
	}
	return nil // not a context, and no reason to fail either
}

func (h panickingHook) End(context.Context, executor.Report) {
	if h.inEnd {
		explode("end")
	}
}

func TestRule4_PanicInAHookDoesNotTouchTheCall(t *testing.T) {
	t.Parallel()
	for _, h := range []panickingHook{{false, false}, {true, false}, {false, true}, {true, true}} {
		var log logBuffer
		e := newExecutor(t, executor.Config{Hooks: []executor.Hook{h}, Logger: log.logger(slog.LevelError)}, answers("good", "fine"))
		if r := execute1(e, call("1", "good", "")); r.Err != nil || r.Output.Text() != "fine" {
			t.Errorf("%+v: %q, %v", h, r.Output.Text(), r.Err)
		}
		if logged := strings.Contains(log.String(), "hook panicked"); logged != (h.inStart || h.inEnd) {
			t.Errorf("%+v: the log has %q", h, log.String())
		}
	}
}

// shifty is a tool that can't even say what it is, once it is registered.
type shifty struct{ named *bool }

func (s shifty) Definition() tool.Definition {
	if !*s.named {
		*s.named = true
		return tool.Definition{Name: "shifty", Description: "Shifty."}
	}
	panic("no idea")
}

func (shifty) Call(context.Context, tool.Call) (tool.Result, error) { return tool.Text("never"), nil }

func TestRule4_PanicInADefinition(t *testing.T) {
	t.Parallel()
	e := newExecutor(t, executor.Config{}, answers("good", "fine"), shifty{new(bool)})
	got := e.Execute(t.Context(), []tool.Call{call("1", "shifty", ""), call("2", "good", ""), call("3", "shifty", "")})
	if kind(got[0]) != tool.KindExecution || got[1].Output.Text() != "fine" || kind(got[2]) != tool.KindExecution {
		t.Errorf("got %v, %q, %v", got[0].Err, got[1].Output.Text(), got[2].Err)
	}
}

func TestPanicAfterRecoverOfAnotherAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := 0
		flaky := simple("flaky", func(context.Context) (string, error) {
			if n++; n == 1 {
				explode("first")
			}
			return "second", nil
		}, tool.Idempotent())
		e := newExecutor(t, executor.Config{Middleware: []executor.Middleware{executor.Retry(executor.RetryPolicy{})}}, flaky)
		if r := execute1(e, call("1", "flaky", "")); r.Output.Text() != "second" {
			t.Errorf("got %q, %v", r.Output.Text(), r.Err)
		}
	})
}
