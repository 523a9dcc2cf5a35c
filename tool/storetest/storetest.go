// Package storetest checks that a [tool.Store] does what its documentation says.
// A database's test is one call:
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) tool.Store { return openEmpty(t) })
//	}
//
// The checks of the time to live run in a bubble of testing/synctest, in which
// hours pass at once. So a store takes the time from time.Now and not from its
// server, and whatever it starts is opened by the function and closed by
// t.Cleanup.
package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"helve/tool"
)

// Run runs each check as a subtest on a store of its own. The function returns
// an empty store and cleans up by t.Cleanup. Subtests do not run in parallel
// with each other, but some use their store from several goroutines: run them
// with the race detector.
func Run(t *testing.T, empty func(t *testing.T) tool.Store) {
	t.Helper()
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if !c.waits {
				c.test(t, empty)
				return
			}
			synctest.Test(t, func(t *testing.T) { c.test(t, empty) })
		})
	}
}

type check struct {
	name  string
	run   func(context.Context, tool.Store) error
	waits bool // it sleeps until values expire
}

func (c check) test(t *testing.T, empty func(t *testing.T) tool.Store) {
	if err := c.run(t.Context(), empty(t)); err != nil {
		t.Error(err)
	}
}

var checks = []check{
	{"empty store", emptyStore, false},
	{"keys", keys, false},
	{"keys are apart", apart, false},
	{"values", values, false},
	{"limits", limits, false},
	{"last put wins", lastPut, false},
	{"delete", remove, false},
	{"list", list, false},
	{"compare and swap", swap, false},
	{"border", border, false},
	{"canceled context", canceled, false},
	{"expiry", expiry, true},
	{"a put sets the time anew", putAnew, true},
	{"a swap sees no expired value", swapExpired, true},
	{"a swap sets the time anew", swapAnew, true},
	{"longest time to live", longest, true},
	{"parallel keys", parallelKeys, false},
	{"parallel swaps: one wins", parallelSwaps, false},
	{"parallel counters", parallelCounters, false},
	{"parallel swaps of an expired value: one wins", parallelExpired, true},
}

func put(ctx context.Context, store tool.Store, key, value string, ttl time.Duration) error {
	if err := store.Put(ctx, key, []byte(value), ttl); err != nil {
		return fmt.Errorf("put at %q: %w", key, err)
	}
	return nil
}

// want checks what Get returns.
func want(ctx context.Context, store tool.Store, key, value string) error {
	got, ok, err := store.Get(ctx, key)
	if err != nil {
		return fmt.Errorf("get %.40q: %w", key, err)
	}
	if !ok || got == nil || !bytes.Equal(got, []byte(value)) {
		return fmt.Errorf("get %.40q: got %.40q (nil: %t), %t, want %.40q, true", key, got, got == nil, ok, value)
	}
	return nil
}

func wantNone(ctx context.Context, store tool.Store, key string) error {
	got, ok, err := store.Get(ctx, key)
	if err != nil || ok || got != nil {
		return fmt.Errorf("get %.40q: got %.40q, %t, %v, want nil, false and no error", key, got, ok, err)
	}
	return nil
}

func wantKeys(ctx context.Context, store tool.Store, prefix string, want ...string) error {
	got, err := store.List(ctx, prefix)
	if err != nil || !slices.Equal(got, want) {
		return fmt.Errorf("list %q: got %q, %v, want %q", prefix, got, err, want)
	}
	return nil
}

// wantSwap checks what CompareAndSwap says.
func wantSwap(ctx context.Context, store tool.Store, key string, old, new []byte, ttl time.Duration, want bool) error {
	got, err := store.CompareAndSwap(ctx, key, old, new, ttl)
	if err != nil || got != want {
		return fmt.Errorf("swap %q for %q at %q: got %t, %v, want %t", old, new, key, got, err, want)
	}
	return nil
}

func wantError(what string, got, want error) error {
	if !errors.Is(got, want) {
		return fmt.Errorf("%s: got error %v, want one that is %q", what, got, want)
	}
	return nil
}
