package sim

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/model"
)

func TestParseFaults(t *testing.T) {
	t.Parallel()
	got, err := ParseFaults("429*2, 500,slow")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Fault{RateLimit, RateLimit, ServerError, Slow}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, f := range faults {
		if got, err := ParseFaults(string(f)); err != nil || len(got) != 1 || got[0] != f {
			t.Errorf("%s: %v, %v", f, got, err)
		}
	}
	if got, err := ParseFaults(" "); got != nil || err != nil {
		t.Errorf("empty: %v, %v", got, err)
	}
	for in, want := range map[string]string{
		"flood":     `unknown fault "flood": use one of 429, 500, html`,
		"429,":      `unknown fault ""`,
		"429*":      "a number from 1 to 1000",
		"429*0":     "a number from 1 to 1000",
		"429*99999": "a number from 1 to 1000",
	} {
		if _, err := ParseFaults(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v: want one with %q", in, err, want)
		}
	}
}

// TestFaults sees every fault through the ordinary client, streamed and whole.
func TestFaults(t *testing.T) {
	t.Parallel()
	status := func(want int, part string) func(*model.Response, error) error {
		return func(_ *model.Response, err error) error {
			var api *model.APIError
			if !errors.As(err, &api) || want != 0 && api.Status != want || !strings.Contains(api.Message, part) {
				return fmt.Errorf("error %v: want HTTP %d with %q", err, want, part)
			}
			if want == 429 && api.RetryAfter != time.Second {
				return fmt.Errorf("retry after %v: want one second", api.RetryAfter)
			}
			return nil
		}
	}
	incomplete := func(resp *model.Response, err error) error {
		if !errors.Is(err, model.ErrIncomplete) || len(resp.Message.ToolCalls()) > 0 {
			return fmt.Errorf("error %v, %d calls: want an incomplete answer", err, len(resp.Message.ToolCalls()))
		}
		return nil
	}
	checks := map[Fault]func(*model.Response, error) error{
		RateLimit:   status(429, "told to be busy"),
		ServerError: status(500, "told to fail"),
		HTML:        status(0, "text/html"),
		StreamError: status(0, "told to fail"),
		Cut:         incomplete,
		CutCall:     incomplete,
		Slow: func(resp *model.Response, err error) error {
			if err != nil || len(resp.Message.ToolCalls()) != 1 {
				return fmt.Errorf("%+v, error %v: want one call, late", resp.Message, err)
			}
			return nil
		},
		BadJSON: func(_ *model.Response, err error) error {
			var bad *model.ArgumentsError
			if !errors.As(err, &bad) || bad.Tool != "calculate" || bad.Raw != `{"expression":"17 * 23""oops` {
				return fmt.Errorf("error %v: want an ArgumentsError", err)
			}
			return nil
		},
		UnknownTool: calls(1, "calculate_that_does_not_exist"),
		Endless:     calls(1, "calculate"),
		ManyCalls:   calls(1000, "calculate"),
		HugeArguments: func(resp *model.Response, err error) error {
			c := resp.Message.ToolCalls()
			if err != nil || len(c) != 1 || len(c[0].Arguments) < 10_000_000 {
				return fmt.Errorf("%d calls, error %v: want one of 10 MB", len(c), err)
			}
			return nil
		},
		PartialCall: func(resp *model.Response, err error) error {
			if resp.Finish.Reason != model.FinishLength || len(resp.Message.ToolCalls()) > 0 {
				return fmt.Errorf("finish %q, %d calls, error %v: want length and no call", resp.Finish.Reason, len(resp.Message.ToolCalls()), err)
			}
			return nil
		},
		Silence: hung, Stall: hung,
	}
	for _, f := range faults {
		for _, whole := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s whole=%t", f, whole), func(t *testing.T) {
				t.Parallel()
				var slept sleeper
				server := start(t, Options{Faults: []Fault{f}, Sleep: slept.sleep})
				client, err := server.Client()
				if err != nil {
					t.Fatal(err)
				}
				if whole {
					client = connectWhole(t, server)
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if f == Silence || f == Stall {
					go func() {
						waitForFaults(t, server)
						cancel()
					}()
				}
				resp, err := model.Generate(ctx, client, ask("What is 17 * 23?", "calculate"))
				if problem := checks[f](resp, err); problem != nil {
					t.Error(problem)
				}
				if (slept.total() >= slowStart) != (f == Slow) {
					t.Errorf("slept %v", slept.total())
				}
				again, err := model.Generate(t.Context(), client, ask("What is 17 * 23?", "calculate"))
				if err != nil || len(again.Message.ToolCalls()) != 1 {
					t.Errorf("afterwards: %v: want the model well again", err)
				}
			})
		}
	}
}

func calls(n int, name string) func(*model.Response, error) error {
	return func(resp *model.Response, err error) error {
		ids := map[string]bool{}
		for _, c := range resp.Message.ToolCalls() {
			if c.Name == name {
				ids[c.ID] = true
			}
		}
		if err != nil || len(ids) != n {
			return fmt.Errorf("%d calls of %s, error %v: want %d", len(ids), name, err, n)
		}
		return nil
	}
}

func hung(resp *model.Response, err error) error {
	if !errors.Is(err, context.Canceled) || len(resp.Message.ToolCalls()) > 0 {
		return fmt.Errorf("error %v: want a canceled context", err)
	}
	return nil
}

// sleeper counts how long would have been slept.
type sleeper struct {
	mu  sync.Mutex
	sum time.Duration
}

func (s *sleeper) sleep(ctx context.Context, d time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sum += d
	return ctx.Err()
}

func (s *sleeper) total() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sum
}

// TestEndless: the model calls again though it was answered.
func TestEndless(t *testing.T) {
	t.Parallel()
	client := connect(t, Options{Faults: []Fault{Endless}})
	req := ask("What is 17 * 23?", "calculate")
	ids := map[string]bool{}
	for range 4 {
		resp := generate(t, client, req)
		c := resp.Message.ToolCalls()
		if len(c) != 1 {
			t.Fatalf("%d calls: want one", len(c))
		}
		ids[c[0].ID] = true
		req = withResults(req, resp, "391")
	}
	if len(ids) != 4 {
		t.Errorf("%d IDs for four calls", len(ids))
	}
}

// TestFaultsWithoutTools: a fault that needs a call makes one up.
func TestFaultsWithoutTools(t *testing.T) {
	t.Parallel()
	for _, f := range []Fault{BadJSON, UnknownTool, Endless, ManyCalls, HugeArguments, PartialCall, CutCall} {
		r := reply{text: "Hello"}
		f.deform(&r, &request{})
		if len(r.calls) == 0 || r.calls[0].name == "" {
			t.Errorf("%s: %+v: want a call", f, r)
		}
	}
}

func TestSleep(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		before := time.Now()
		if err := sleep(t.Context(), slowStart); err != nil || time.Since(before) != slowStart {
			t.Errorf("slept %v, error %v: want %v", time.Since(before), err, slowStart)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := sleep(ctx, slowStart); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v: want the context's", err)
		}
	})
}
