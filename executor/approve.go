package executor

import (
	"context"
	"errors"

	"helve/tool"
)

// Ask asks a person whether a call may run, and waits for the answer. It may be called
// for several calls at once. An error means that nobody could be asked; a [*tool.Error]
// is what the model reads of it.
type Ask func(ctx context.Context, call tool.Call, definition tool.Definition) (yes bool, err error)

// Approve lets a call run only when a person allows it; no names means calls of every
// tool. A call that is refused, or for which nobody could be asked, is an error of
// kind denied. The time a person takes counts for no deadline but the context's. Put
// it outside of [Retry]: nobody wants to be asked again for each attempt.
//
// What the person sees are the arguments as the model wrote them. They are checked by
// the tool's schema behind this.
func Approve(ask Ask, tools ...string) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, req Request) (tool.Result, error) {
			if req.Tool == nil || !concerns(tools, req.Call.Name) {
				return next(ctx, req)
			}
			yes, err := ask(ctx, req.Call, req.Definition())
			var said *tool.Error
			switch {
			case ctx.Err() != nil:
				return tool.Result{}, canceled(ctx.Err())
			case errors.As(err, &said) && said != nil:
				return tool.Result{}, said
			case err != nil:
				return tool.Result{}, &tool.Error{Kind: tool.KindDenied, Message: "The call needs the approval of a person, and nobody can be asked.", Err: err}
			case !yes:
				return tool.Result{}, &tool.Error{Kind: tool.KindDenied, Message: "A person was asked and did not allow this call."}
			}
			return next(ctx, req)
		}
	}
}
