package executor

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"helve/tool"
)

// attempt is one call of a tool by a crew.
type attempt struct {
	callContext // what the tool gets

	crew    *crew
	index   int
	tool    tool.Tool
	call    tool.Call
	timeout time.Duration
	begun   time.Time // when the first hook was told

	state     state       // guarded by callContext.mu
	left      time.Time   // when the watch left the tool behind, if it did
	complaint *time.Timer // says then that the tool ignores its context
	unwatch   func() bool // for a context of the call's own

	gate  sync.RWMutex // held for reading while a report is passed on
	quiet bool         // the call has its outcome
}

type state int

const (
	waiting state = iota
	preparing
	running
	settled
)

// outcome is what came of an attempt.
type outcome struct {
	output tool.Result
	err    error
}

// run takes the attempt to its outcome. It reports false if the watch has left
// this goroutine behind.
func (a *attempt) run() (mine bool) {
	if !a.move(waiting, preparing) {
		return true // the run has ended
	}
	if err := a.crew.job.prepare(a, a.index); err != nil {
		a.move(preparing, settled)
		a.conclude(outcome{err: err})
		return true
	}
	a.begin()
	var o outcome
	returned := false
	defer func() {
		if returned {
			return
		}
		// The tool called runtime.Goexit, which ends this goroutine.
		o.err = &tool.Error{Kind: tool.KindExecution, Message: "The tool stopped without an answer.", Err: errGoexit}
		if a.finish(o) {
			go a.crew.worker()
		}
	}()
	o.output, o.err = tool.Protect(&a.callContext, a.tool, a.call)
	returned = true
	return a.finish(o)
}

// begin starts the call's time.
func (a *attempt) begin() {
	a.inject()
	a.deadline = time.Now().Add(a.timeout)
	if a.Context.Done() != a.crew.run.Done() {
		a.unwatch = context.AfterFunc(a.Context, a.crew.lookNow)
	}
	a.move(preparing, running)
	a.crew.lookBy(a.deadline)
}

// inject sets what the tool may read of its host: the run's values, with this
// call's ID and a report that goes quiet once the call has its outcome.
func (a *attempt) inject() {
	if host, ok := a.Context.Value(tool.RuntimeKey{}).(*tool.Runtime); ok && host != nil {
		a.runtime = *host
	}
	a.runtime.CallID = tool.CallID(a.call.ID)
	if report := a.runtime.Report; report != nil {
		a.runtime.Report = func(id tool.CallID, u tool.Update) {
			a.gate.RLock()
			defer a.gate.RUnlock()
			if !a.quiet {
				report(id, u)
			}
		}
	}
}

// finish takes what the tool answered. It reports false if the watch has answered
// before.
func (a *attempt) finish(o outcome) bool {
	if !a.move(running, settled) {
		a.returnedLate(o.err)
		return false
	}
	a.end(context.Canceled) // for contexts that the tool made of it
	a.conclude(o)
	return true
}

// check answers for the tool if its deadline has passed or its run has ended. It
// returns the deadline of a tool that may go on.
func (a *attempt) check(now time.Time) (deadline time.Time, goesOn bool) {
	stopped := a.crew.run.Err()
	switch a.now() {
	case waiting:
		if stopped != nil && a.move(waiting, settled) {
			a.conclude(outcome{err: canceled(stopped)})
		}
		return deadline, false
	case running:
		if stopped == nil {
			stopped = a.Context.Err()
		}
	default: // one that is being prepared looks for itself
		return deadline, false
	}
	switch {
	case stopped != nil:
		a.leave(now, stopped, canceled(stopped))
	case !now.Before(a.deadline):
		a.leave(now, context.DeadlineExceeded, &tool.Error{Kind: tool.KindTimeout, Message: fmt.Sprintf("The tool took longer than %v and was stopped.", a.timeout)})
	default:
		return a.deadline, true
	}
	return deadline, false
}

// leave stops waiting for the tool. The goroutine that it holds is counted, and
// logged when it lasts; another takes its place.
func (a *attempt) leave(now time.Time, why error, answer *tool.Error) {
	a.mu.Lock()
	if a.state != running {
		a.mu.Unlock()
		return
	}
	a.state = settled
	a.left = now
	a.crew.executor.abandoned.Add(1)
	a.complaint = time.AfterFunc(patience, func() {
		a.log("tool ignores its context and still runs", append(a.attrs(), slog.Int("abandoned", a.crew.executor.Abandoned())))
	})
	a.mu.Unlock()
	a.end(why)
	go a.crew.worker()
	a.conclude(outcome{err: answer})
}

// patience is how long a tool may take to return after its context has ended
// before the log says that it ignores it.
const patience = time.Second

// returnedLate settles the account of a tool that was left behind.
func (a *attempt) returnedLate(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.crew.executor.abandoned.Add(-1)
	complained := !a.complaint.Stop()
	if complained || panicked(err) {
		attrs := append(a.attrs(), slog.Duration("after", time.Since(a.left)))
		a.log("abandoned tool ended", append(attrs, errorAttrs(tool.AsError(err))...))
	}
}

// conclude hands the outcome on. Whoever moved the attempt to settled calls it.
func (a *attempt) conclude(o outcome) {
	if a.runtime.Report != nil {
		a.gate.Lock()
		a.quiet = true
		a.gate.Unlock()
	}
	if a.unwatch != nil {
		a.unwatch()
	}
	a.crew.job.conclude(a, a.index, o)
	a.crew.settled()
}

// move changes the state, if it is what it should be.
func (a *attempt) move(from, to state) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.state != from {
		return false
	}
	a.state = to
	return true
}

func (a *attempt) now() state {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.state
}

func (a *attempt) attrs() []slog.Attr {
	return []slog.Attr{slog.String("tool", clip(a.call.Name)), slog.String("call_id", clip(a.call.ID))}
}

func (a *attempt) log(message string, attrs []slog.Attr) {
	a.crew.executor.config.Logger.LogAttrs(a.Context, slog.LevelWarn, message, attrs...)
}

func canceled(err error) *tool.Error {
	return &tool.Error{Kind: tool.KindCanceled, Message: "The call was stopped because its run was.", Err: err}
}
