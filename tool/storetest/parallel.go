package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"helve/tool"
)

// each runs f for 0 to n-1 at once and joins what they return.
func each(n int, f func(i int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = f(i) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// parallelKeys is a batch of calls that each keep something.
func parallelKeys(ctx context.Context, store tool.Store) error {
	const n = 16
	key := func(i int) string { return fmt.Sprintf("k%02d", i) }
	err := each(n, func(i int) error {
		if err := errors.Join(put(ctx, store, key(i), key(i), 0), want(ctx, store, key(i), key(i))); err != nil {
			return err
		}
		keys, err := store.List(ctx, "k")
		if err != nil || !slices.Contains(keys, key(i)) {
			return fmt.Errorf("list after the put of %s: got %q, %v", key(i), keys, err)
		}
		if i%2 == 0 {
			return store.Delete(ctx, key(i))
		}
		return nil
	})
	if err != nil {
		return err
	}
	var left []string
	for i := 1; i < n; i += 2 {
		left = append(left, key(i))
	}
	return wantKeys(ctx, store, "", left...)
}

// parallelSwaps lets several callers race for a key that is absent, for one that
// has a value, and for the right to remove it.
func parallelSwaps(ctx context.Context, store tool.Store) error {
	one := func(old []byte, new func(i int) []byte) error { return oneWins(ctx, store, "a", old, new) }
	worker := func(round string) func(int) []byte {
		return func(i int) []byte { return fmt.Appendf(nil, "%s, worker %d", round, i) }
	}
	if err := one(nil, worker("first")); err != nil {
		return err
	}
	old, _, err := store.Get(ctx, "a")
	if err != nil {
		return err
	}
	if err := one(old, worker("second")); err != nil {
		return err
	}
	old, _, err = store.Get(ctx, "a")
	if err != nil {
		return err
	}
	return one(old, func(int) []byte { return nil })
}

// oneWins swaps old for new from several goroutines. One must be told that it
// did, and its value must be there.
func oneWins(ctx context.Context, store tool.Store, key string, old []byte, new func(i int) []byte) error {
	won := make([]bool, 8)
	err := each(len(won), func(i int) (err error) {
		won[i], err = store.CompareAndSwap(ctx, key, old, new(i), 0)
		return err
	})
	if err != nil {
		return err
	}
	winner := slices.Index(won, true)
	if winner < 0 || slices.Contains(won[winner+1:], true) {
		return fmt.Errorf("swaps of %q at once: got %v, want one true", old, won)
	}
	if value := new(winner); value != nil {
		return want(ctx, store, key, string(value))
	}
	return wantNone(ctx, store, key)
}

// parallelExpired is a lease that several workers take over when it ends.
func parallelExpired(ctx context.Context, store tool.Store) error {
	if err := put(ctx, store, "lease", "old", time.Minute); err != nil {
		return err
	}
	time.Sleep(time.Minute)
	return oneWins(ctx, store, "lease", nil, func(i int) []byte { return fmt.Appendf(nil, "worker %d", i) })
}

// parallelCounters is what swapping is for: nobody's increment is lost.
func parallelCounters(ctx context.Context, store tool.Store) error {
	const workers, times = 4, 8
	err := each(workers, func(int) error {
		for range times {
			if err := increment(ctx, store, "n"); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return want(ctx, store, "n", strconv.Itoa(workers*times))
}

func increment(ctx context.Context, store tool.Store, key string) error {
	for {
		old, ok, err := store.Get(ctx, key)
		if err != nil {
			return err
		}
		n := 0
		if ok {
			if n, err = strconv.Atoi(string(old)); err != nil {
				return err
			}
		}
		swapped, err := store.CompareAndSwap(ctx, key, old, strconv.AppendInt(nil, int64(n+1), 10), 0)
		if swapped || err != nil {
			return err
		}
	}
}
