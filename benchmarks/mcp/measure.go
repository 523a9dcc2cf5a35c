package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// usage is what a process has used, or what a turn of it used for each call.
type usage struct {
	CPU    time.Duration
	Bytes  uint64 // allocated
	Allocs uint64
}

// spent is what this process has used so far.
func spent() usage {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r) // it can't fail with these arguments
	return usage{CPU: time.Duration(r.Utime.Nano() + r.Stime.Nano()), Bytes: m.TotalAlloc, Allocs: m.Mallocs}
}

func (u usage) minus(v usage) usage {
	return usage{u.CPU - v.CPU, u.Bytes - v.Bytes, u.Allocs - v.Allocs}
}
func (u usage) plus(v usage) usage {
	return usage{u.CPU + v.CPU, u.Bytes + v.Bytes, u.Allocs + v.Allocs}
}
func (u usage) by(n int) usage {
	return usage{u.CPU / time.Duration(n), u.Bytes / uint64(n), u.Allocs / uint64(n)}
}

// turn is what one turn of a side took, for each call.
type turn struct {
	took           time.Duration // from the first call to the last answer, over the calls
	client, server usage
}

// work is what is called: the same again and again, by several callers at once.
type work struct {
	tool    string
	args    json.RawMessage
	want    int // bytes of the answer
	callers int
}

// take makes calls, and says how long they took.
func (w work) take(ctx context.Context, c *client, calls int) (turn, error) {
	serverBefore, err := c.spent(ctx)
	if err != nil {
		return turn{}, err
	}
	before, start := spent(), time.Now()
	if err := w.do(ctx, c, calls); err != nil {
		return turn{}, err
	}
	took, after := time.Since(start), spent()
	serverAfter, err := c.spent(ctx)
	if err != nil {
		return turn{}, err
	}
	return turn{took / time.Duration(calls), after.minus(before).by(calls), serverAfter.minus(serverBefore).by(calls)}, nil
}

func (w work) do(ctx context.Context, c *client, calls int) error {
	var left atomic.Int64
	left.Store(int64(calls))
	errs := make([]error, w.callers)
	var all sync.WaitGroup
	for i := range w.callers {
		all.Go(func() {
			for left.Add(-1) >= 0 && errs[i] == nil {
				var text string
				if text, errs[i] = c.call(ctx, w.tool, w.args); errs[i] == nil && len(text) != w.want {
					errs[i] = fmt.Errorf("an answer has %d bytes instead of %d", len(text), w.want)
				}
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// spent is what the client's server has used so far.
func (c *client) spent(ctx context.Context) (u usage, err error) {
	text, err := c.call(ctx, "spent", json.RawMessage(`{}`))
	if err != nil {
		return u, err
	}
	return u, json.Unmarshal([]byte(text), &u)
}

// alternate has two clients take turns, first the one first and then the other.
func (w work) alternate(ctx context.Context, both [2]*client, rounds int, each time.Duration) (turns [2][]turn, err error) {
	calls, err := w.calibrate(ctx, both, each)
	if err != nil {
		return turns, err
	}
	for round := range rounds {
		for k := range both {
			at := (k + round) % 2
			var t turn
			pprof.Do(ctx, pprof.Labels("side", sides[at]), func(ctx context.Context) { t, err = w.take(ctx, both[at], calls) })
			if err != nil {
				return turns, err
			}
			turns[at] = append(turns[at], t)
		}
	}
	return turns, nil
}

// calibrate warms both sides up, and says how many calls take about so long.
func (w work) calibrate(ctx context.Context, both [2]*client, each time.Duration) (int, error) {
	calls := max(100, w.callers)
	var slowest time.Duration
	for _, c := range both {
		if err := w.do(ctx, c, calls); err != nil {
			return 0, err
		}
		t, err := w.take(ctx, c, calls)
		if err != nil {
			return 0, err
		}
		slowest = max(slowest, t.took)
	}
	return max(10, 2*w.callers, int(each/max(slowest, 1))), nil
}
