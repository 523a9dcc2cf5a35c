package executor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"helve/tool"
)

// batch is the calls of one answer on their way.
type batch struct {
	executor *Executor
	ctx      context.Context
	calls    []tool.Call
	allowed  int // calls that may run; those after them get an error
	results  []Result
	done     func(i int, r Result)
	byID     map[string]int // call ID → the first call that has it; nil for few calls
}

// few calls are searched faster than a map of them is made.
const few = 32

func newBatch(e *Executor, ctx context.Context, calls []tool.Call, done func(int, Result)) *batch {
	b := &batch{executor: e, ctx: ctx, calls: calls, allowed: min(len(calls), e.config.MaxCalls), results: make([]Result, len(calls)), done: done}
	if len(calls) <= few {
		return b
	}
	b.byID = make(map[string]int, len(calls))
	for i, c := range calls {
		if _, seen := b.byID[c.ID]; !seen {
			b.byID[c.ID] = i
		}
	}
	return b
}

// run runs the calls in groups: neighbours that may run together, or one that
// must run alone.
func (b *batch) run() {
	for start := 0; start < b.allowed; {
		end := start + 1
		if end < b.allowed && !b.alone(start) {
			for end < b.allowed && !b.alone(end) {
				end++
			}
		}
		b.together(start, end)
		start = end
	}
	b.answerRepeated()
	b.refuseRest()
}

// alone reports whether call i must run with no other beside it.
func (b *batch) alone(i int) (yes bool) {
	defer func() { _ = recover() }() // a Definition that panics does so again in the call, and is answered there
	t, ok := b.executor.config.Tools.Lookup(b.calls[i].Name)
	return ok && t.Definition().Sequential
}

// together runs the calls from start to end, at most MaxParallel at once.
func (b *batch) together(start, end int) {
	workers := min(end-start, b.executor.config.MaxParallel)
	if len(b.executor.config.Middleware) == 0 {
		c := crew{job: group{b, start}, executor: b.executor, run: b.ctx, attempts: make([]attempt, end-start), workers: workers}
		c.work()
		return
	}
	var all errgroup.Group
	all.SetLimit(workers)
	for i := start; i < end; i++ {
		if b.original(i) == i {
			all.Go(func() error {
				b.finish(i, b.executor.one(b.ctx, b.calls[i]))
				return nil
			})
		}
	}
	_ = all.Wait()
}

// group is the job of a crew that runs neighbours of a batch, without middleware
// around them.
type group struct {
	batch *batch
	start int
}

func (g group) call(i int) tool.Call { return g.batch.calls[g.start+i] }

func (g group) prepare(i int) (r ready, err error) {
	defer recoverInto(&err)
	call := g.call(i)
	if g.batch.original(g.start+i) != g.start+i {
		return r, errRepeated
	}
	e := g.batch.executor
	r.begun = time.Now()
	r.ctx = e.tellStart(g.batch.ctx, call)
	if err := r.ctx.Err(); err != nil {
		return r, canceled(err)
	}
	t, _ := e.config.Tools.Lookup(call.Name)
	return r, e.ready(&r, Request{Call: call, Tool: t})
}

func (g group) conclude(i int, r ready, o outcome) {
	if o.err == errRepeated {
		return
	}
	e := g.batch.executor
	if r.ctx == nil { // it never started: no hook was told
		g.batch.finish(g.start+i, e.result(g.call(i), time.Now(), o.output, o.err))
		return
	}
	result := e.result(g.call(i), r.begun, o.output, o.err)
	defer g.batch.finish(g.start+i, result) // deferred for a hook that calls runtime.Goexit
	e.tellEnd(r.ctx, result)
}

// errRepeated marks a call that does not run because an earlier one has its ID.
var errRepeated = errors.New("repeated")

// original returns the first call with the ID of call i: i itself, unless the
// model gave an ID twice. Calls without an ID are all different.
func (b *batch) original(i int) int {
	id := b.calls[i].ID
	switch {
	case id == "":
		return i
	case b.byID != nil:
		return b.byID[id]
	}
	return slices.IndexFunc(b.calls, func(c tool.Call) bool { return c.ID == id })
}

// answerRepeated gives a repeated call the result of the first, and a different
// call that took the same ID an error: the first one's result would mislead.
func (b *batch) answerRepeated() {
	for i, c := range b.calls[:b.allowed] {
		first := b.original(i)
		if first == i {
			continue
		}
		r := b.results[first]
		if r.Call.Name != c.Name || !bytes.Equal(r.Call.Arguments, c.Arguments) {
			r = Result{Err: &tool.Error{Kind: tool.KindUnavailable, Message: "Not run: another call of the same answer has the same ID. Call again."}}
		}
		r.Call = c
		b.finish(i, r)
	}
}

// refuseRest answers the calls that are too many.
func (b *batch) refuseRest() {
	if b.allowed == len(b.calls) {
		return
	}
	b.executor.config.Logger.LogAttrs(b.ctx, slog.LevelWarn, "answer has too many tool calls",
		slog.Int("calls", len(b.calls)), slog.Int("run", b.allowed))
	for i := b.allowed; i < len(b.calls); i++ {
		b.finish(i, Result{Call: b.calls[i], Err: tooMany(len(b.calls), b.allowed)})
	}
}

func (b *batch) finish(i int, r Result) {
	b.results[i] = r
	b.done(i, r)
}

func tooMany(have, allowed int) *tool.Error {
	return &tool.Error{
		Kind:    tool.KindUnavailable,
		Message: fmt.Sprintf("Not run: the answer had %d calls and at most %d run. Call again, with fewer at a time.", have, allowed),
	}
}
