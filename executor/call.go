package executor

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"helve/tool"
)

// one takes a call all the way from the model's request to a result.
func (e *Executor) one(ctx context.Context, call tool.Call) Result {
	start := time.Now()
	for _, h := range e.hooks {
		ctx = e.hookStart(ctx, h, call)
	}
	output, failure := e.handle(ctx, call)
	result := Result{Call: call, Output: output, Err: failure, Duration: time.Since(start)}
	report := Report{Call: call, Duration: result.Duration, Err: failure, Size: size(output.Content)}
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

// handle runs the middleware and, inside it, the tool. A panic in a middleware
// is an error like a panic in a tool.
func (e *Executor) handle(ctx context.Context, call tool.Call) (output tool.Result, failure *tool.Error) {
	defer func() {
		if v := recover(); v != nil {
			output = tool.Result{}
			failure = &tool.Error{Kind: tool.KindExecution, Message: "The call failed unexpectedly.", Err: &tool.PanicError{Value: v, Stack: debug.Stack()}}
		}
	}()
	if err := ctx.Err(); err != nil {
		return tool.Result{}, canceled(err)
	}
	t, _ := e.config.Tools.Lookup(call.Name)
	output, err := e.handler(ctx, Request{Call: call, Tool: t})
	if err != nil {
		return tool.Result{}, limitError(tool.AsError(err))
	}
	return limitResult(output, e.config.MaxResult), nil
}

// invoke is the innermost handler: it checks the arguments and calls the tool
// within its deadline.
func (e *Executor) invoke(ctx context.Context, req Request) (tool.Result, error) {
	if req.Tool == nil {
		return tool.Result{}, e.config.Tools.NotFound(req.Call.Name)
	}
	if n, most := len(req.Call.Arguments), e.config.MaxArguments; n > most {
		return tool.Result{}, &tool.Error{
			Kind:    tool.KindInvalidParameters,
			Message: fmt.Sprintf("Invalid parameters for %s: they are %d bytes long and at most %d are allowed.", req.Call.Name, n, most),
		}
	}
	definition := req.Tool.Definition()
	args, err := tool.Prepare(definition, req.Call.Arguments)
	if err != nil {
		return tool.Result{}, err
	}
	req.Call.Arguments = args
	return e.withDeadline(ctx, req, orDefault(definition.Timeout, e.config.Timeout))
}
