package model_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"helve/model"
	"helve/model/modeltest"
)

var busy = &model.APIError{Provider: "test", Status: 503, Message: "busy"}

func TestRetry(t *testing.T) {
	t.Parallel()
	after := func(d time.Duration) error {
		return fmt.Errorf("wrapped: %w", &model.APIError{Status: 429, RetryAfter: d})
	}
	ok := modeltest.Text("hi")
	tests := []struct {
		name     string
		turns    []modeltest.Turn
		requests int
		min, max time.Duration // how long it takes
		err      error
	}{
		{name: "no failure", turns: []modeltest.Turn{ok}, requests: 1},
		{
			name:     "two failures",
			turns:    []modeltest.Turn{modeltest.Fail(busy), modeltest.Fail(model.ErrIncomplete), ok},
			requests: 3, min: 750 * time.Millisecond, max: 2250 * time.Millisecond, // 0.5 s and 1 s, each ± half
		},
		{
			name:     "the provider says when",
			turns:    []modeltest.Turn{modeltest.Fail(after(7 * time.Second)), ok},
			requests: 2, min: 7 * time.Second, max: 7 * time.Second,
		},
		{
			name:     "the provider asks for too much",
			turns:    []modeltest.Turn{modeltest.Fail(after(time.Hour)), ok},
			requests: 2, min: 10 * time.Second, max: 10 * time.Second,
		},
		{
			name:     "too many failures",
			turns:    []modeltest.Turn{modeltest.Fail(busy), modeltest.Fail(busy), modeltest.Fail(busy), ok},
			requests: 3, min: 750 * time.Millisecond, max: 2250 * time.Millisecond, err: busy,
		},
		{
			name:     "a failure that stays",
			turns:    []modeltest.Turn{modeltest.Fail(&model.APIError{Status: 400}), ok},
			requests: 1, err: &model.APIError{},
		},
		{
			name:     "a failure after an event",
			turns:    []modeltest.Turn{{Events: []model.Event{model.ReasoningDelta("hm")}, Err: busy}, ok},
			requests: 1, err: busy,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				script := modeltest.NewScript(tt.turns...)
				client := model.Retry(script, model.RetryPolicy{MaxAttempts: 3, MaxDelay: 10 * time.Second})
				start := time.Now()
				resp, err := model.Generate(t.Context(), client, hello())
				if took := time.Since(start); took < tt.min || took > tt.max {
					t.Errorf("it took %v: want %v to %v", took, tt.min, tt.max)
				}
				if got := len(script.Requests()); got != tt.requests {
					t.Errorf("%d requests: want %d", got, tt.requests)
				}
				switch {
				case tt.err == nil && (err != nil || resp.Message.Text() != "hi"):
					t.Errorf("answer %v, error %v", resp, err)
				case tt.err != nil && !errors.As(err, new(*model.APIError)):
					t.Errorf("error %v: want the client's", err)
				}
			})
		})
	}
}

func TestRetryWhat(t *testing.T) {
	t.Parallel()
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	tests := []struct {
		err  error
		want bool
	}{
		{dial(os.NewSyscallError("connect", syscall.ECONNREFUSED)), true},
		{&net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}, true},
		{dial(&net.DNSError{IsTemporary: true}), true},
		{dial(&net.DNSError{IsNotFound: true}), false},
		{&net.OpError{Op: "remote error", Err: errors.New("tls: bad certificate")}, false},
		{io.EOF, true},
		{io.ErrUnexpectedEOF, true},
		{model.ErrIncomplete, true},
		{model.ErrTimeout, false},
		{context.DeadlineExceeded, true}, // of somebody else's context
		{&model.ArgumentsError{}, false},
		{context.Canceled, false}, // of somebody else's context
		{errors.New("who knows"), false},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			script := modeltest.NewScript(modeltest.Fail(fmt.Errorf("openai: %w", tt.err)), modeltest.Text("hi"))
			_, err := model.Generate(t.Context(), model.Retry(script, model.RetryPolicy{}), hello())
			if retried := err == nil; retried != tt.want {
				t.Errorf("%v: tried again is %v", tt.err, retried)
			}
		})
	}
}

func TestRetryDefaults(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		script := modeltest.Respond(func(*model.Request) modeltest.Turn { return modeltest.Fail(busy) })
		_, err := model.Generate(t.Context(), model.Retry(script, model.RetryPolicy{}), hello())
		if n := len(script.Requests()); n != 4 || !strings.Contains(err.Error(), "after 4 attempts") {
			t.Errorf("%d requests, error %v: want 4", n, err)
		}
	})
}

func TestRetryCanceled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		script := modeltest.NewScript(modeltest.Fail(&model.APIError{Status: 429, RetryAfter: 20 * time.Second}))
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		start := time.Now()
		_, err := model.Generate(ctx, model.Retry(script, model.RetryPolicy{}), hello())
		if took := time.Since(start); took != 5*time.Second {
			t.Errorf("it took %v: want the 5 s of the context", took)
		}
		var api *model.APIError
		if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &api) {
			t.Errorf("error %v: want that of the context and the client's", err)
		}
	})
}
