package executor

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

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

// together runs the calls from start to end, at most MaxParallel at once. The
// caller's goroutine is the first worker, and each worker starts the next one
// before its first call: calls that return at once need few.
func (b *batch) together(start, end int) {
	if end == start+1 {
		b.call(start)
		return
	}
	var (
		next    atomic.Int64 // the call to take
		workers atomic.Int64
		others  sync.WaitGroup
		work    func()
	)
	next.Store(int64(start))
	take := func() int { return int(next.Add(1)) - 1 }
	work = func() {
		i := take()
		if i < end-1 && int(workers.Add(1)) < b.executor.config.MaxParallel {
			others.Go(work)
		}
		for ; i < end; i = take() {
			b.call(i)
		}
	}
	work()
	others.Wait()
}

// call runs call i, unless an earlier one has its ID (DESIGN.md section 4, rule
// 10).
func (b *batch) call(i int) {
	if b.original(i) == i {
		b.finish(i, b.executor.one(b.ctx, b.calls[i]))
	}
}

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
