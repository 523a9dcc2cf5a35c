package executor

import (
	"context"
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"helve/tool"
)

// crew runs tools in goroutines that it can leave behind. Its workers take one
// attempt after the other; the goroutine that called work watches, and answers
// for a tool that does not keep to its deadline. So a call costs no goroutine,
// timer or channel of its own, and no tool can hold up another's result.
type crew struct {
	job      job
	executor *Executor
	run      context.Context
	attempts []attempt
	workers  int // at most, at once

	next    atomic.Int64  // the attempt to take
	started atomic.Int64  // workers
	open    atomic.Int64  // attempts without an outcome
	wake    atomic.Int64  // when the watch looks next, in Unix nanoseconds
	nudge   chan struct{} // makes it look now
}

// job is what a crew works on. Its methods are called by many goroutines.
type job interface {
	// call returns call i as the model made it.
	call(i int) tool.Call
	// prepare readies call i. An error is its outcome.
	prepare(i int) (ready, error)
	// conclude takes the outcome of call i, with what prepare returned if the tool
	// was to run. It is called once, and may block.
	conclude(i int, r ready, o outcome)
}

// work returns when every attempt has its outcome.
func (c *crew) work() {
	c.nudge = make(chan struct{}, 1)
	c.open.Store(int64(len(c.attempts)))
	for i := range c.attempts {
		c.attempts[i].crew, c.attempts[i].index = c, i
	}
	timer := time.NewTimer(c.executor.config.Timeout)
	defer timer.Stop()
	c.wake.Store(time.Now().Add(c.executor.config.Timeout).UnixNano())
	c.started.Store(1)
	go c.worker()
	c.watch(timer)
}

// worker runs attempts until there are no more, or until the watch leaves it
// behind and puts another in its place. It starts the next worker before its
// first attempt: tools that return at once need few.
func (c *crew) worker() {
	growStack()
	done := false
	defer func() {
		if !done { // a tool or a hook called runtime.Goexit
			go c.worker()
		}
	}()
	for first := true; ; {
		i := int(c.next.Add(1)) - 1
		if i >= len(c.attempts) {
			break
		}
		if first && i+1 < len(c.attempts) && int(c.started.Add(1)) <= c.workers {
			go c.worker()
		}
		first = false
		if !c.attempts[i].run() {
			break
		}
	}
	done = true
}

// growStack makes room for what most tools need. A goroutine starts with 2 KiB,
// and to grow from there under a deep stack, twice, took up to half the time of a
// call (docs/performance.md).
//
//go:noinline
func growStack() {
	var room [5 << 10]byte
	runtime.KeepAlive(&room)
}

// watch looks after the attempts when a deadline may have passed, and when a run
// has ended.
func (c *crew) watch(timer *time.Timer) {
	ended := c.run.Done()
	for {
		select {
		case <-c.nudge:
			if c.open.Load() == 0 {
				return
			}
		case <-timer.C:
		case <-ended:
			ended = nil
		}
		c.wake.Store(math.MaxInt64) // an attempt that begins from here on nudges
		now := time.Now()
		soonest := now.Add(c.executor.config.Timeout)
		for i := range c.attempts {
			if until, goesOn := c.attempts[i].check(now); goesOn && until.Before(soonest) {
				soonest = until
			}
		}
		c.wake.Store(soonest.UnixNano())
		timer.Reset(soonest.Sub(now))
	}
}

// lookBy makes the watch look no later than deadline.
func (c *crew) lookBy(deadline time.Time) {
	if deadline.UnixNano() < c.wake.Load() {
		c.lookNow()
	}
}

func (c *crew) lookNow() {
	select {
	case c.nudge <- struct{}{}:
	default: // it will look
	}
}

// settled counts an outcome. The last ends the watch.
func (c *crew) settled() {
	if c.open.Add(-1) == 0 {
		c.lookNow()
	}
}
