package executor_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"helve/executor"
	"helve/tool"
)

func TestRetryOnlyWhereItCanDoNoHarm(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, tt := range []struct {
		name    string
		err     error
		options []tool.Option
		want    int // attempts
	}{
		{"plain tool", broken, nil, 1},
		{"idempotent", broken, []tool.Option{tool.Idempotent()}, 3},
		{"read-only", broken, []tool.Option{tool.ReadOnly()}, 3},
		{"retryable error", &tool.Error{Kind: tool.KindExecution, Retryable: true}, nil, 3},
		{"retryable denial", &tool.Error{Kind: tool.KindDenied, Retryable: true}, nil, 3},
		{"unavailable", &tool.Error{Kind: tool.KindUnavailable}, []tool.Option{tool.Idempotent()}, 3},
		{"timeout", &tool.Error{Kind: tool.KindTimeout}, []tool.Option{tool.Idempotent()}, 3},
		{"unavailable, plain tool", &tool.Error{Kind: tool.KindUnavailable}, nil, 1},
		{"denied", &tool.Error{Kind: tool.KindDenied}, []tool.Option{tool.Idempotent()}, 1},
		{"no permission", &tool.Error{Kind: tool.KindPermissionDenied}, []tool.Option{tool.ReadOnly()}, 1},
		{"wrong parameters", &tool.Error{Kind: tool.KindInvalidParameters}, []tool.Option{tool.ReadOnly()}, 1},
		{"success", nil, []tool.Option{tool.ReadOnly()}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				attempts := 0
				flaky := simple("flaky", func(context.Context) (string, error) { attempts++; return "", tt.err }, tt.options...)
				e := newExecutor(t, executor.Config{Middleware: []executor.Middleware{executor.Retry(executor.RetryPolicy{})}}, flaky)
				r := execute1(e, call("1", "flaky", ""))
				if attempts != tt.want || (r.Err == nil) != (tt.err == nil) {
					t.Errorf("%d attempts, want %d; %v", attempts, tt.want, r.Err)
				}
			})
		})
	}
}

func TestRetryWaitsGrowWithinTheirBounds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var at []time.Time
		flaky := simple("flaky", func(context.Context) (string, error) { at = append(at, time.Now()); return "", errors.New("broken") }, tool.Idempotent())
		retry := executor.Retry(executor.RetryPolicy{MaxAttempts: 12, MinDelay: time.Second, MaxDelay: 8 * time.Second})
		e := newExecutor(t, executor.Config{Middleware: []executor.Middleware{retry}}, flaky)
		execute1(e, call("1", "flaky", ""))
		if len(at) != 12 {
			t.Fatalf("%d attempts", len(at))
		}
		for i := 1; i < len(at); i++ {
			wait := at[i].Sub(at[i-1])
			if i == 1 && (wait < 500*time.Millisecond || wait > 1500*time.Millisecond) {
				t.Errorf("first wait is %v, want 1 s give or take half", wait)
			}
			if i > 6 && wait < 4*time.Second || wait > 8*time.Second {
				t.Errorf("wait %d is %v, want 4 s to 8 s", i, wait)
			}
		}
	})
}

func TestRetryUntilItWorks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		attempts := 0
		flaky := simple("flaky", func(context.Context) (string, error) {
			if attempts++; attempts < 3 {
				return "", errors.New("broken")
			}
			return "worked", nil
		}, tool.Idempotent())
		retry := executor.Retry(executor.RetryPolicy{MaxAttempts: 10})
		e := newExecutor(t, executor.Config{Middleware: []executor.Middleware{retry}}, flaky)
		if r := execute1(e, call("1", "flaky", "")); r.Output.Text() != "worked" || attempts != 3 {
			t.Errorf("%q after %d attempts, %v", r.Output.Text(), attempts, r.Err)
		}
	})
}

func TestRetryOfADeafToolStaysWithinItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		deaf := simple("deaf", func(context.Context) (string, error) { time.Sleep(time.Minute); return "", nil }, tool.ReadOnly())
		retry := executor.Retry(executor.RetryPolicy{MaxAttempts: 2, MaxDelay: time.Second})
		e := newExecutor(t, executor.Config{Timeout: 5 * time.Second, Middleware: []executor.Middleware{retry}}, deaf)
		r := execute1(e, call("1", "deaf", ""))
		if kind(r) != tool.KindTimeout || r.Duration > 11*time.Second || e.Abandoned() != 2 {
			t.Errorf("after %v: %v, %d abandoned", r.Duration, r.Err, e.Abandoned())
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if e.Abandoned() != 0 {
			t.Errorf("%d abandoned at the end", e.Abandoned())
		}
	})
}

func TestRetryStopsWithItsRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken")
		attempts := 0
		flaky := simple("flaky", func(context.Context) (string, error) { attempts++; return "", broken }, tool.Idempotent())
		retry := executor.Retry(executor.RetryPolicy{MinDelay: time.Hour, MaxDelay: time.Hour})
		e := newExecutor(t, executor.Config{Middleware: []executor.Middleware{retry}}, flaky)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r := e.Execute(ctx, []tool.Call{call("1", "flaky", "")})[0]
		if kind(r) != tool.KindCanceled || r.Duration != time.Second || attempts != 1 {
			t.Errorf("%d attempts in %v: %v", attempts, r.Duration, r.Err)
		}
		if !errors.Is(r.Err, broken) || !errors.Is(r.Err, context.DeadlineExceeded) {
			t.Errorf("the log would lack why: %v", r.Err.Err)
		}
	})
}

func TestRetryLeavesAnUnknownToolAlone(t *testing.T) {
	t.Parallel()
	e := newExecutor(t, executor.Config{Middleware: []executor.Middleware{executor.Retry(executor.RetryPolicy{})}})
	if r := execute1(e, call("1", "nope", "")); kind(r) != tool.KindNotFound {
		t.Errorf("got %v", r.Err)
	}
}
