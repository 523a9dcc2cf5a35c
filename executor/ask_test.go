package executor_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"helve/executor"
	"helve/tool"
)

// thoughtful is a host whose person takes so long for an answer.
func thoughtful(ctx context.Context, thinks time.Duration) context.Context {
	return tool.WithRuntime(ctx, &tool.Runtime{Answer: func(ctx context.Context, _ tool.CallID, questions []tool.Question) ([]tool.Answer, error) {
		select {
		case <-time.After(thinks):
			return make([]tool.Answer, len(questions)), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}})
}

func ask(ctx context.Context) error {
	_, err := tool.RuntimeFrom(ctx).Ask(ctx, tool.Roots{})
	return err
}

// TestTheDeadlineStandsStillWhileACallAsks: 10 s before the question, 5 min of thinking,
// then more work, with 30 s for the tool.
func TestTheDeadlineStandsStillWhileACallAsks(t *testing.T) {
	t.Parallel()
	const before, thinks = 10 * time.Second, 5 * time.Minute
	pass := executor.Middleware(func(next executor.Handler) executor.Handler { return next })
	for _, tt := range []struct {
		name   string
		after  time.Duration // that the tool works behind the answer
		deaf   bool
		kind   tool.Kind
		took   time.Duration
		config executor.Config
		start  bool
	}{
		{name: "in time", after: 19 * time.Second, took: thinks + 29*time.Second},
		{name: "too late", after: 21 * time.Second, kind: tool.KindTimeout, took: thinks + 30*time.Second},
		{name: "too late and deaf", after: 21 * time.Second, deaf: true, kind: tool.KindTimeout, took: thinks + 30*time.Second},
		{name: "behind middleware", after: 21 * time.Second, kind: tool.KindTimeout, took: thinks + 30*time.Second, config: executor.Config{Middleware: []executor.Middleware{pass}}},
		{name: "started", after: 21 * time.Second, kind: tool.KindTimeout, took: thinks + 30*time.Second, start: true},
		{name: "started, in time", after: time.Second, took: thinks + 11*time.Second, start: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				asks := simple("asks", func(ctx context.Context) (string, error) {
					begun := time.Now()
					time.Sleep(before)
					if err := ask(ctx); err != nil {
						return "", err
					}
					if d, ok := ctx.Deadline(); !ok || d.Sub(begun) != thinks+30*time.Second {
						t.Errorf("the tool is told %v, %v", d.Sub(begun), ok)
					}
					ended := ctx.Done()
					if tt.deaf {
						ended = nil
					}
					select {
					case <-time.After(tt.after):
						return "done", nil
					case <-ended:
						return "", ctx.Err()
					}
				})
				e := newExecutor(t, tt.config, asks)
				ctx := thoughtful(t.Context(), thinks)
				begun := time.Now()
				var r executor.Result
				if tt.start {
					r = e.Start(ctx, call("1", "asks", "")).Result()
				} else {
					r = e.Execute(ctx, []tool.Call{call("1", "asks", "")})[0]
				}
				if kind(r) != tt.kind || time.Since(begun) != tt.took || r.Duration != tt.took {
					t.Errorf("after %v: %q, %v; want %q after %v", time.Since(begun), r.Output.Text(), r.Err, tt.kind, tt.took)
				}
				time.Sleep(time.Minute) // for the deaf one
				if e.Abandoned() != 0 {
					t.Errorf("%d abandoned", e.Abandoned())
				}
			})
		})
	}
}

// TestTheClockStandsStillWhileAnyQuestionIsOpen: two overlap, a third follows later.
func TestTheClockStandsStillWhileAnyQuestionIsOpen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asks := simple("asks", func(ctx context.Context) (string, error) {
			var all sync.WaitGroup
			all.Go(func() { _ = ask(ctx) })
			time.Sleep(time.Minute) // of the first one's hour
			if d, ok := ctx.Deadline(); ok {
				t.Errorf("a deadline of %v while a question is open", d)
			}
			all.Go(func() { _ = ask(ctx) })
			all.Wait()
			time.Sleep(20 * time.Second)
			if err := ask(ctx); err != nil {
				return "", err
			}
			<-ctx.Done()
			return "", ctx.Err()
		})
		e := newExecutor(t, executor.Config{}, asks)
		r := e.Execute(thoughtful(t.Context(), time.Hour), []tool.Call{call("1", "asks", "")})[0]
		if want := 2*time.Hour + time.Minute + 30*time.Second; kind(r) != tool.KindTimeout || r.Duration != want {
			t.Errorf("after %v: %v, want a timeout after %v", r.Duration, r.Err, want)
		}
	})
}

// TestACallThatAsksHoldsNoOtherUp: not beyond what the others were bound to anyway.
func TestACallThatAsksHoldsNoOtherUp(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		options []tool.Option
		last    time.Duration // when the call behind the one that asks has ended
	}{
		{"in parallel", nil, 30 * time.Second},
		{"a tool that runs alone", []tool.Option{tool.Sequential()}, time.Hour + 60*time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				asks := simple("asks", func(ctx context.Context) (string, error) { return "asked", ask(ctx) }, tt.options...)
				hangs := simple("hangs", func(ctx context.Context) (string, error) { <-ctx.Done(); return "", ctx.Err() })
				e := newExecutor(t, executor.Config{}, asks, hangs)
				begun := time.Now()
				var mu sync.Mutex
				took := map[string]time.Duration{}
				results := e.ExecuteFunc(thoughtful(t.Context(), time.Hour), []tool.Call{call("1", "hangs", ""), call("2", "asks", ""), call("3", "hangs", "")}, func(_ int, r executor.Result) {
					mu.Lock()
					defer mu.Unlock()
					took[r.Call.ID] = time.Since(begun)
				})
				if kind(results[0]) != tool.KindTimeout || kind(results[1]) != "" || kind(results[2]) != tool.KindTimeout {
					t.Errorf("%v, %v, %v", results[0].Err, results[1].Err, results[2].Err)
				}
				if took["1"] != 30*time.Second || took["3"] != tt.last {
					t.Errorf("they took %v", took)
				}
			})
		})
	}
}

func TestTheEndOfTheRunEndsAQuestion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		with func(context.Context) context.Context // that the tool asks with
	}{
		{"with the call's context", func(ctx context.Context) context.Context { return ctx }},
		{"with a context of no run", func(context.Context) context.Context { return context.Background() }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				told := make(chan error, 1)
				asks := simple("asks", func(ctx context.Context) (string, error) {
					_, err := tool.RuntimeFrom(ctx).Ask(tt.with(ctx), tool.Roots{})
					told <- err
					return "", err
				})
				e := newExecutor(t, executor.Config{}, asks)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				r := e.Execute(thoughtful(ctx, time.Hour), []tool.Call{call("1", "asks", "")})[0]
				if kind(r) != tool.KindCanceled || r.Duration != time.Minute {
					t.Errorf("after %v: %v", r.Duration, r.Err)
				}
				if err := <-told; !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("the tool was told %v", err)
				}
			})
		})
	}
}

func TestACallThatIsOverCanNotAsk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		told := make(chan error, 2)
		late := func(ctx context.Context) {
			_, err := tool.RuntimeFrom(ctx).Ask(context.Background(), tool.Roots{})
			told <- err
		}
		deaf := simple("deaf", func(ctx context.Context) (string, error) { time.Sleep(time.Minute); late(ctx); return "", nil })
		leaves := simple("leaves", func(ctx context.Context) (string, error) {
			go func() { time.Sleep(2 * time.Minute); late(ctx) }()
			return "", nil
		})
		e := newExecutor(t, executor.Config{}, deaf, leaves)
		e.Execute(thoughtful(t.Context(), 0), []tool.Call{call("1", "deaf", ""), call("2", "leaves", "")})
		if err := <-told; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("left behind at its deadline: %v", err)
		}
		if err := <-told; !errors.Is(err, context.Canceled) {
			t.Errorf("after its result: %v", err)
		}
	})
}

// TestAHostWithoutAnAnswerStaysOne: nothing is put around nobody.
func TestAHostWithoutAnAnswerStaysOne(t *testing.T) {
	t.Parallel()
	asks := simple("asks", func(ctx context.Context) (string, error) { return "", ask(ctx) })
	r := execute1(newExecutor(t, executor.Config{}, asks), call("1", "asks", ""))
	if kind(r) != tool.KindUnavailable || !errors.Is(r.Err, tool.ErrNobody) {
		t.Errorf("%v", r.Err)
	}
}
