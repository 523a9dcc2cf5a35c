package agent

import (
	"context"
	"slices"
	"sync"

	"helve/executor"
	"helve/model"
	"helve/tool"
)

// ahead runs calls of an answer that the model is still writing (requirement
// document 001). What the model says at last decides whether calls may run at all
// (docs/design.md, rule 8), so only calls that change nothing start before it: of
// tools that are read-only, and in a text dialect, where no native call can
// follow that would turn the markup into text. A call that has to wait makes
// those behind it wait too.
type ahead struct {
	run     *run
	parent  context.Context
	ctx     context.Context // of the calls; made with the first
	cancel  context.CancelFunc
	ids     *callIDs
	calls   []*early // the first calls of the answer, in its order
	waiting bool     // a call had to wait

	mu   sync.Mutex
	told []CallUpdate // not shown yet
	sink func(Event)  // where updates go once the answer is complete
}

// early is a call that was started before its answer was complete.
type early struct {
	call    tool.Call
	pending *executor.Pending
	shown   bool // its result
}

func (e *early) done() bool {
	select {
	case <-e.pending.Done():
		return true
	default:
		return false
	}
}

func newAhead(ctx context.Context, r *run, c CallModel) *ahead {
	a := &ahead{run: r, parent: ctx}
	a.waiting = r.agent.config.Client.Info().Dialect == "" || c.Iteration >= r.agent.config.MaxIterations
	if !a.waiting {
		a.ids = newCallIDs(r.messages, c.Iteration)
	}
	return a
}

// start runs a call if it may run already. It reports whether it does.
func (a *ahead) start(c model.ToolCall) bool {
	call := tool.Call(c)
	if a.waiting || !a.may(call) {
		a.waiting = true
		return false
	}
	if a.cancel == nil {
		a.ctx, a.cancel = context.WithCancel(a.parent)
	}
	runtime := a.run.runtime
	runtime.State.Messages = slices.Clone(a.run.messages)
	runtime.Report = a.report
	runtime.Answer = a.run.agent.answer(call)
	ctx := tool.WithRuntime(a.ctx, &runtime)
	a.calls = append(a.calls, &early{call: call, pending: a.run.agent.executor.Start(ctx, call)})
	return true
}

// may reports whether a call is harmless and within the executor's bounds.
func (a *ahead) may(call tool.Call) bool {
	x := a.run.agent.executor
	t, ok := a.run.agent.tools.Lookup(call.Name)
	if !ok || len(a.calls) >= x.MaxCalls() || a.running() >= x.MaxParallel() || a.ids.unused(call.ID) != call.ID {
		return false
	}
	d := t.Definition()
	return d.ReadOnly && !d.Sequential && x.CheckSize(call) == nil
}

func (a *ahead) running() (n int) {
	for _, e := range a.calls {
		if !e.done() {
			n++
		}
	}
	return n
}

// report takes what a running call tells.
func (a *ahead) report(id tool.CallID, u tool.Update) {
	event := CallUpdate{string(id), u}
	a.mu.Lock()
	sink := a.sink
	if sink == nil {
		a.told = append(a.told, event)
	}
	a.mu.Unlock()
	if sink != nil {
		sink(event)
	}
}

// news returns what was told since the last time. From then on it goes to sink, if
// that is not nil.
func (a *ahead) news(sink func(Event)) []CallUpdate {
	a.mu.Lock()
	defer a.mu.Unlock()
	told := a.told
	a.told, a.sink = nil, sink
	return told
}

// find returns the call of that ID, if it was started.
func (a *ahead) find(id string) *early {
	for _, e := range a.calls {
		if e.call.ID == id {
			return e
		}
	}
	return nil
}

// end ends what still runs.
func (a *ahead) end() {
	if a.cancel != nil {
		a.cancel()
	}
}

// stop ends what still runs and waits for it.
func (a *ahead) stop() {
	a.end()
	for _, e := range a.calls {
		<-e.pending.Done()
	}
}

// show passes on what calls told, the results that there are, and the text that
// waited for them.
func (a *ahead) show() bool {
	var over []int
	for i, e := range a.calls {
		if !e.shown && e.done() {
			over = append(over, i)
		}
	}
	if len(a.calls) > 0 { // what a call told comes before its result
		for _, u := range a.news(nil) {
			if !a.run.yield(u, nil) {
				return false
			}
		}
	}
	for _, i := range over {
		a.calls[i].shown = true
		if !a.run.yield(callFinished(a.calls[i].pending.Result()), nil) || !a.run.showFinished(i) {
			return false
		}
	}
	return true
}
