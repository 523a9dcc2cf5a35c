package executor_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"helve/executor"
	"helve/tool"
)

func manyCalls(n int, names ...string) []tool.Call {
	calls := make([]tool.Call, n)
	for i := range calls {
		calls[i] = call(fmt.Sprint(i), names[i%len(names)], "")
	}
	return calls
}

func TestLimitHoldsOverAllBatchesOfATool(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		limit executor.Middleware
		want  time.Duration // for 12 calls of a second each, half of each tool, in two batches
	}{
		{"two of every tool", executor.Limit(2), 3 * time.Second},
		{"one of a", executor.Limit(1, "a"), 6 * time.Second},
		{"none counts as one", executor.Limit(0, "a"), 6 * time.Second},
		{"other tools", executor.Limit(1, "c"), time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				sleep := func(context.Context) (string, error) { time.Sleep(time.Second); return "", nil }
				e := newExecutor(t, executor.Config{Middleware: []executor.Middleware{tt.limit}}, simple("a", sleep), simple("b", sleep))
				start := time.Now()
				done := make(chan struct{})
				go func() { e.Execute(t.Context(), manyCalls(6, "a", "b")); close(done) }()
				e.Execute(t.Context(), manyCalls(6, "a", "b"))
				<-done
				if took := time.Since(start); took != tt.want {
					t.Errorf("took %v, want %v", took, tt.want)
				}
			})
		})
	}
}

func TestLimitWaitsNoLongerThanTheRun(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]executor.Middleware{
		"Limit":     executor.Limit(1),
		"RateLimit": executor.RateLimit(rate.Every(time.Hour), 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				waits := simple("waits", func(ctx context.Context) (string, error) { <-ctx.Done(); return "", ctx.Err() })
				e := newExecutor(t, executor.Config{Middleware: []executor.Middleware{limit}}, waits)
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				for _, r := range e.Execute(ctx, manyCalls(2, "waits")) {
					if kind(r) != tool.KindCanceled || r.Duration != time.Second {
						t.Errorf("after %v: %v", r.Duration, r.Err)
					}
				}
			})
		})
	}
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var started atomic.Int64
		tick := simple("tick", func(context.Context) (string, error) { started.Add(1); return "", nil })
		limit := executor.RateLimit(2, 3, "tick")
		e := newExecutor(t, executor.Config{Middleware: []executor.Middleware{limit}}, tick)
		go e.Execute(t.Context(), manyCalls(7, "tick"))
		for want := int64(3); want <= 7; want++ { // the burst, then two a second
			synctest.Wait()
			if got := started.Load(); got != want {
				t.Errorf("%d started, want %d", got, want)
			}
			time.Sleep(500 * time.Millisecond)
		}
	})
}

func TestRateLimitThatLetsNothingThroughInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limit := executor.RateLimit(rate.Every(time.Hour), 1)
		e := newExecutor(t, executor.Config{MaxParallel: 1, Middleware: []executor.Middleware{limit}}, answers("a", "ran"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		got := e.Execute(ctx, manyCalls(2, "a"))
		if got[0].Output.Text() != "ran" || kind(got[1]) != tool.KindUnavailable || !got[1].Err.Retryable || got[1].Duration != 0 {
			t.Errorf("got %v, then after %v %v", got[0].Err, got[1].Duration, got[1].Err)
		}
	})
}

func TestLimitsLeaveUnknownToolsAlone(t *testing.T) {
	t.Parallel()
	e := newExecutor(t, executor.Config{Middleware: []executor.Middleware{executor.Limit(1), executor.RateLimit(0, 0)}})
	if r := execute1(e, call("1", "nope", "")); kind(r) != tool.KindNotFound {
		t.Errorf("got %v", r.Err)
	}
}
