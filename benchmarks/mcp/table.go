package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func writeHead(w io.Writer) {
	fmt.Fprintln(w, "| helve is | over | protocol | tool | callers | SDK µs | helve µs | **ratio** (quartiles) | CPU µs | ratio | KB | allocations |")
	fmt.Fprintln(w, "|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|")
}

// writeRow writes medians. A ratio is the median of the ratios within each round, for
// both sides of it were measured moments apart.
func writeRow(w io.Writer, c comparison, turns [2][]turn) {
	took := func(t turn) float64 { return float64(t.took) / 1e3 }
	cpu := func(t turn) float64 { return float64(c.of(t).CPU) / 1e3 }
	kb := func(t turn) float64 { return float64(c.of(t).Bytes) / 1e3 }
	allocs := func(t turn) float64 { return float64(c.of(t).Allocs) }
	all := ratios(turns, took)
	fmt.Fprintf(w, "| %s | %s | %s | %s | %d | %.0f | %.0f | **%.2f** (%.2f – %.2f) | %.0f → %.0f | %.2f | %.0f → %.0f | %.0f → %.0f |\n",
		c.side, c.over, c.protocol, c.work.tool, c.work.callers,
		middle(turns[0], took), middle(turns[1], took), quantile(all, 0.5), quantile(all, 0.25), quantile(all, 0.75),
		middle(turns[0], cpu), middle(turns[1], cpu), quantile(ratios(turns, cpu), 0.5),
		middle(turns[0], kb), middle(turns[1], kb), middle(turns[0], allocs), middle(turns[1], allocs))
}

// ratios are helve's figures over the SDK's, round by round.
func ratios(turns [2][]turn, figure func(turn) float64) []float64 {
	all := make([]float64, len(turns[0]))
	for i := range all {
		all[i] = figure(turns[1][i]) / figure(turns[0][i])
	}
	return all
}

func middle(turns []turn, figure func(turn) float64) float64 {
	all := make([]float64, len(turns))
	for i, t := range turns {
		all[i] = figure(t)
	}
	return quantile(all, 0.5)
}

func quantile(figures []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(figures))
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// load is the machine's load average, where Linux tells it.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 3 {
		return "unknown"
	}
	return strings.Join(fields[:3], " ")
}
