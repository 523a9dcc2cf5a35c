package executor

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"helve/tool"
)

// callContext is the context of one call: the values of its run, a runtime of its
// own, and an end that its crew decides. Contexts of the standard library cost a
// timer, a channel and the parent's lock for each call (docs/performance.md);
// this one costs them only if the tool asks.
type callContext struct {
	context.Context // of the run; for its values

	runtime tool.Runtime

	mu       sync.Mutex
	deadline time.Time     // zero while a question is open
	err      error         // nil until the end
	done     chan struct{} // nil until somebody asks
	after    []*func()     // to be called at the end
}

// Deadline implements [context.Context]. It is later after a question than before it.
func (c *callContext) Deadline() (time.Time, bool) {
	c.mu.Lock()
	deadline := c.deadline
	c.mu.Unlock()
	if run, ok := c.Context.Deadline(); ok && (deadline.IsZero() || run.Before(deadline)) {
		return run, true
	}
	return deadline, !deadline.IsZero()
}

// Done implements [context.Context].
func (c *callContext) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done == nil {
		c.done = make(chan struct{})
		if c.err != nil {
			close(c.done)
		}
	}
	return c.done
}

// Err implements [context.Context].
func (c *callContext) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Value implements [context.Context].
func (c *callContext) Value(key any) any {
	if _, ok := key.(tool.RuntimeKey); ok {
		return &c.runtime
	}
	return c.Context.Value(key)
}

// AfterFunc calls f, in a goroutine of its own, when the call has ended. Package
// context looks for this method, and without it starts a goroutine for each
// context that is made of this one.
func (c *callContext) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		go f()
		return func() bool { return false }
	}
	c.after = append(c.after, &f)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		i := slices.Index(c.after, &f)
		if i < 0 {
			return false
		}
		c.after = slices.Delete(c.after, i, i+1)
		return true
	}
}

// end ends the context, if it has not ended before.
func (c *callContext) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endLocked(err)
}

func (c *callContext) endLocked(err error) {
	if c.err != nil {
		return
	}
	c.err = err
	if c.done != nil {
		close(c.done)
	}
	for _, f := range c.after {
		go (*f)()
	}
	c.after = nil
}

// Format keeps injected values out of printed text, whatever the verb.
func (c *callContext) Format(f fmt.State, _ rune) {
	fmt.Fprintf(f, "executor.callContext(%s)", c.runtime.CallID)
}
