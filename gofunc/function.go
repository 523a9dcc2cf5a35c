package gofunc

import (
	"context"
	"sync"

	"helve/gofunc/internal/wire"
	"helve/message"
	"helve/tool"
)

// function is a tool whose code is in another program.
type function struct {
	definition tool.Definition
	program    *program
	users      int // loads that returned it and did not close it; source's lock

	mu     sync.Mutex
	closed bool
	calls  sync.WaitGroup
}

func (f *function) Definition() tool.Definition { return f.definition }

// Call sends the call to the program, which is started if it does not run.
func (f *function) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	if !f.enter() {
		return tool.Result{}, errClosed
	}
	defer f.calls.Done()
	rt := tool.RuntimeFrom(ctx)
	p, err := f.program.running()
	if err != nil {
		return tool.Result{}, err
	}
	c, err := p.begin(rt, wire.Frame{
		Kind: wire.Call, Tool: f.definition.Name, CallID: call.ID, Arguments: call.Arguments,
		Messages: rt.State.Messages, Values: rt.State.Values, Config: rt.Config,
	})
	if err != nil {
		return tool.Result{}, err
	}
	defer p.forget(c)
	select {
	case answer := <-c.answer:
		return c.result(answer)
	case <-p.ended:
		select {
		case answer := <-c.answer: // it came with the last breath
			return c.result(answer)
		default:
			return tool.Result{}, p.lost()
		}
	case <-ctx.Done():
		p.forget(c) // first: what the function asks for once it knows is refused
		p.send(wire.Frame{Kind: wire.Cancel, ID: c.id})
		return tool.Result{}, ctx.Err()
	}
}

// result reads what a call gave back.
func (c *pending) result(f wire.Frame) (tool.Result, error) {
	var r tool.Result
	if len(f.Artifact) > 0 {
		r.Artifact = f.Artifact
	}
	if f.Error != nil {
		return r, c.failure(f.Error)
	}
	content, err := message.UnmarshalParts(f.Content)
	if err != nil {
		return r, &tool.Error{Kind: tool.KindExecution, Message: "The tool's result can't be read.", Err: err}
	}
	r.Content = content
	return r, nil
}

// failure puts the error of a call together again. If it is what the host itself said
// when the call asked, the host finds its own error in it.
func (c *pending) failure(w *wire.Error) *tool.Error {
	e := w.Tool()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fault.err != nil && c.fault.n == w.Of {
		e.Err = &returned{w.Cause, c.fault.err}
	}
	return e
}

// enter counts a call, unless the tool is closed.
func (f *function) enter() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.calls.Add(1)
	}
	return !f.closed
}

// Close gives back what one Load returned. The last one to do so waits for the calls
// that run, and ends the program if no other tool needs it.
func (f *function) Close() error {
	if !f.program.source.release(f) {
		return nil
	}
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.calls.Wait()
	if f.program.source.idle(f.program) {
		f.program.close()
	}
	return nil
}

// pending is a call that was sent and has no answer yet.
type pending struct {
	id     uint64
	rt     *tool.Runtime
	ctx    context.Context // of what the call asks the host for
	stop   context.CancelFunc
	answer chan wire.Frame

	mu    sync.Mutex
	asks  map[uint64]context.CancelFunc // what the host was asked and has not answered, by its N
	fault hostFault                     // the last
}

// hostFault is an error of the host, and the N of what it was asked.
type hostFault struct {
	n   uint64
	err error
}

// returned is the cause of a call's error, as the call tells it, that wraps the host's.
type returned struct {
	text string
	host error
}

func (r *returned) Error() string { return r.text }
func (r *returned) Unwrap() error { return r.host }

// update passes on what a running call tells.
func (c *pending) update(f wire.Frame) {
	switch {
	case f.Progress != nil:
		c.rt.Progress(f.Progress.Done, f.Progress.Total, f.Progress.Note)
	case len(f.Output) > 0:
		if parts, err := message.UnmarshalParts(f.Output); err == nil {
			c.rt.Output(parts...)
		}
	case f.Name != "":
		c.rt.Callback(f.Name, f.Data)
	}
}

// ask asks the host for a call. c is nil where the call is over.
func (c *pending) ask(ctx context.Context, a wire.Ask) *wire.Ask {
	answer := wire.Ask{N: a.N, Fault: "the call is over"}
	if c == nil {
		return &answer
	}
	answer, err := a.Do(ctx, c.rt)
	if err != nil {
		c.mu.Lock()
		c.fault = hostFault{a.N, err}
		c.mu.Unlock()
	}
	return &answer
}

// wants returns the context of what the call asks as n, and what ends that.
func (c *pending) wants(n uint64) (context.Context, func()) {
	if c == nil {
		return context.Background(), func() {}
	}
	ctx, cancel := context.WithCancel(c.ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asks == nil {
		c.asks = map[uint64]context.CancelFunc{}
	}
	c.asks[n] = cancel
	return ctx, func() { c.drop(n) }
}

// drop ends what the call asked as n: nobody waits for the answer any more.
func (c *pending) drop(n uint64) {
	c.mu.Lock()
	cancel := c.asks[n]
	delete(c.asks, n)
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}
