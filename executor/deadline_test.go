package executor_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/executor"
	"helve/message"
	"helve/tool"
)

func TestRule3_EveryCallHasADeadline(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name           string
		executor, tool time.Duration
		want           time.Duration
	}{
		{"default", 0, 0, 30 * time.Second},
		{"of the executor", 5 * time.Second, 0, 5 * time.Second},
		{"of the tool", 5 * time.Second, time.Minute, time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				deadlines := make(chan time.Time, 1)
				slow := simple("slow", func(ctx context.Context) (string, error) {
					deadline, _ := ctx.Deadline()
					deadlines <- deadline
					<-ctx.Done()
					return "", ctx.Err()
				}, tool.Timeout(tt.tool))
				e := newExecutor(t, executor.Config{Timeout: tt.executor}, slow)
				start := time.Now()
				r := execute1(e, call("1", "slow", ""))
				if told := (<-deadlines).Sub(start); r.Duration != tt.want || told != tt.want || kind(r) != tool.KindTimeout {
					t.Errorf("after %v: %v; the tool was told %v; want %v", r.Duration, r.Err, told, tt.want)
				}
				synctest.Wait()
				if n := e.Abandoned(); n != 0 {
					t.Errorf("%d abandoned, though the tool heeds its context", n)
				}
			})
		})
	}
}

func TestRule3_DeafToolIsAnsweredAtItsDeadlineAndAccountedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log logBuffer
		deaf := simple("deaf", func(context.Context) (string, error) { time.Sleep(10 * time.Second); return "late", nil })
		e := newExecutor(t, executor.Config{Timeout: 4 * time.Second, Logger: log.logger(slog.LevelWarn)}, deaf)

		r := execute1(e, call("c1", "deaf", ""))
		if kind(r) != tool.KindTimeout || r.Duration != 4*time.Second {
			t.Fatalf("after %v: %v", r.Duration, r.Err)
		}
		if n := e.Abandoned(); n != 1 {
			t.Errorf("%d abandoned, want 1", n)
		}
		synctest.Wait()
		if log.String() != "" {
			t.Errorf("complained at once: %s", log.String())
		}

		time.Sleep(time.Second)
		synctest.Wait()
		complaint := "level=WARN msg=\"tool ignores its context and still runs\" tool=deaf call_id=c1 abandoned=1\n"
		if diff := cmp.Diff(complaint, log.String()); diff != "" {
			t.Error(diff)
		}

		time.Sleep(5 * time.Second)
		synctest.Wait()
		if diff := cmp.Diff(complaint+"level=WARN msg=\"abandoned tool ended\" tool=deaf call_id=c1 after=6s\n", log.String()); diff != "" {
			t.Error(diff)
		}
		if n := e.Abandoned(); n != 0 {
			t.Errorf("%d abandoned at the end", n)
		}
	})
}

func TestRule3_PanicOfAnAbandonedToolIsLogged(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log logBuffer
		deaf := simple("deaf", func(context.Context) (string, error) {
			time.Sleep(1500 * time.Millisecond)
			panic("too late")
		})
		e := newExecutor(t, executor.Config{Timeout: time.Second, Logger: log.logger(slog.LevelWarn)}, deaf)
		execute1(e, call("c1", "deaf", ""))
		time.Sleep(time.Second)
		synctest.Wait()
		if got := log.String(); !strings.Contains(got, "abandoned tool ended") || !strings.Contains(got, "panic: too late") {
			t.Errorf("the log has %q", got)
		}
	})
}

func TestRule3_ResultInTheLastMomentCounts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		saves := simple("saves", func(ctx context.Context) (string, error) {
			<-ctx.Done()
			return "half of it", nil
		})
		e := newExecutor(t, executor.Config{Timeout: time.Second}, saves)
		// Both outcomes are right: what may not be is a wait, or a loss without an
		// error.
		r := execute1(e, call("1", "saves", ""))
		if r.Duration != time.Second || (r.Err == nil) != (r.Output.Text() == "half of it") {
			t.Errorf("after %v: %q, %v", r.Duration, r.Output.Text(), r.Err)
		}
	})
}

func TestRule3_FailureAfterTheDeadlineIsATimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		query := simple("query", func(ctx context.Context) (string, error) {
			<-ctx.Done()
			return "", errors.New("connection closed") // as many clients say it
		})
		e := newExecutor(t, executor.Config{Timeout: time.Second, MaxCalls: 500, MaxParallel: 500}, query)
		for _, r := range e.Execute(t.Context(), manyCalls(500, "query")) { // many, for whoever wakes first
			if got := modelReads(r); got != `{"success":false,"error":"The tool gave no answer within 1s.","code":"timeout"}` {
				t.Fatalf("the model reads %s", got)
			}
		}
	})
}

func TestReportsGoQuietAfterTheResult(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		run  func(ctx context.Context) // until the tool returns or is left behind
	}{
		{"deaf tool", func(context.Context) { time.Sleep(5 * time.Second) }},
		{"goroutine that outlives its tool", func(context.Context) {}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				var heard []tool.Update
				ctx := tool.WithRuntime(t.Context(), &tool.Runtime{Report: func(id tool.CallID, u tool.Update) {
					mu.Lock()
					defer mu.Unlock()
					heard = append(heard, u)
				}})
				chatty := simple("chatty", func(ctx context.Context) (string, error) {
					rt := tool.RuntimeFrom(ctx)
					rt.Output(message.Text("early"))
					go func() {
						time.Sleep(3 * time.Second)
						rt.Output(message.Text("too late"))
					}()
					tt.run(ctx)
					rt.Progress(1, 1, "at the end")
					return "", nil
				})
				e := newExecutor(t, executor.Config{Timeout: time.Second}, chatty)
				e.Execute(ctx, []tool.Call{call("1", "chatty", "")})
				mu.Lock()
				atResult := len(heard)
				mu.Unlock()
				if atResult == 0 {
					t.Error("nothing heard while the tool ran")
				}
				time.Sleep(10 * time.Second)
				synctest.Wait()
				if len(heard) != atResult {
					t.Errorf("heard after the result: %v", heard[atResult:])
				}
			})
		})
	}
}

func TestCanceledRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var ran atomic.Int64
		waits := simple("waits", func(ctx context.Context) (string, error) { ran.Add(1); <-ctx.Done(); return "", ctx.Err() })
		deaf := simple("deaf", func(context.Context) (string, error) { ran.Add(1); time.Sleep(10 * time.Second); return "", nil })
		e := newExecutor(t, executor.Config{MaxParallel: 1}, answers("quick", "done"), waits, deaf)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		start := time.Now()
		got := e.Execute(ctx, []tool.Call{call("1", "quick", ""), call("2", "deaf", ""), call("3", "waits", ""), call("4", "nope", "")})
		if took := time.Since(start); took != 2*time.Second {
			t.Errorf("took %v", took)
		}
		if got[0].Err != nil {
			t.Errorf("the finished call lost its result: %v", got[0].Err)
		}
		for _, r := range got[1:] {
			if kind(r) != tool.KindCanceled {
				t.Errorf("%s: %v", r.Call.Name, r.Err)
			}
		}
		if ran.Load() != 1 {
			t.Errorf("%d tools ran, want only the one before the end", ran.Load())
		}
		time.Sleep(10 * time.Second) // for the deaf tool
	})
}
