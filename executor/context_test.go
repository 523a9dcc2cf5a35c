package executor_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"helve/executor"
	"helve/tool"
)

// TestCallContextKeepsTheContract shows that what a tool gets behaves as any
// context of the standard library does, and that contexts made of it do.
func TestCallContextKeepsTheContract(t *testing.T) {
	t.Parallel()
	type key struct{}
	synctest.Test(t, func(t *testing.T) {
		run, stop := context.WithCancel(context.WithValue(t.Context(), key{}, "of the run"))
		defer stop()
		heard := make(chan error, 8)
		var kept context.Context
		look := simple("look", func(ctx context.Context) (string, error) {
			kept = ctx
			if ctx.Err() != nil || ctx.Value(key{}) != "of the run" {
				t.Errorf("error %v, value %v", ctx.Err(), ctx.Value(key{}))
			}
			if deadline, ok := ctx.Deadline(); !ok || time.Until(deadline) != 30*time.Second {
				t.Errorf("deadline in %v, %v", time.Until(deadline), ok)
			}
			child, cancel := context.WithCancel(ctx)
			context.AfterFunc(child, func() { heard <- context.Cause(child); cancel() })
			forgotten := context.AfterFunc(ctx, func() { heard <- errors.New("called although it was stopped") })
			if !forgotten() || forgotten() {
				t.Error("stop of an AfterFunc lies")
			}
			return "", nil
		})
		newExecutor(t, executor.Config{}, look).Execute(run, []tool.Call{call("1", "look", "")})
		synctest.Wait()
		if err := <-heard; !errors.Is(err, context.Canceled) {
			t.Errorf("the child ended with %v when the call was over", err)
		}
		select {
		case <-kept.Done():
		default:
			t.Error("Done is open after the call")
		}
		if kept.Err() != context.Canceled || run.Err() != nil {
			t.Errorf("the call's context ended with %v, the run's with %v", kept.Err(), run.Err())
		}
		late := make(chan bool, 1)
		context.AfterFunc(kept, func() { late <- true })
		<-late
	})
}

func TestCallContextEndsAtTheDeadlineForWhatIsMadeOfIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		heard := make(chan error, 1)
		slow := simple("slow", func(ctx context.Context) (string, error) {
			child, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			<-child.Done()
			heard <- child.Err()
			return "", child.Err()
		})
		e := newExecutor(t, executor.Config{Timeout: time.Second}, slow)
		if r := execute1(e, call("1", "slow", "")); kind(r) != tool.KindTimeout || r.Duration != time.Second {
			t.Errorf("after %v: %v", r.Duration, r.Err)
		}
		if err := <-heard; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the child ended with %v", err)
		}
	})
}

// TestCallContextTellsNothing prints the context in every way.
func TestCallContextTellsNothing(t *testing.T) {
	t.Parallel()
	ctx := tool.WithRuntime(t.Context(), &tool.Runtime{Values: []any{"hunter2"}, Config: map[string]any{"k": "hunter2"}})
	var printed string
	show := simple("show", func(ctx context.Context) (string, error) {
		child, cancel := context.WithCancel(ctx)
		defer cancel()
		printed = fmt.Sprintf("%v %+v %#v %s %q %v", ctx, ctx, ctx, ctx, ctx, child)
		return "", nil
	})
	newExecutor(t, executor.Config{}, show).Execute(ctx, []tool.Call{call("c7", "show", "")})
	if strings.Contains(printed, "hunter2") || !strings.Contains(printed, "c7") {
		t.Errorf("printed %s", printed)
	}
}

// hookWithDeadline gives every call a context that ends by itself.
type hookWithDeadline struct{ after time.Duration }

func (h hookWithDeadline) Start(ctx context.Context, _ tool.Call) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	time.AfterFunc(h.after, cancel)
	return ctx
}

func (hookWithDeadline) End(context.Context, executor.Report) {}

func TestAHooksContextMayEndTheCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		deaf := simple("deaf", func(context.Context) (string, error) { time.Sleep(time.Minute); return "", nil })
		e := newExecutor(t, executor.Config{Hooks: []executor.Hook{hookWithDeadline{2 * time.Second}}}, deaf)
		if r := execute1(e, call("1", "deaf", "")); kind(r) != tool.KindCanceled || r.Duration != 2*time.Second {
			t.Errorf("after %v: %v", r.Duration, r.Err)
		}
		time.Sleep(time.Hour)
	})
}

// TestRule3_EachOfManyCallsHasItsOwnDeadline has deaf tools with limits below and
// above the executor's, some of which have to wait for a place.
func TestRule3_EachOfManyCallsHasItsOwnDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		deaf := func(context.Context) (string, error) { time.Sleep(time.Hour); return "", nil }
		e := newExecutor(t, executor.Config{Timeout: 5 * time.Second, MaxParallel: 2},
			simple("one", deaf, tool.Timeout(time.Second)),
			simple("three", deaf, tool.Timeout(3*time.Second)),
			simple("nine", deaf, tool.Timeout(9*time.Second)),
			simple("five", deaf), answers("quick", "done"))
		start := time.Now()
		var mu sync.Mutex
		at := map[string]time.Duration{}
		calls := []tool.Call{call("1", "nine", ""), call("2", "one", ""), call("3", "three", ""), call("4", "quick", ""), call("5", "five", "")}
		e.ExecuteFunc(t.Context(), calls, func(i int, _ executor.Result) {
			mu.Lock()
			defer mu.Unlock()
			at[calls[i].Name] = time.Since(start)
		})
		want := map[string]time.Duration{"nine": 9 * time.Second, "one": time.Second, "three": 4 * time.Second, "quick": 4 * time.Second, "five": 9 * time.Second}
		for name, d := range want {
			if at[name] != d {
				t.Errorf("%s was answered at %v, want %v", name, at[name], d)
			}
		}
		if n := e.Abandoned(); n != 4 {
			t.Errorf("%d abandoned, want 4", n)
		}
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if n := e.Abandoned(); n != 0 {
			t.Errorf("%d abandoned at the end", n)
		}
	})
}
