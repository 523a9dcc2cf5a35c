package remote

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// Outcome is what became of the requests that were sent with one context. It is
// safe for concurrent use.
type Outcome struct {
	mu       sync.Mutex
	maybeRun int // requests of which it isn't certain that they did not run
	err      *RequestError

	streams int    // event streams that are open
	ended   func() // to be called when none is; nil before Release
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
	return o.maybeRun == 0
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

// Release calls cancel when the streams of a call that was answered have ended, and in a
// second at the latest. A stream is over in a moment, and if it were cut off, the next
// call would have to make a new connection.
func (o *Outcome) Release(cancel func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.streams == 0 {
		cancel()
		return
	}
	late := time.AfterFunc(lastOfAnswer, cancel)
	o.ended = func() { late.Stop(); cancel() }
}

// lastOfAnswer is how long a server may take to end the stream of an answer that has come.
const lastOfAnswer = time.Second

func (o *Outcome) streamBegins() {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.streams++
}

func (o *Outcome) streamEnds() {
	if o == nil {
		return
	}
	o.mu.Lock()
	ended := o.ended
	if o.streams--; o.streams > 0 {
		ended = nil
	}
	o.mu.Unlock()
	if ended != nil {
		ended()
	}
}

// outcome is nil for what is no call, such as the notification that a call was
// canceled, which has the call's context. The methods below take nil.
func (s summary) outcome(req *http.Request) *Outcome {
	if !s.call {
		return nil
	}
	return watched(req.Context())
}

func (o *Outcome) begin() {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.maybeRun++
}

func (o *Outcome) didNotRun() {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.maybeRun--
}

func (o *Outcome) failed(err *RequestError) {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.err = err
}
