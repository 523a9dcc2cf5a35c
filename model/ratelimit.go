package model

import (
	"context"
	"fmt"
	"iter"

	"golang.org/x/time/rate"
)

// RateLimit returns a client that waits for limiter before each answer. Clients
// that share a limiter share its rate. A wait that would outlast ctx's deadline
// is an error at once.
func RateLimit(client Client, limiter *rate.Limiter) Client {
	return &rateLimit{client, limiter}
}

type rateLimit struct {
	client  Client
	limiter *rate.Limiter
}

func (r *rateLimit) Info() Info { return r.client.Info() }

func (r *rateLimit) Stream(ctx context.Context, req *Request) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		if err := r.limiter.Wait(ctx); err != nil {
			yield(nil, fmt.Errorf("model: waiting for the rate limit: %w", err))
			return
		}
		r.client.Stream(ctx, req)(yield)
	}
}
