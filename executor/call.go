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
	r := e.result(call, start, output, err)
	e.tellEnd(ctx, r)
	return r
}

func (e *Executor) tellStart(ctx context.Context, call tool.Call) context.Context {
	for _, h := range e.hooks {
		ctx = e.hookStart(ctx, h, call)
	}
	return ctx
}

// result is what came of a call, within its bounds.
func (e *Executor) result(call tool.Call, start time.Time, output tool.Result, err error) Result {
	r := Result{Call: call, Duration: time.Since(start)}
	if err != nil {
		r.Err = limitError(tool.AsError(err))
		r.Output.Artifact = output.Artifact // the host's, whatever the model is told
	} else {
		r.Output = limitResult(output, e.config.MaxResult)
	}
	return r
}

func (e *Executor) tellEnd(ctx context.Context, r Result) {
	report := Report{Call: r.Call, Duration: r.Duration, Output: r.Output, Err: r.Err, Size: size(r.Output.Content)}
	for _, h := range e.hooks {
		e.hookEnd(ctx, h, report)
	}
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
	one := oneCall{ready: ready{ctx: ctx}}
	if err := e.ready(&one.ready, req); err != nil {
		return tool.Result{}, err
	}
	c := crew{job: &one, executor: e, run: ctx, attempts: make([]attempt, 1), workers: 1}
	c.work()
	return one.outcome.output, one.outcome.err
}

// oneCall is the job of a crew that has a single call, which is ready.
type oneCall struct {
	ready   ready
	outcome outcome
}

func (o *oneCall) call(int) tool.Call                   { return o.ready.call }
func (o *oneCall) prepare(int) (ready, error)           { return o.ready, nil }
func (o *oneCall) conclude(_ int, _ ready, out outcome) { o.outcome = out }

// CheckSize returns the error that the executor answers call with because its
// arguments are longer than [Config].MaxArguments, and nil where they are not. It
// is for who wants to know before: such arguments are better not kept.
func (e *Executor) CheckSize(call tool.Call) error {
	n, most := len(call.Arguments), e.config.MaxArguments
	if n <= most {
		return nil
	}
	return &tool.Error{
		Kind:    tool.KindInvalidParameters,
		Message: fmt.Sprintf("Invalid parameters for %s: they are %d bytes long and at most %d are allowed.", call.Name, n, most),
	}
}

// ready checks a request, makes its arguments what the tool wants, and fills in r.
func (e *Executor) ready(r *ready, req Request) error {
	if req.Tool == nil {
		return e.config.Tools.NotFound(req.Call.Name)
	}
	if err := e.CheckSize(req.Call); err != nil {
		return err
	}
	definition := req.Tool.Definition()
	args, err := tool.Prepare(definition, req.Call.Arguments)
	if err != nil {
		return err
	}
	req.Call.Arguments = args
	r.tool, r.call, r.timeout = req.Tool, req.Call, orDefault(definition.Timeout, e.config.Timeout)
	return nil
}
