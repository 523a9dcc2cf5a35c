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
	ctx     context.Context
	cancel  context.CancelFunc
	ids     *callIDs
	calls   []*early // the first calls of the answer, in its order
	waiting bool     // a call had to wait

	mu   sync.Mutex
	told []CallUpdate       // not shown yet
	sink func(update Event) // where updates go once the answer is complete
}

// early is a call that was started before its answer was complete.
type early struct {
	call    tool.Call
	pending *executor.Pending
	shown   bool // its result
}

// maxAhead bounds how many calls run at once while the model writes.
const maxAhead = 16

func newAhead(ctx context.Context, r *run, c CallModel) *ahead {
	a := &ahead{run: r}
	a.waiting = r.agent.config.Client.Info().Dialect == "" || c.Iteration >= r.agent.config.MaxIterations
	if !a.waiting {
		a.ids = newCallIDs(r.messages, c.Iteration)
		a.ctx, a.cancel = context.WithCancel(ctx)
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
	runtime := a.run.runtime
	runtime.State.Messages = slices.Clone(a.run.messages)
	runtime.Report = a.report
	ctx := tool.WithRuntime(a.ctx, &runtime)
	a.calls = append(a.calls, &early{call: call, pending: a.run.agent.executor.Start(ctx, call)})
	return true
}

func (a *ahead) may(call tool.Call) bool {
	t, ok := a.run.agent.tools.Lookup(call.Name)
	if !ok || len(a.calls) >= maxAhead || a.ids.unused(call.ID) != call.ID {
		return false
	}
	d := t.Definition()
	return d.ReadOnly && !d.Sequential && a.run.agent.executor.CheckSize(call) == nil
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

// news returns what was told since the last time.
func (a *ahead) news() []CallUpdate {
	a.mu.Lock()
	defer a.mu.Unlock()
	told := a.told
	a.told = nil
	return told
}

// redirect sends what is told from now on to sink, and returns what was told
// before.
func (a *ahead) redirect(sink func(Event)) []CallUpdate {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sink = sink
	told := a.told
	a.told = nil
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

// stop ends what still runs and waits for it.
func (a *ahead) stop() {
	a.cancelIfAny()
	for _, e := range a.calls {
		<-e.pending.Done()
	}
}

// cancelIfAny ends what still runs.
func (a *ahead) cancelIfAny() {
	if a.cancel != nil {
		a.cancel()
	}
}

// show passes on what calls told while the model writes, and the text that waited
// for their results.
func (a *ahead) show() bool {
	if len(a.calls) == 0 {
		return true
	}
	for _, u := range a.news() {
		if !a.run.yield(u, nil) {
			return false
		}
	}
	for i, e := range a.calls {
		select {
		case <-e.pending.Done():
		default:
			continue
		}
		if e.shown {
			continue
		}
		e.shown = true
		if !a.run.yield(callFinished(e.pending.Result()), nil) || !a.run.showFinished(i) {
			return false
		}
	}
	return true
}
