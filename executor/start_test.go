package executor_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/executor"
	"helve/tool"
)

func TestStartReturnsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := simple("slow", func(context.Context) (string, error) { time.Sleep(time.Second); return "done", nil })
		e := newExecutor(t, executor.Config{}, slow)
		start := time.Now()
		p := e.Start(t.Context(), call("1", "slow", ""))
		synctest.Wait()
		select {
		case <-p.Done():
			t.Error("done before the tool is")
		default:
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("Start took %v", took)
		}
		<-p.Done()
		for range 2 { // the result stays
			if r := p.Result(); r.Output.Text() != "done" || r.Duration != time.Second || r.Call.ID != "1" {
				t.Errorf("got %+v", r)
			}
		}
	})
}

func TestStartIsAnsweredAtTheDeadlineAndWhenCanceled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		deaf := simple("deaf", func(context.Context) (string, error) { time.Sleep(time.Minute); return "", nil })
		e := newExecutor(t, executor.Config{Timeout: 5 * time.Second}, deaf)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		stopped, timed, unknown := e.Start(ctx, call("1", "deaf", "")), e.Start(t.Context(), call("2", "deaf", "")), e.Start(ctx, call("3", "nope", ""))
		if r := unknown.Result(); kind(r) != tool.KindNotFound {
			t.Errorf("unknown: %v", r.Err)
		}
		if r := stopped.Result(); kind(r) != tool.KindCanceled || time.Since(start) != time.Second {
			t.Errorf("after %v: %v", time.Since(start), r.Err)
		}
		if r := timed.Result(); kind(r) != tool.KindTimeout || time.Since(start) != 5*time.Second {
			t.Errorf("after %v: %v", time.Since(start), r.Err)
		}
		time.Sleep(time.Minute) // for the deaf tools
	})
}

func TestExecuteFuncTellsInTheOrderOfEnding(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		type input struct {
			Seconds int `json:"seconds"`
		}
		sleep := tool.Must(tool.New("sleep", "Sleeps.", func(_ context.Context, in input) (int, error) {
			time.Sleep(time.Duration(in.Seconds) * time.Second)
			return in.Seconds, nil
		}))
		e := newExecutor(t, executor.Config{MaxCalls: 5}, sleep)
		var calls []tool.Call
		for i, seconds := range []int{3, 1, 2, 0} {
			calls = append(calls, call(fmt.Sprint(i), "sleep", fmt.Sprintf(`{"seconds":%d}`, seconds)))
		}
		calls = append(calls, calls[1], call("5", "sleep", `{"seconds":0}`)) // one repeated, one too many

		told := make(chan string, 100)
		returned := false
		results := e.ExecuteFunc(t.Context(), calls, func(i int, r executor.Result) {
			if returned {
				t.Error("told after the return")
			}
			told <- fmt.Sprint(i, " ", r.Call.ID, " ", r.Output.Text(), kind(r))
		})
		returned = true
		close(told)
		var got []string
		for s := range told {
			got = append(got, s)
		}
		if diff := cmp.Diff([]string{"3 3 0", "1 1 1", "2 2 2", "0 0 3", "4 1 1", "5 5 unavailable"}, got); diff != "" {
			t.Error(diff)
		}
		if len(results) != len(calls) {
			t.Errorf("%d results of %d calls", len(results), len(calls))
		}
	})
}

func TestExecuteFuncTellsNothingOfALateTool(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		deaf := simple("deaf", func(context.Context) (string, error) { time.Sleep(time.Minute); return "late", nil })
		told := 0
		newExecutor(t, executor.Config{Timeout: time.Second}, deaf).ExecuteFunc(t.Context(), []tool.Call{call("1", "deaf", "")},
			func(int, executor.Result) { told++ })
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if told != 1 {
			t.Errorf("told %d times", told)
		}
	})
}

func TestExecuteOfNothing(t *testing.T) {
	t.Parallel()
	if got := newExecutor(t, executor.Config{}).Execute(t.Context(), nil); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

func TestNoRegistry(t *testing.T) {
	t.Parallel()
	r := execute1(executor.New(executor.Config{Logger: slog.New(slog.DiscardHandler)}), call("1", "nope", "{}"))
	if kind(r) != tool.KindNotFound {
		t.Errorf("got %v", r.Err)
	}
}
