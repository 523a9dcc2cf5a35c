package executor_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"helve/executor"
	"helve/tool"
)

// What the host brings along may be as bad as a tool: it must cost no other call
// its result or its deadline.

// goexitHook ends the goroutine that tells it, for one tool.
type goexitHook struct{ atStart bool }

func (h goexitHook) Start(ctx context.Context, c tool.Call) context.Context {
	if h.atStart && c.Name == "bad" {
		runtime.Goexit()
	}
	return ctx
}

func (h goexitHook) End(_ context.Context, r executor.Report) {
	if !h.atStart && r.Call.Name == "bad" {
		runtime.Goexit()
	}
}

func TestHookThatEndsItsGoroutine(t *testing.T) {
	t.Parallel()
	for _, atStart := range []bool{true, false} {
		e := newExecutor(t, executor.Config{Hooks: []executor.Hook{goexitHook{atStart}}, MaxParallel: 1}, answers("bad", "done"), answers("good", "done"))
		results := e.Execute(t.Context(), []tool.Call{call("1", "good", ""), call("2", "bad", ""), call("3", "good", "")})
		for i, r := range results {
			if r.Call.ID == "" || r.Call.Name == "good" && r.Err != nil {
				t.Errorf("at start %v: result %d: %+v", atStart, i, r)
			}
		}
	}
}

// blocked is a tool whose Definition blocks once its turn comes.
type blocked struct {
	tool.Tool
	asked   atomic.Int32
	release chan struct{}
}

func (b *blocked) Definition() tool.Definition {
	if b.asked.Add(1) > 3 {
		<-b.release
	}
	return b.Tool.Definition()
}

func TestDefinitionThatBlocksIsLeftAtTheDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &blocked{Tool: answers("blocked", "done"), release: make(chan struct{})}
		e := newExecutor(t, executor.Config{Timeout: 2 * time.Second}, b)
		b.asked.Store(3)
		if r := execute1(e, call("1", "blocked", "")); kind(r) != tool.KindTimeout || r.Duration > 2*time.Second {
			t.Errorf("after %v: %v", r.Duration, r.Err)
		}
		close(b.release)
	})
}

// TestSlowTakerHoldsUpNoDeadline has one who takes neither a report nor a result
// until the call with a deadline has its answer.
func TestSlowTakerHoldsUpNoDeadline(t *testing.T) {
	t.Parallel()
	answered, over := make(chan struct{}), make(chan struct{})
	defer close(over)
	deaf := func(context.Context) (string, error) { <-over; return "", nil }
	reports := simple("reports", func(ctx context.Context) (string, error) {
		tool.RuntimeFrom(ctx).Progress(1, 2, "half")
		return "done", nil
	})
	e := newExecutor(t, executor.Config{},
		simple("first", deaf, tool.Timeout(time.Millisecond)),
		simple("second", deaf, tool.Timeout(20*time.Millisecond)), reports)
	ctx := tool.WithRuntime(t.Context(), &tool.Runtime{Report: func(tool.CallID, tool.Update) { <-answered }})
	results := e.ExecuteFunc(ctx, []tool.Call{call("1", "first", ""), call("2", "second", ""), call("3", "reports", "")}, func(i int, _ executor.Result) {
		if i == 1 {
			close(answered)
			return
		}
		<-answered
	})
	if kind(results[0]) != tool.KindTimeout || kind(results[1]) != tool.KindTimeout || results[2].Err != nil {
		t.Errorf("got %v, %v, %v", results[0].Err, results[1].Err, results[2].Err)
	}
}
