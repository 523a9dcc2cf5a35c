package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// RetryPolicy says how often [Retry] asks, and how long it waits. A field that
// is zero has the default its comment gives.
type RetryPolicy struct {
	MaxAttempts int           // in all, with the first; 4
	MinDelay    time.Duration // before the second attempt; half a second
	MaxDelay    time.Duration // of one wait, also where the provider asks for more; 30 seconds
}

// Retry returns a client that asks again when client fails in a way that may
// pass: [APIError.Temporary], a connection that was refused or lost, a server
// that closed it without a word. It never asks again once an event has reached the
// consumer, nor after a [Timeout] inside.
//
// Each wait is twice as long as the one before, give or take half of it at
// random, so that many clients do not come back at once. Where the provider says
// when to come back (Retry-After), the wait is that, up to MaxDelay.
func Retry(client Client, policy RetryPolicy) Client {
	if policy.MaxAttempts <= 0 {
		policy.MaxAttempts = 4
	}
	if policy.MinDelay <= 0 {
		policy.MinDelay = 500 * time.Millisecond
	}
	if policy.MaxDelay <= 0 {
		policy.MaxDelay = 30 * time.Second
	}
	return &retry{client, policy}
}

type retry struct {
	client Client
	policy RetryPolicy
}

func (r *retry) Info() Info { return r.client.Info() }

func (r *retry) Stream(ctx context.Context, req *Request) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		delays := backoff.ExponentialBackOff{
			InitialInterval:     r.policy.MinDelay,
			MaxInterval:         r.policy.MaxDelay,
			Multiplier:          2,
			RandomizationFactor: 0.5,
		}
		for attempt := 1; ; attempt++ {
			err := relay(r.client.Stream(ctx, req), yield)
			if err == nil {
				return
			}
			if ctx.Err() != nil || !temporary(err) {
				yield(nil, err)
				return
			}
			if attempt >= r.policy.MaxAttempts {
				yield(nil, fmt.Errorf("%w (after %d attempts)", err, attempt))
				return
			}
			if !sleep(ctx, r.delay(err, delays.NextBackOff())) {
				yield(nil, fmt.Errorf("%w while waiting to try again after: %w", ctx.Err(), err))
				return
			}
		}
	}
}

func (r *retry) delay(err error, next time.Duration) time.Duration {
	var api *APIError
	if errors.As(err, &api) && api.RetryAfter > 0 {
		next = api.RetryAfter
	}
	return min(next, r.policy.MaxDelay)
}

// temporary reports whether the same request may succeed later. The caller has
// seen that its own context has not ended.
func temporary(err error) bool {
	var api *APIError
	if errors.As(err, &api) {
		return api.Temporary()
	}
	if errors.Is(err, ErrTimeout) {
		return false // somebody has waited long enough
	}
	for _, target := range []error{ErrIncomplete, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, target) {
			return true
		}
	}
	var dns *net.DNSError
	if errors.As(err, &dns) && dns.IsNotFound {
		return false
	}
	var op *net.OpError
	if errors.As(err, &op) && (op.Op == "dial" || op.Op == "read" || op.Op == "write") {
		return true
	}
	var network net.Error
	return errors.As(err, &network) && network.Timeout()
}

// sleep reports whether it slept all of d: false means that ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
