package executor

import (
	"context"

	"helve/tool"
)

// Request is a call on its way to its tool. Tool is nil where no tool has the
// name. It is a value: a middleware changes its copy and passes that on.
type Request struct {
	Call tool.Call
	Tool tool.Tool
}

// Definition returns the definition of the request's tool, or one with the
// call's name alone where there is no tool.
func (r Request) Definition() tool.Definition {
	if r.Tool == nil {
		return tool.Definition{Name: r.Call.Name}
	}
	return r.Tool.Definition()
}

// Handler answers a request. An error that is no [*tool.Error] reaches the model
// as one of kind execution.
type Handler func(ctx context.Context, req Request) (tool.Result, error)

// Middleware wraps a handler (document 002: wrap_tool_call). It may call next
// once, not at all or many times; each call of next is independent. It is used
// by many goroutines at once, runs in the goroutine of its call and may not end
// that (runtime.Goexit); a panic in it is an error of the call.
type Middleware func(next Handler) Handler

// Chain returns handler inside the middleware, of which the first is outermost.
func Chain(handler Handler, middleware ...Middleware) Handler {
	for i := len(middleware) - 1; i >= 0; i-- {
		handler = middleware[i](handler)
	}
	return handler
}
