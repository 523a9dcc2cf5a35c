package executor

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"

	"helve/tool"
)

// RetryPolicy says how often and how fast a call is repeated. A zero field means
// the default.
type RetryPolicy struct {
	MaxAttempts int           // in all, the first included; 3
	MinDelay    time.Duration // the wait before the second attempt, give or take half; 200 ms
	MaxDelay    time.Duration // the longest wait; 10 s
}

// Retry repeats a call that failed, with waits that grow and vary. A call is
// repeated only where that can do no harm: its error is marked retryable, or the
// tool is idempotent or read-only and the error is a timeout, an unavailability
// or a failure of the tool. The last error is the result; a call whose run ends
// during a wait is canceled.
func Retry(policy RetryPolicy) Middleware {
	policy.MaxAttempts = orDefault(policy.MaxAttempts, 3)
	policy.MinDelay = orDefault(policy.MinDelay, 200*time.Millisecond)
	policy.MaxDelay = orDefault(policy.MaxDelay, 10*time.Second)
	return func(next Handler) Handler {
		return func(ctx context.Context, req Request) (tool.Result, error) {
			result, err := next(ctx, req)
			if err == nil || req.Tool == nil {
				return result, err
			}
			waits := backoff.NewExponentialBackOff()
			waits.InitialInterval, waits.MaxInterval = policy.MinDelay, policy.MaxDelay
			definition := req.Tool.Definition()
			for n := 1; n < policy.MaxAttempts && err != nil && mayRetry(definition, tool.AsError(err)); n++ {
				if stopped := wait(ctx, min(waits.NextBackOff(), policy.MaxDelay)); stopped != nil {
					return tool.Result{}, canceled(errors.Join(stopped, err))
				}
				result, err = next(ctx, req)
			}
			return result, err
		}
	}
}

func mayRetry(d tool.Definition, err *tool.Error) bool {
	if err.Retryable {
		return true
	}
	switch err.Kind {
	case tool.KindTimeout, tool.KindUnavailable, tool.KindExecution:
		return d.Idempotent || d.ReadOnly
	}
	return false
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
