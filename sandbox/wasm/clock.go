package wasm

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/sys"
)

// tick is what the clocks of a guest go in; the package says why it is no less.
const tick = time.Millisecond

// now is the time of files, in nanoseconds since 1970.
func now() int64 { return time.Now().Truncate(tick).UnixNano() }

// withClocks gives a guest the time, sleep, and random numbers. Its monotonic clock begins
// with it, one tick on: zero is no time to some runtimes.
func withClocks(ctx context.Context, config wazero.ModuleConfig) wazero.ModuleConfig {
	began := time.Now()
	return config.
		WithWalltime(func() (sec int64, nsec int32) {
			n := now()
			return n / 1e9, int32(n % 1e9)
		}, sys.ClockResolution(tick)).
		WithNanotime(func() int64 {
			return int64(time.Since(began).Truncate(tick) + tick)
		}, sys.ClockResolution(tick)).
		WithNanosleep(func(ns int64) { sleep(ctx, time.Duration(ns)) }).
		WithOsyield(func() {}).
		WithRandSource(random{ctx})
}

// sleep ends with ctx: a guest that sleeps is no longer there when its time is up.
func sleep(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// random gives random bytes, and no more once ctx ended: a guest can ask for gigabytes in
// one call, in which wazero does not look at the time.
type random struct{ ctx context.Context }

func (r random) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return rand.Read(b[:min(len(b), 1<<20)])
}
