package storetest

import (
	"context"
	"errors"
	"math"
	"time"

	"helve/tool"
)

// tick is finer than any time to live that a tool asks for, and no finer than
// the clocks of databases.
const tick = time.Millisecond

func expiry(ctx context.Context, store tool.Store) error {
	if err := errors.Join(
		put(ctx, store, "brief", "1", time.Minute),
		put(ctx, store, "long", "1", time.Hour),
		put(ctx, store, "ever", "1", 0),
	); err != nil {
		return err
	}
	time.Sleep(time.Minute - tick)
	if err := errors.Join(
		want(ctx, store, "brief", "1"),
		wantKeys(ctx, store, "", "brief", "ever", "long"),
	); err != nil {
		return err
	}
	time.Sleep(tick)
	if err := errors.Join(
		wantNone(ctx, store, "brief"),
		want(ctx, store, "long", "1"),
		wantKeys(ctx, store, "", "ever", "long"),
		wantKeys(ctx, store, "brief"),
		store.Delete(ctx, "brief"),
	); err != nil {
		return err
	}
	time.Sleep(100 * 365 * 24 * time.Hour)
	return errors.Join(
		wantNone(ctx, store, "long"),
		want(ctx, store, "ever", "1"),
		put(ctx, store, "brief", "2", 0),
		want(ctx, store, "brief", "2"),
		wantKeys(ctx, store, "", "brief", "ever"),
	)
}

func putAnew(ctx context.Context, store tool.Store) error {
	if err := errors.Join(
		put(ctx, store, "longer", "1", time.Minute),
		put(ctx, store, "for ever", "1", time.Minute),
		put(ctx, store, "shorter", "1", 0),
		put(ctx, store, "longer", "2", time.Hour),
		put(ctx, store, "for ever", "2", 0),
		put(ctx, store, "shorter", "2", time.Minute),
	); err != nil {
		return err
	}
	time.Sleep(time.Minute)
	if err := errors.Join(
		want(ctx, store, "longer", "2"),
		want(ctx, store, "for ever", "2"),
		wantNone(ctx, store, "shorter"),
	); err != nil {
		return err
	}
	time.Sleep(time.Hour)
	return errors.Join(wantNone(ctx, store, "longer"), want(ctx, store, "for ever", "2"))
}

func swapExpired(ctx context.Context, store tool.Store) error {
	v1, v2 := []byte("1"), []byte("2")
	if err := put(ctx, store, "lease", "1", time.Minute); err != nil {
		return err
	}
	if err := wantSwap(ctx, store, "lease", nil, v2, time.Minute, false); err != nil {
		return err
	}
	time.Sleep(time.Minute)
	return errors.Join(
		wantSwap(ctx, store, "lease", v1, v2, 0, false),
		wantSwap(ctx, store, "lease", v1, nil, 0, false),
		wantNone(ctx, store, "lease"),
		wantSwap(ctx, store, "lease", nil, nil, 0, true),
		wantSwap(ctx, store, "lease", nil, v2, 0, true),
		want(ctx, store, "lease", "2"),
	)
}

func swapAnew(ctx context.Context, store tool.Store) error {
	v1, v2 := []byte("1"), []byte("2")
	if err := errors.Join(
		wantSwap(ctx, store, "new", nil, v1, time.Minute, true),
		put(ctx, store, "longer", "1", time.Minute),
		wantSwap(ctx, store, "longer", v1, v2, time.Hour, true),
		put(ctx, store, "for ever", "1", time.Minute),
		wantSwap(ctx, store, "for ever", v1, v1, 0, true),
		put(ctx, store, "shorter", "1", 0),
		wantSwap(ctx, store, "shorter", v1, v2, time.Minute, true),
		put(ctx, store, "kept", "1", 0),
		wantSwap(ctx, store, "kept", v2, v2, time.Minute, false), // no swap, no new time
	); err != nil {
		return err
	}
	time.Sleep(time.Minute)
	return errors.Join(
		wantNone(ctx, store, "new"),
		want(ctx, store, "longer", "2"),
		want(ctx, store, "for ever", "1"),
		wantNone(ctx, store, "shorter"),
		want(ctx, store, "kept", "1"),
	)
}

func longest(ctx context.Context, store tool.Store) error {
	if err := put(ctx, store, "a", "1", math.MaxInt64); err != nil {
		return err
	}
	time.Sleep(time.Hour)
	return want(ctx, store, "a", "1")
}
