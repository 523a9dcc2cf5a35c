package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"
)

// writeLives writes what is not a call: connecting to a server that lists its tools, and
// what a client costs that does nothing.
func writeLives(ctx context.Context, w io.Writer) error {
	fmt.Fprintln(w, "| start a program, connect, list, close | tools | SDK ms | helve ms | ratio (quartiles) |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|")
	for _, tools := range []int{0, 1000} {
		turns, err := alternateLives(ctx, tools, 12)
		if err != nil {
			return err
		}
		took := func(t turn) float64 { return float64(t.took) / 1e6 }
		all := ratios(turns, took)
		fmt.Fprintf(w, "| stdio, 2025-11-25 | %d | %.1f | %.1f | %.2f (%.2f – %.2f) |\n", tools+3,
			middle(turns[0], took), middle(turns[1], took), quantile(all, 0.5), quantile(all, 0.25), quantile(all, 0.75))
	}
	fmt.Fprintln(w, "\n| an idle client | SDK KiB, goroutines | helve KiB, goroutines |\n|---|--:|--:|")
	for _, over := range []string{"stdio", "HTTP"} {
		var kib, routines [2]float64
		for i, dial := range dials {
			var err error
			if kib[i], routines[i], err = idle(ctx, dial, over == "HTTP"); err != nil {
				return err
			}
		}
		fmt.Fprintf(w, "| %s, three tools | %.0f, %.1f | %.0f, %.1f |\n", over, kib[0], routines[0], kib[1], routines[1])
	}
	return nil
}

var dials = [2]func(context.Context, address) (*client, error){bareClient, helveClient}

func alternateLives(ctx context.Context, tools, rounds int) (turns [2][]turn, err error) {
	at := address{server: served{by: "bare", tools: tools}, protocol: "2025-11-25"}
	for round := range rounds {
		for k := range dials {
			i := (k + round) % 2
			start := time.Now()
			c, err := dials[i](ctx, at)
			if err != nil {
				return turns, err
			}
			n, err := c.list(ctx)
			c.close()
			if err != nil || n != tools+3 {
				return turns, fmt.Errorf("%d tools were listed: %w", n, err)
			}
			turns[i] = append(turns[i], turn{took: time.Since(start)})
		}
	}
	return turns, nil
}

// idle is what one of many clients keeps of the heap, and how many goroutines.
func idle(ctx context.Context, dial func(context.Context, address) (*client, error), overHTTP bool) (kib, routines float64, err error) {
	const many = 30
	at := address{server: served{by: "bare", http: overHTTP}, protocol: "2025-11-25"}
	if overHTTP {
		url, stop, err := startHTTP(at.server)
		if err != nil {
			return 0, 0, err
		}
		defer stop()
		at.url = url
	}
	var before, after runtime.MemStats
	begun := settle(&before)
	for range many {
		c, err := dial(ctx, at)
		if err != nil {
			return 0, 0, err
		}
		defer c.close()
		if _, err := c.list(ctx); err != nil {
			return 0, 0, err
		}
	}
	now := settle(&after)
	inUse := func(m runtime.MemStats) float64 { return float64(m.HeapAlloc+m.StackInuse) / 1024 }
	return (inUse(after) - inUse(before)) / many, float64(now-begun) / many, nil
}

// settle reads the heap without its garbage, and counts goroutines.
func settle(m *runtime.MemStats) int {
	runtime.GC()
	runtime.GC() // what pools held
	runtime.ReadMemStats(m)
	return runtime.NumGoroutine()
}
