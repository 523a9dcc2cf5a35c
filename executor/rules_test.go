package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/executor"
	"helve/tool"
)

// The tests here are the rules of execution in docs/design.md, one each; rule 3 is in
// deadline_test.go, rule 4 in panic_test.go, rule 7 in inject_test.go. Rules 8
// and 9 are not the executor's.

func TestRule1_OneResultPerCallInCallOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type input struct {
			Milliseconds int `json:"milliseconds"`
		}
		sleep := tool.Must(tool.New("sleep", "Sleeps.", func(_ context.Context, in input) (int, error) {
			time.Sleep(time.Duration(in.Milliseconds) * time.Millisecond)
			return in.Milliseconds, nil
		}))
		e := newExecutor(t, executor.Config{}, sleep)

		calls, want := make([]tool.Call, 100), make([]string, 100)
		for i := range calls {
			n := rand.IntN(1000)
			calls[i] = call(fmt.Sprint(i), "sleep", fmt.Sprintf(`{"milliseconds":%d}`, n))
			want[i] = fmt.Sprint(i, ": ", n)
		}
		got := make([]string, 0, 100)
		for _, r := range e.Execute(t.Context(), calls) {
			got = append(got, r.Call.ID+": "+r.Output.Text())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestRule1_OneCallsFailureKeepsTheOthers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		fail func(ctx context.Context, release <-chan struct{}) (string, error)
		want tool.Kind
	}{
		{"error", func(context.Context, <-chan struct{}) (string, error) { return "", errors.New("broken") }, tool.KindExecution},
		{"panic", func(context.Context, <-chan struct{}) (string, error) { panic("broken") }, tool.KindExecution},
		{"goexit", func(context.Context, <-chan struct{}) (string, error) { runtime.Goexit(); return "", nil }, tool.KindExecution},
		{"timeout", func(ctx context.Context, _ <-chan struct{}) (string, error) { <-ctx.Done(); return "", ctx.Err() }, tool.KindTimeout},
		{"deaf", func(_ context.Context, release <-chan struct{}) (string, error) { <-release; return "late", nil }, tool.KindTimeout},
		{"denied", func(context.Context, <-chan struct{}) (string, error) {
			return "", &tool.Error{Kind: tool.KindDenied, Message: "No."}
		}, tool.KindDenied},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				defer close(release)
				bad := simple("bad", func(ctx context.Context) (string, error) { return tt.fail(ctx, release) })
				e := newExecutor(t, executor.Config{}, answers("good", "fine"), bad)
				got := e.Execute(t.Context(), []tool.Call{call("1", "good", ""), call("2", "bad", ""), call("3", "good", "")})
				if kind(got[1]) != tt.want {
					t.Errorf("bad: %v, want kind %q", got[1].Err, tt.want)
				}
				for _, i := range []int{0, 2} {
					if got[i].Err != nil || got[i].Output.Text() != "fine" {
						t.Errorf("call %d: %q, %v", i, got[i].Output.Text(), got[i].Err)
					}
				}
			})
		})
	}
}

func TestRule2_EveryViolationReachesTheModel(t *testing.T) {
	t.Parallel()
	ran := false
	weather := tool.Must(tool.New("weather", "The weather of a city.", func(context.Context, weatherInput) (string, error) {
		ran = true
		return "", nil
	}))
	r := execute1(newExecutor(t, executor.Config{}, weather), call("1", "weather", `{"city":"","unit":"kelvin","days":99,"bogus":1}`))
	if ran {
		t.Error("the tool ran")
	}
	var said struct {
		Success    bool
		Error      string
		Code       string
		Violations []struct{ Pointer string }
	}
	if err := json.Unmarshal([]byte(modelReads(r)), &said); err != nil {
		t.Fatal(err)
	}
	if said.Success || said.Code != "invalid_parameters" {
		t.Errorf("the model reads %s", modelReads(r))
	}
	var pointers []string
	for _, v := range said.Violations {
		pointers = append(pointers, v.Pointer)
		if !strings.Contains(said.Error, v.Pointer) {
			t.Errorf("%s is missing in %q", v.Pointer, said.Error)
		}
	}
	slices.Sort(pointers)
	if diff := cmp.Diff([]string{"/bogus", "/city", "/days", "/unit"}, pointers); diff != "" {
		t.Error(diff)
	}
}

func TestRule5_ParallelWithinABound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ most, want int }{{0, 16}, {1, 1}, {4, 4}, {100, 40}} {
		t.Run(fmt.Sprint(tt.most), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				now, peak := 0, 0
				count := func(n int) {
					mu.Lock()
					defer mu.Unlock()
					now += n
					peak = max(peak, now)
				}
				slow := simple("slow", func(context.Context) (string, error) {
					count(1)
					time.Sleep(time.Second)
					count(-1)
					return "", nil
				})
				e := newExecutor(t, executor.Config{MaxParallel: tt.most}, slow)
				calls := make([]tool.Call, 40)
				for i := range calls {
					calls[i] = call(fmt.Sprint(i), "slow", "")
				}
				start := time.Now()
				e.Execute(t.Context(), calls)
				rounds := (len(calls) + tt.want - 1) / tt.want
				if got := time.Since(start); got != time.Duration(rounds)*time.Second {
					t.Errorf("took %v, want %d s", got, rounds)
				}
				if peak != tt.want {
					t.Errorf("%d ran at once, want %d", peak, tt.want)
				}
			})
		})
	}
}

func TestRule5_SequentialIsABarrierInCallOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var spans []string
		begin := time.Now()
		take := func(name string, d time.Duration) func(context.Context) (string, error) {
			return func(context.Context) (string, error) {
				from := time.Since(begin)
				time.Sleep(d)
				mu.Lock()
				defer mu.Unlock()
				spans = append(spans, fmt.Sprintf("%s %v-%v", name, from, time.Since(begin)))
				return "", nil
			}
		}
		e := newExecutor(t, executor.Config{},
			simple("a", take("a", time.Second)), simple("b", take("b", 2*time.Second)),
			simple("alone", take("alone", 3*time.Second), tool.Sequential()))
		var calls []tool.Call
		for i, name := range []string{"a", "b", "alone", "alone", "b", "a"} {
			calls = append(calls, call(fmt.Sprint(i), name, ""))
		}
		e.Execute(t.Context(), calls)
		want := []string{"a 0s-1s", "b 0s-2s", "alone 2s-5s", "alone 5s-8s", "a 8s-9s", "b 8s-10s"}
		if diff := cmp.Diff(want, spans); diff != "" {
			t.Error(diff)
		}
	})
}

func TestRule6_UnknownToolIsAResultWithNearNames(t *testing.T) {
	t.Parallel()
	e := newExecutor(t, executor.Config{}, answers("search", ""), answers("calculate", ""))
	r := execute1(e, call("1", "serch", `{}`))
	const want = `{"success":false,"error":"Tool not found: serch","code":"not_found","available":["search"]}`
	if diff := cmp.Diff(want, modelReads(r)); diff != "" {
		t.Error(diff)
	}
}

func TestRule10_SameIDRunsOnce(t *testing.T) {
	t.Parallel()
	for _, n := range []int{4, 100} { // searched, and by map
		var ran atomic.Int64
		count := tool.Must(tool.New("count", "Counts.", func(_ context.Context, in echoInput) (string, error) {
			ran.Add(1)
			return "counted " + in.Text, nil
		}))
		calls := make([]tool.Call, n)
		for i := range calls {
			calls[i] = call("same", "count", `{"text":"a"}`)
		}
		calls[n-1] = call("same", "count", `{"text":"b"}`)
		got := newExecutor(t, executor.Config{}, count).Execute(t.Context(), calls)
		if ran.Load() != 1 {
			t.Errorf("%d calls: ran %d times", n, ran.Load())
		}
		for i, r := range got[:n-1] {
			if r.Output.Text() != "counted a" {
				t.Errorf("%d calls: result %d is %q, %v", n, i, r.Output.Text(), r.Err)
			}
		}
		if last := got[n-1]; kind(last) != tool.KindUnavailable || string(last.Call.Arguments) != `{"text":"b"}` {
			t.Errorf("%d calls: a different call with that ID got %+v", n, last)
		}
	}
}

func TestRule10_CallsWithoutAnIDAreAllDifferent(t *testing.T) {
	t.Parallel()
	for _, n := range []int{3, 50} {
		calls := make([]tool.Call, n)
		for i := range calls {
			calls[i] = call("", "echo", fmt.Sprintf(`{"text":"%d"}`, i))
		}
		for i, r := range newExecutor(t, executor.Config{}, echo()).Execute(t.Context(), calls) {
			if r.Output.Text() != fmt.Sprint(i) {
				t.Errorf("result %d is %q, %v", i, r.Output.Text(), r.Err)
			}
		}
	}
}
