package remote

import (
	"context"
	"sync"
)

// Outcome is what became of the requests that were sent with one context. It is
// safe for concurrent use.
type Outcome struct {
	mu            sync.Mutex
	tries, notRun int
	err           *RequestError
}

type outcomeKey struct{}

// Watch returns a context for one call of a tool, and what will be known of it. The
// SDK hands the context of a call on to its requests, and loses many of their errors.
func Watch(ctx context.Context) (context.Context, *Outcome) {
	o := &Outcome{}
	return context.WithValue(ctx, outcomeKey{}, o), o
}

func watched(ctx context.Context) *Outcome {
	o, _ := ctx.Value(outcomeKey{}).(*Outcome)
	return o
}

// NotRun says, once the call has returned, that the server did not act on it, for
// certain: nothing was sent, or each request failed before it was written, or was
// refused. A call in several rounds that got as far as its second did run.
func (o *Outcome) NotRun() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.tries == o.notRun
}

// Err is the last failure, or nil. It is not for calls that were canceled.
func (o *Outcome) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		return nil
	}
	return o.err
}

func (o *Outcome) begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tries++
}

func (o *Outcome) didNotRun() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.notRun++
}

func (o *Outcome) failed(err *RequestError) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.err = err
}
