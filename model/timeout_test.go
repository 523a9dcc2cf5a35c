package model_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"helve/model"
	"helve/model/modeltest"
)

// slow answers with n events, each of which takes gap, and then a finish.
type slow struct {
	n   int
	gap time.Duration
}

func (slow) Info() model.Info { return model.Info{Model: "slow"} }

func (s slow) Stream(ctx context.Context, _ *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		for range s.n {
			select {
			case <-time.After(s.gap):
			case <-ctx.Done():
				yield(nil, ctx.Err())
				return
			}
			if !yield(model.TextDelta("x"), nil) {
				return
			}
		}
		yield(model.Finish{Reason: model.FinishStop}, nil)
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		client model.Client
		limits model.Timeouts
		text   string
		took   time.Duration
		err    string // "" means none
	}{
		{"none", slow{100, time.Hour}, model.Timeouts{}, strings.Repeat("x", 100), 100 * time.Hour, ""},
		{"both kept", slow{5, time.Second}, model.Timeouts{Request: time.Minute, Idle: 2 * time.Second}, "xxxxx", 5 * time.Second, ""},
		{"nothing comes at first", slow{1, time.Minute}, model.Timeouts{Idle: 30 * time.Second}, "", 30 * time.Second, "nothing came for 30s"},
		{"nothing comes any more", modeltest.NewScript(modeltest.Turn{Events: []model.Event{model.TextDelta("x")}, Stall: true}),
			model.Timeouts{Request: time.Hour, Idle: time.Minute}, "x", time.Minute, "nothing came for 1m0s"},
		{"it goes on and on", slow{1000, time.Second}, model.Timeouts{Request: 3500 * time.Millisecond, Idle: 2 * time.Second}, "xxx", 3500 * time.Millisecond, "not complete after 3.5s"},
		{"another error", modeltest.NewScript(modeltest.Fail(busy)), model.Timeouts{Request: time.Second}, "", 0, "busy"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				resp, err := model.Generate(t.Context(), model.Timeout(tt.client, tt.limits), hello())
				if took := time.Since(start); took != tt.took {
					t.Errorf("it took %v: want %v", took, tt.took)
				}
				if got := resp.Message.Text(); got != tt.text {
					t.Errorf("text %q: want %q", got, tt.text)
				}
				if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
					t.Errorf("error %v: want %q", err, tt.err)
				}
				if timedOut := tt.err != "" && tt.err != "busy"; errors.Is(err, model.ErrTimeout) != timedOut {
					t.Errorf("error %v: is ErrTimeout is %v", err, !timedOut)
				}
			})
		})
	}
}

// TestTimeoutConsumer checks that a slow consumer does not make the answer idle.
func TestTimeoutConsumer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := model.Timeout(slow{3, time.Second}, model.Timeouts{Idle: 2 * time.Second})
		for _, err := range client.Stream(t.Context(), hello()) {
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
		}
	})
}

// TestTimeoutOfCaller checks that the caller's own deadline stays its own.
func TestTimeoutOfCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := model.Generate(ctx, model.Timeout(slow{1, time.Hour}, model.Timeouts{Idle: time.Minute}), hello())
		if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, model.ErrTimeout) {
			t.Errorf("error %v: want the context's", err)
		}
	})
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		script := modeltest.Respond(func(*model.Request) modeltest.Turn { return modeltest.Text("hi") })
		client := model.RateLimit(script, rate.NewLimiter(rate.Every(10*time.Second), 2))
		start := time.Now()
		for i, want := range []time.Duration{0, 0, 10 * time.Second, 20 * time.Second} {
			if _, err := model.Generate(t.Context(), client, hello()); err != nil {
				t.Fatal(err)
			}
			if got := time.Since(start); got != want {
				t.Errorf("answer %d after %v: want %v", i, got, want)
			}
		}

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := model.Generate(ctx, client, hello()); err == nil {
			t.Error("no error from a wait that outlasts the deadline")
		}
		cancel()
		if _, err := model.Generate(ctx, client, hello()); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v: want context.Canceled", err)
		}
		if n := len(script.Requests()); n != 4 {
			t.Errorf("%d requests: want 4", n)
		}
	})
}
