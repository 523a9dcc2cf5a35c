package executor

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"helve/tool"
)

// attempt is one call of a tool, in a goroutine of its own, so that the caller
// can leave it behind.
type attempt struct {
	executor *Executor
	tool     tool.Tool
	call     tool.Call
	runtime  tool.Runtime
	ctx      context.Context    // the run's, until the deadline
	cancel   context.CancelFunc // ends ctx, which wakes the caller

	// What the tool answered. The goroutine sets it before over; the caller reads
	// it only if it did not leave.
	result tool.Result
	err    error // nil or a *tool.Error
	late   bool  // ctx had ended when the tool returned

	mu        sync.RWMutex // held for reading while a report is passed on
	over      bool         // the tool has returned, or the caller has left
	left      time.Time    // when the caller left, if it did
	complaint *time.Timer  // says that the tool ignores its context
}

// withDeadline calls the tool and returns when it does, when timeout has passed
// or when the run has ended, whatever the tool is up to.
func (e *Executor) withDeadline(ctx context.Context, req Request, timeout time.Duration) (tool.Result, error) {
	a := &attempt{executor: e, tool: req.Tool, call: req.Call}
	a.ctx, a.cancel = context.WithTimeout(ctx, timeout)
	go a.run(a.inject())

	<-a.ctx.Done()
	if a.leave() {
		return tool.Result{}, ended(ctx, timeout, nil)
	}
	if a.err != nil && a.late {
		return tool.Result{}, ended(ctx, timeout, a.err)
	}
	return a.result, a.err
}

func (a *attempt) run(ctx context.Context) {
	growStack()
	returned := false
	defer func() { a.end(returned) }() // deferred for a tool that calls runtime.Goexit
	a.result, a.err = tool.Protect(ctx, a.tool, a.call)
	returned = true
}

// growStack makes room for what most tools need, encoding/json above all. A
// goroutine starts with 2 KiB, and to grow from there under a deep stack, twice,
// took up to half the time of a call (docs/performance.md).
//
//go:noinline
func growStack() {
	var room [5 << 10]byte
	runtime.KeepAlive(&room)
}

// inject returns the tool's context. It carries the host's values, with this
// call's ID and a report that goes quiet once the call is over.
func (a *attempt) inject() context.Context {
	a.runtime = *tool.RuntimeFrom(a.ctx)
	a.runtime.CallID = tool.CallID(a.call.ID)
	if report := a.runtime.Report; report != nil {
		a.runtime.Report = func(id tool.CallID, u tool.Update) {
			a.mu.RLock()
			defer a.mu.RUnlock()
			if !a.over {
				report(id, u)
			}
		}
	}
	return tool.WithRuntime(a.ctx, &a.runtime)
}

// end wakes the caller or, if it has left, settles the account.
func (a *attempt) end(returned bool) {
	if !returned {
		a.err = &tool.Error{Kind: tool.KindExecution, Message: "The tool stopped without an answer.", Err: errGoexit}
	}
	a.late = a.ctx.Err() != nil
	a.mu.Lock()
	a.over = true
	a.mu.Unlock()
	a.cancel()
	if a.left.IsZero() {
		return
	}
	a.executor.abandoned.Add(-1)
	complained := !a.complaint.Stop()
	if complained || panicked(a.err) {
		attrs := append(a.attrs(), slog.Duration("after", time.Since(a.left)))
		a.log("abandoned tool ended", append(attrs, errorAttrs(tool.AsError(a.err))...))
	}
}

// patience is how long a tool may take to return after its context has ended
// before the log says that it ignores it.
const patience = time.Second

// leave stops waiting for a tool that has not returned. The goroutine that it
// holds is counted, and logged when it lasts. It reports false if the tool
// returned after all.
func (a *attempt) leave() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over {
		return false
	}
	a.over = true
	a.left = time.Now()
	a.executor.abandoned.Add(1)
	a.complaint = time.AfterFunc(patience, func() {
		a.log("tool ignores its context and still runs", append(a.attrs(), slog.Int("abandoned", a.executor.Abandoned())))
	})
	return true
}

func (a *attempt) attrs() []slog.Attr {
	return []slog.Attr{slog.String("tool", clip(a.call.Name)), slog.String("call_id", clip(a.call.ID))}
}

func (a *attempt) log(message string, attrs []slog.Attr) {
	a.executor.config.Logger.LogAttrs(a.ctx, slog.LevelWarn, message, attrs...)
}

// ended is the error for a call whose context ended: the run was stopped, or the
// deadline passed.
func ended(run context.Context, timeout time.Duration, cause error) *tool.Error {
	if err := run.Err(); err != nil {
		return canceled(err)
	}
	return &tool.Error{Kind: tool.KindTimeout, Message: fmt.Sprintf("The tool took longer than %v and was stopped.", timeout), Err: cause}
}

func canceled(err error) *tool.Error {
	return &tool.Error{Kind: tool.KindCanceled, Message: "The call was stopped because its run was.", Err: err}
}
