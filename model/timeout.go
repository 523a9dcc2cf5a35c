package model

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"time"
)

// ErrTimeout says that an answer took longer than its [Timeouts] allow. The
// error that wraps it says which of them.
var ErrTimeout = errors.New("the model took too long")

// Timeouts bound one answer. Zero means no bound.
type Timeouts struct {
	Request time.Duration // the whole answer, with the time its consumer takes
	Idle    time.Duration // the wait for the first event and for each that follows
}

// Timeout returns a client whose answers end with [ErrTimeout] where they take
// longer than limits allow. It cancels the context that client gets, and relies
// on client to end then, as every [Client] must.
func Timeout(client Client, limits Timeouts) Client {
	if limits.Request <= 0 {
		limits.Request = forever
	}
	if limits.Idle <= 0 {
		limits.Idle = forever
	}
	return &timeout{client, limits}
}

const forever time.Duration = math.MaxInt64

type timeout struct {
	client Client
	limits Timeouts
}

func (t *timeout) Info() Info { return t.client.Info() }

func (t *timeout) Stream(ctx context.Context, req *Request) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		request := expire(cancel, t.limits.Request, "the answer was not complete after")
		defer request.Stop()
		idle := expire(cancel, t.limits.Idle, "nothing came for")
		defer idle.Stop()

		for event, err := range t.client.Stream(ctx, req) {
			idle.Stop() // the consumer's time does not count
			if cause := context.Cause(ctx); err != nil && errors.Is(cause, ErrTimeout) {
				err = cause
			}
			if !yield(event, err) || err != nil {
				return
			}
			idle.Reset(t.limits.Idle)
		}
	}
}

// expire cancels with a timeout's error after limit.
func expire(cancel context.CancelCauseFunc, limit time.Duration, what string) *time.Timer {
	return time.AfterFunc(limit, func() { cancel(fmt.Errorf("%w: %s %v", ErrTimeout, what, limit)) })
}
