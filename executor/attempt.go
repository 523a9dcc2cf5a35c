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

	crew  *crew
	index int
	ready // set when the tool is about to run

	state     state       // guarded by callContext.mu, as what follows
	until     time.Time   // when the watch answers for it; zero while it asks
	left      time.Time   // when the watch left it behind, if it did
	complaint *time.Timer // says then that the tool ignores its context
	unwatch   func() bool // for a context of the call's own

	gate  sync.RWMutex // held for reading while a report is passed on
	quiet bool         // the call has its outcome
}

// ready is what a call needs to run.
type ready struct {
	ctx     context.Context // the run's, or what the hooks made of it
	tool    tool.Tool
	call    tool.Call
	timeout time.Duration
	begun   time.Time // when the first hook was told
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
	if !a.start() {
		return true // the run has ended
	}
	var (
		r        ready
		o        outcome
		returned bool
	)
	defer func() {
		if returned {
			return
		}
		// The tool, or a hook, called runtime.Goexit, which ends this goroutine.
		o.err = &tool.Error{Kind: tool.KindExecution, Message: "The tool stopped without an answer.", Err: errGoexit}
		a.finish(r, o)
	}()
	if r, o.err = a.crew.job.prepare(a.index); o.err == nil && a.begin(r) {
		o.output, o.err = tool.Protect(&a.callContext, a.tool, a.call)
	}
	returned = true
	return a.finish(r, o)
}

// start takes the attempt from waiting. Preparing it has the executor's time too:
// it calls hooks, and a Definition that the tool's author wrote.
func (a *attempt) start() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.state != waiting {
		return false
	}
	a.state = preparing
	a.until = time.Now().Add(a.crew.executor.config.Timeout)
	return true
}

// begin starts the tool's time. It reports false if the watch has answered before.
func (a *attempt) begin(r ready) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.state != preparing {
		return false
	}
	a.state = running
	a.ready = r
	a.Context = r.ctx
	a.deadline = time.Now().Add(r.timeout)
	a.until = a.deadline
	a.inject()
	if r.ctx.Done() != a.crew.run.Done() {
		a.unwatch = context.AfterFunc(r.ctx, a.crew.lookNow)
	}
	a.crew.lookBy(a.until)
	return true
}

// inject sets what the tool may read of its host: the run's values, with this
// call's ID, a report that goes quiet once the call has its outcome, and questions
// for which its time stands still.
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
	if answer := a.runtime.Answer; answer != nil {
		a.runtime.Answer = (&standstill{attempt: a, host: answer}).ask
	}
}

// finish takes what the tool answered. It reports false if the watch has answered
// before.
func (a *attempt) finish(r ready, o outcome) bool {
	a.mu.Lock()
	if a.state == settled {
		a.mu.Unlock()
		a.returnedLate(o.err)
		return false
	}
	a.state = settled
	a.mu.Unlock()
	a.end(context.Canceled) // for contexts that the tool made of it
	a.conclude(r, o)
	return true
}

// check answers for the attempt if its time is over or its run has ended. It
// returns until when one has time that goes on.
//
// It calls nothing of the host's: an outcome is handed on in a goroutine of its
// own, so that nobody who is slow to take one holds up the others' deadlines.
func (a *attempt) check(now time.Time) (until time.Time, goesOn bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	stopped := a.crew.run.Err()
	switch a.state {
	case settled:
		return until, false
	case waiting:
		if stopped != nil {
			a.state = settled
			go a.conclude(ready{}, outcome{err: canceled(stopped)})
		}
		return until, false
	case running:
		if stopped == nil {
			stopped = a.Context.Err()
		}
	}
	switch {
	case stopped != nil:
		a.leave(now, stopped, canceled(stopped))
	case a.until.IsZero(): // it asks, and its time stands still
	case !now.Before(a.until):
		a.leave(now, context.DeadlineExceeded, &tool.Error{Kind: tool.KindTimeout, Message: fmt.Sprintf("The tool gave no answer within %v.", a.limit())})
	default:
		return a.until, true
	}
	return until, false
}

// limit is the time that the attempt had.
func (a *attempt) limit() time.Duration {
	if a.state == preparing {
		return a.crew.executor.config.Timeout
	}
	return a.timeout
}

// leave stops waiting for the tool. The goroutine that it holds is counted, and
// logged when it lasts; another takes its place. The caller holds a.mu.
func (a *attempt) leave(now time.Time, why error, answer *tool.Error) {
	a.state = settled
	a.left = now
	a.crew.executor.abandoned.Add(1)
	a.complaint = time.AfterFunc(patience, func() {
		a.log("tool ignores its context and still runs", append(a.attrs(), slog.Int("abandoned", a.crew.executor.Abandoned())))
	})
	a.endLocked(why)
	go a.crew.worker()
	go a.conclude(a.ready, outcome{err: answer})
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
func (a *attempt) conclude(r ready, o outcome) {
	defer a.crew.settled() // deferred for a hook that calls runtime.Goexit
	if a.runtime.Report != nil {
		a.gate.Lock()
		a.quiet = true
		a.gate.Unlock()
	}
	if a.unwatch != nil {
		a.unwatch()
	}
	a.crew.job.conclude(a.index, r, o)
}

func (a *attempt) attrs() []slog.Attr {
	call := a.crew.job.call(a.index)
	return []slog.Attr{slog.String("tool", clip(call.Name)), slog.String("call_id", clip(call.ID))}
}

func (a *attempt) log(message string, attrs []slog.Attr) {
	a.crew.executor.config.Logger.LogAttrs(a.crew.run, slog.LevelWarn, message, attrs...)
}

func canceled(err error) *tool.Error {
	return &tool.Error{Kind: tool.KindCanceled, Message: "The call was stopped because its run was.", Err: err}
}
