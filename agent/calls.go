package agent

import (
	"context"
	"slices"
	"sync"

	"helve/executor"
	"helve/message"
	"helve/tool"
)

// runCalls runs those calls of an answer that have no result yet, and saves each
// result as soon as it exists.
func (r *run) runCalls(ctx context.Context, c RunCalls) (Command, error) {
	pending, calls := r.pending(c)
	for _, call := range calls {
		if r.started(call) != nil {
			continue
		}
		if !r.yield(CallStarted{call}, nil) {
			return nil, errStopped
		}
	}
	if err := r.execute(ctx, c, pending, calls); err != nil {
		return nil, err
	}
	if r.ahead != nil {
		r.ahead.end()
	}
	if !r.showText(r.later.rest()) {
		return nil, errStopped
	}
	failed := 0
	for _, call := range c.Calls {
		if result, _ := r.messages[call.Place].ToolResult(); result.IsError {
			failed++
		}
	}
	next := r.loop
	command := next.Step(CallsFinished{Failed: failed})
	return command, r.save(ctx, 0, nil, next)
}

// pending returns the calls without a result, as the loop and as the executor
// know them.
func (r *run) pending(c RunCalls) (pending []Call, calls []tool.Call) {
	inAnswer := r.messages[c.Answer].ToolCalls()
	for i, call := range c.Calls {
		if !r.filled(call.Place) {
			pending = append(pending, call)
			calls = append(calls, tool.Call(inAnswer[i]))
		}
	}
	return pending, calls
}

// execute runs calls and passes on what they tell. The executor works in a
// goroutine of its own; this one alone touches the session and yields events.
func (r *run) execute(ctx context.Context, c RunCalls, pending []Call, calls []tool.Call) error {
	if len(calls) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	happened, over := make(chan any), make(chan struct{})
	working := false
	defer func() { // also when the caller's loop panics: the goroutine below must not be left behind
		cancel()
		if !working {
			close(over)
		}
		drain(happened, over, func(any) {})
	}()
	tell := func(update Event) {
		select {
		case happened <- update:
		case <-over: // from a goroutine that a middleware left behind
		}
	}
	runtime := r.runtime
	runtime.State.Messages = slices.Clone(r.messages[:c.Answer])
	runtime.Report = func(id tool.CallID, u tool.Update) { tell(CallUpdate{string(id), u}) }
	runtime.Answer = r.agent.answer(calls...)
	if r.ahead != nil {
		defer context.AfterFunc(ctx, r.ahead.end)()
		for _, u := range r.ahead.news(tell) { // newer ones wait for what follows
			if !r.yield(u, nil) {
				return errStopped
			}
		}
	}
	working = true
	go func() {
		defer close(over)
		r.executeRest(tool.WithRuntime(ctx, &runtime), c, pending, calls, happened)
	}()

	var failure error // the first; from then on results are saved and nothing is shown
	drain(happened, over, func(h any) {
		if err := r.take(ctx, h, failure == nil); err != nil && failure == nil {
			failure = err
			cancel()
		}
	})
	return failure
}

// executeRest runs the calls that were not started early, waits for those that
// were, and tells of each result.
func (r *run) executeRest(ctx context.Context, c RunCalls, pending []Call, calls []tool.Call, happened chan<- any) {
	var early sync.WaitGroup
	running := 0
	var rest []tool.Call
	var places []Call
	for i, call := range calls {
		e := r.started(call)
		if e == nil {
			rest = append(rest, call)
			places = append(places, pending[i])
			continue
		}
		if !e.done() {
			running++
		}
		early.Go(func() { happened <- finished{pending[i], pending[i].Place - c.Answer - 1, e.pending.Result(), e.shown} })
	}
	if running+len(rest) > r.agent.executor.MaxParallel() || slices.ContainsFunc(rest, r.sequential) {
		early.Wait()
	}
	r.agent.executor.ExecuteRest(ctx, len(calls)-len(rest), rest, func(i int, result executor.Result) {
		happened <- finished{places[i], places[i].Place - c.Answer - 1, result, false}
	})
	early.Wait()
}

func (r *run) sequential(call tool.Call) bool {
	t, ok := r.agent.tools.Lookup(call.Name)
	return ok && t.Definition().Sequential
}

// started returns the call if it was started early.
func (r *run) started(call tool.Call) *early {
	if r.ahead == nil {
		return nil
	}
	return r.ahead.find(call.ID)
}

// drain takes what happens until it is over.
func drain(happened <-chan any, over <-chan struct{}, take func(any)) {
	for {
		select {
		case h := <-happened:
			take(h)
		case <-over:
			return
		}
	}
}

type finished struct {
	call   Call
	index  int // among the calls of its answer
	result executor.Result
	shown  bool // it was shown already
}

// take deals with one thing that calls told: it saves a result, and shows what
// it took.
func (r *run) take(ctx context.Context, h any, show bool) error {
	var event Event
	switch h := h.(type) {
	case CallUpdate:
		event = h
	case finished:
		if h.result.Err != nil && h.result.Err.Kind == tool.KindCanceled && ctx.Err() != nil {
			return ctx.Err() // stopped with its run: it gets no result, and resuming runs it again
		}
		if err := r.put(ctx, h.call.Place, []message.Message{h.result.Message()}, nil); err != nil {
			return err
		}
		if show = show && !h.shown; show {
			if !r.yield(callFinished(h.result), nil) || !r.showFinished(h.index) {
				return errStopped
			}
		}
		return nil
	}
	if show && !r.yield(event, nil) {
		return errStopped
	}
	return nil
}

func callFinished(r executor.Result) CallFinished {
	answer, _ := r.Message().ToolResult()
	return CallFinished{Call: r.Call, Result: r.Output, Err: r.Err, Content: answer.Content, Duration: r.Duration}
}
