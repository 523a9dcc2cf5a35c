package executor

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"helve/tool"
)

// one takes a call through the middleware to a result.
func (e *Executor) one(ctx context.Context, call tool.Call) Result {
	start := time.Now()
	ctx = e.tellStart(ctx, call)
	output, err := e.handle(ctx, call)
	return e.tellEnd(ctx, call, start, output, err)
}

func (e *Executor) tellStart(ctx context.Context, call tool.Call) context.Context {
	for _, h := range e.hooks {
		ctx = e.hookStart(ctx, h, call)
	}
	return ctx
}

// tellEnd makes a result of what came of a call, and tells the hooks.
func (e *Executor) tellEnd(ctx context.Context, call tool.Call, start time.Time, output tool.Result, err error) Result {
	result := Result{Call: call, Duration: time.Since(start)}
	if err != nil {
		result.Err = limitError(tool.AsError(err))
	} else {
		result.Output = limitResult(output, e.config.MaxResult)
	}
	report := Report{Call: call, Duration: result.Duration, Err: result.Err, Size: size(result.Output.Content)}
	for _, h := range e.hooks {
		e.hookEnd(ctx, h, report)
	}
	return result
}

// hookStart and hookEnd keep the call from a hook that panics: who only watches
// must not break what it watches.
func (e *Executor) hookStart(ctx context.Context, h Hook, call tool.Call) (inner context.Context) {
	defer e.recoverHook(ctx, call)
	inner = ctx
	if started := h.Start(ctx, call); started != nil {
		inner = started
	}
	return inner
}

func (e *Executor) hookEnd(ctx context.Context, h Hook, report Report) {
	defer e.recoverHook(ctx, report.Call)
	h.End(ctx, report)
}

func (e *Executor) recoverHook(ctx context.Context, call tool.Call) {
	if v := recover(); v != nil {
		e.config.Logger.LogAttrs(ctx, slog.LevelError, "hook panicked",
			slog.String("tool", clip(call.Name)), slog.String("call_id", clip(call.ID)),
			slog.String("cause", (&tool.PanicError{Value: v, Stack: debug.Stack()}).Error()))
	}
}

// handle runs the middleware and, inside it, the tool.
func (e *Executor) handle(ctx context.Context, call tool.Call) (output tool.Result, err error) {
	defer recoverInto(&err)
	if err := ctx.Err(); err != nil {
		return tool.Result{}, canceled(err)
	}
	t, _ := e.config.Tools.Lookup(call.Name)
	return e.handler(ctx, Request{Call: call, Tool: t})
}

// recoverInto makes an error of a panic in what is around a tool: a middleware,
// or a Definition.
func recoverInto(err *error) {
	if v := recover(); v != nil {
		*err = &tool.Error{Kind: tool.KindExecution, Message: "The call failed unexpectedly.", Err: &tool.PanicError{Value: v, Stack: debug.Stack()}}
	}
}

// invoke is the innermost handler: a crew of one.
func (e *Executor) invoke(ctx context.Context, req Request) (tool.Result, error) {
	var call oneCall
	if err := e.ready(&req, &call.timeout); err != nil {
		return tool.Result{}, err
	}
	call.request = req
	c := crew{job: &call, executor: e, run: ctx, attempts: make([]attempt, 1), workers: 1}
	c.work()
	return call.outcome.output, call.outcome.err
}

// oneCall is the job of a crew that has a single call, which is ready.
type oneCall struct {
	request Request
	timeout time.Duration
	outcome outcome
}

func (o *oneCall) prepare(a *attempt, _ int) error {
	a.Context, a.tool, a.call, a.timeout = a.crew.run, o.request.Tool, o.request.Call, o.timeout
	return nil
}

func (o *oneCall) conclude(_ *attempt, _ int, outcome outcome) { o.outcome = outcome }

// ready checks a request and makes its arguments what the tool wants.
func (e *Executor) ready(req *Request, timeout *time.Duration) error {
	if req.Tool == nil {
		return e.config.Tools.NotFound(req.Call.Name)
	}
	if n, most := len(req.Call.Arguments), e.config.MaxArguments; n > most {
		return &tool.Error{
			Kind:    tool.KindInvalidParameters,
			Message: fmt.Sprintf("Invalid parameters for %s: they are %d bytes long and at most %d are allowed.", req.Call.Name, n, most),
		}
	}
	definition := req.Tool.Definition()
	args, err := tool.Prepare(definition, req.Call.Arguments)
	if err != nil {
		return err
	}
	req.Call.Arguments = args
	*timeout = orDefault(definition.Timeout, e.config.Timeout)
	return nil
}
