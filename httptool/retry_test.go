package httptool

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"helve/netpolicy"
	"helve/tool"
)

func TestAttempts(t *testing.T) {
	t.Parallel()
	date := func(d time.Duration) func() string {
		return func() string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	}
	text := func(s string) func() string { return func() string { return s } }
	none := text("")
	for _, test := range []struct {
		name       string
		idempotent bool
		status     int // 0: the error
		err        error
		after      func() string
		want       []time.Duration // the waits; nil: not sent again
	}{
		{"good", true, 200, nil, none, nil},
		{"not found", true, 404, nil, none, nil},
		{"broken", true, 500, nil, none, nil},
		{"bad gateway", true, 502, nil, none, []time.Duration{500 * time.Millisecond, 750 * time.Millisecond}},
		{"bad gateway, not idempotent", false, 502, nil, none, nil},
		{"unavailable, not idempotent", false, 503, nil, none, nil},
		{"unavailable with a time, not idempotent", false, 503, nil, text("2"), []time.Duration{2 * time.Second, 2 * time.Second}},
		{"too many, not idempotent", false, 429, nil, text("0"), []time.Duration{0, 0}},
		{"too many, with a date", true, 429, nil, date(5 * time.Second), []time.Duration{5 * time.Second, 5 * time.Second}},
		{"too many, with a date gone by", true, 429, nil, date(-time.Hour), []time.Duration{0, 0}},
		{"too many, with nonsense", true, 429, nil, text("soon"), []time.Duration{500 * time.Millisecond, 750 * time.Millisecond}},
		{"longer than it may wait", true, 429, nil, text("61"), nil},
		{"far longer", true, 429, nil, text("99999999999"), nil},
		{"no answer", true, 0, errors.New("broken"), none, []time.Duration{500 * time.Millisecond, 750 * time.Millisecond}},
		{"no answer, not idempotent", false, 0, errors.New("broken"), none, nil},
		{"refused", true, 0, &netpolicy.Refusal{Reason: "no"}, none, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a := newAttempts(Retry{Attempts: 3, MaxWait: time.Minute}, test.idempotent)
				a.waits.RandomizationFactor = 0
				var waits []time.Duration
				for {
					var response *http.Response
					if test.err == nil {
						response = &http.Response{StatusCode: test.status, Header: http.Header{"Retry-After": {test.after()}}}
						if test.after() == "" {
							response.Header = http.Header{}
						}
					}
					start := time.Now()
					if !a.again(t.Context(), response, test.err) {
						break
					}
					waits = append(waits, time.Since(start))
				}
				if fmt.Sprint(waits) != fmt.Sprint(test.want) {
					t.Errorf("waited %v, want %v", waits, test.want)
				}
			})
		})
	}
}

func TestAttemptsEndWithTheirContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		busy := &http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {"5"}}}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		start := time.Now()
		if newAttempts(Retry{Attempts: 3}, true).again(ctx, busy, nil) || time.Since(start) != 0 {
			t.Errorf("waited %v for what comes too late", time.Since(start))
		}
		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if newAttempts(Retry{Attempts: 3}, true).again(ctx, busy, nil) || time.Since(start) != time.Second {
			t.Errorf("waited %v after the end", time.Since(start))
		}
	})
}

// What is sent again is the whole request, with its body.
func TestRetry(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1)%3 != 0 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		echo(w, r)
	})
	c := Config{Method: "POST", APIURL: url, Parameters: JSON(`{"a":{"type":"string"}}`), Retry: Retry{Attempts: 3}}
	if got := mustInvoke(t, makeTool(t, c), `{"a":"b"}`).Text(); got != "POST /\nContent-Type: application/json\n\n{\"a\":\"b\"}" {
		t.Errorf("got %q", got)
	}
	c.Retry.Attempts = 2
	_, err := invoke(t, makeTool(t, c), `{"a":"b"}`)
	e := wantError(t, err, tool.KindUnavailable, true, "answered 429 Too Many Requests")
	if e.Detail["retry_after_seconds"] != 0 {
		t.Errorf("detail %v", e.Detail)
	}
	if n := calls.Load(); n != 5 {
		t.Errorf("asked %d times, want 5", n)
	}
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := &api{limiter: rate.NewLimiter(2, 1)}
		start := time.Now()
		for range 5 {
			if err := a.wait(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if waited := time.Since(start); waited != 2*time.Second {
			t.Errorf("five calls at two a second took %v, want 2s", waited)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		wantError(t, a.wait(ctx), tool.KindUnavailable, true, "leaves no turn in time")
	})
}

func TestRateLimitOfATool(t *testing.T) {
	t.Parallel()
	url := serve(t, echo)
	made := makeTool(t, Config{APIURL: url, RateLimit: RateLimit{PerSecond: 0.001, Burst: 2}, Timeout: time.Second})
	for range 2 {
		mustInvoke(t, made, `{}`)
	}
	_, err := invoke(t, made, `{}`)
	wantError(t, err, tool.KindUnavailable, true, "api: too many calls")
}

func TestCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	_, err := tool.Invoke(ctx, makeTool(t, Config{APIURL: url, Retry: Retry{Attempts: 3}}), tool.Call{Arguments: []byte(`{}`)})
	if !errors.Is(err, context.Canceled) || tool.AsError(err).Kind != tool.KindCanceled {
		t.Errorf("got %v", err)
	}
}
