package executor

import (
	"context"
	"sync"

	"golang.org/x/time/rate"

	"helve/tool"
)

// Limit lets at most n calls of a tool run at once, over all batches of the
// executor. Each tool that it concerns has its own limit; no names means every
// tool. Further calls wait. An n below 1 counts as 1.
func Limit(n int, tools ...string) Middleware {
	slots := perTool(func() chan struct{} { return make(chan struct{}, max(n, 1)) })
	return func(next Handler) Handler {
		return func(ctx context.Context, req Request) (tool.Result, error) {
			if req.Tool == nil || !concerns(tools, req.Call.Name) {
				return next(ctx, req)
			}
			slot := slots(req.Call.Name)
			select {
			case slot <- struct{}{}:
				defer func() { <-slot }()
				return next(ctx, req)
			case <-ctx.Done():
				return tool.Result{}, canceled(ctx.Err())
			}
		}
	}
}

// RateLimit lets a tool start limit times a second, and burst times at once.
// Each tool that it concerns has its own limit; no names means every tool.
// Further calls wait.
func RateLimit(limit rate.Limit, burst int, tools ...string) Middleware {
	limiters := perTool(func() *rate.Limiter { return rate.NewLimiter(limit, burst) })
	return func(next Handler) Handler {
		return func(ctx context.Context, req Request) (tool.Result, error) {
			if req.Tool == nil || !concerns(tools, req.Call.Name) {
				return next(ctx, req)
			}
			if err := limiters(req.Call.Name).Wait(ctx); err != nil {
				return tool.Result{}, waitError(ctx, err)
			}
			return next(ctx, req)
		}
	}
}

// waitError tells a run that was stopped from a limit that lets nothing through
// in time.
func waitError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return canceled(err)
	}
	return &tool.Error{Kind: tool.KindUnavailable, Message: "The tool is called too often. Try again later.", Err: err, Retryable: true}
}

// perTool returns a function that gives each tool a value of its own. Only names
// of real tools come here, so a model can't make it grow.
func perTool[T any](create func() T) func(name string) T {
	var mu sync.Mutex
	values := map[string]T{}
	return func(name string) T {
		mu.Lock()
		defer mu.Unlock()
		v, ok := values[name]
		if !ok {
			v = create()
			values[name] = v
		}
		return v
	}
}
