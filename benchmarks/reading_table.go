package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// writeReadings writes what readers did as Markdown: a row for each reader, a
// column for each workload. Figures are medians of the rounds.
func writeReadings(w io.Writer, title string, workloads []workload, all *readings, cell func(workload, reader int) string) {
	fmt.Fprintf(w, "### %s\n\n| reader |", title)
	for _, load := range workloads {
		fmt.Fprintf(w, " %s |", load.title)
	}
	fmt.Fprintf(w, "\n|---|%s\n", strings.Repeat("--:|", len(workloads)))
	for i, r := range textReaders {
		fmt.Fprintf(w, "| %s |", r.name)
		for k, load := range workloads {
			if r.reads(load) {
				fmt.Fprintf(w, " %s |", cell(k, i))
			} else {
				fmt.Fprint(w, " |")
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
}

// writeTexts writes MB/s, the lowest and the highest of the rounds, and allocations.
func writeTexts(w io.Writer, all *readings) {
	writeReadings(w, "A mebibyte of text, then a call: MB/s (lowest – highest), allocations", texts, all, func(k, i int) string {
		speeds := all.speeds(k, i)
		return fmt.Sprintf("%s (%s – %s), %s", thousands(median(speeds)), thousands(slices.Min(speeds)), thousands(slices.Max(speeds)),
			thousands(median(pick(all.samples[k][i], func(s sample) float64 { return s.allocs }))))
	})
}

// writeCalls writes milliseconds and MB/s.
func writeCalls(w io.Writer, all *readings) {
	writeReadings(w, "One call and the size of its argument, in 4-byte chunks: ms (MB/s)", calls, all, func(k, i int) string {
		ns := median(pick(all.samples[k][i], func(s sample) float64 { return s.ns }))
		return fmt.Sprintf("%.3g (%.3g)", ns/1e6, median(all.speeds(k, i)))
	})
}

// promised is a budget for one reader. Where least is set the figure must be no
// less, else no more than most.
type promised struct {
	title  string
	figure func(text, call *readings, reader int) []float64 // round by round
	least  float64
	most   float64
}

var promises = []promised{
	{title: "prose in 4-byte chunks, MB/s", least: 500, figure: func(text, _ *readings, i int) []float64 { return text.speeds(proseIn4B, i) }},
	{title: "the same, × ollama tools", least: 10, figure: func(text, _ *readings, i int) []float64 {
		return divided(text.speeds(proseIn4B, i), text.speeds(proseIn4B, at("ollama tools")))
	}},
	{title: "allocations of a mebibyte of prose", most: 0, figure: func(text, call *readings, i int) []float64 {
		return allocatedMore(text.samples[proseIn4B][i], call.samples[shortest][i])
	}},
	{title: "prose in 4 KiB chunks, × IndexByte", least: 0.3, figure: func(text, _ *readings, i int) []float64 {
		return divided(text.speeds(proseIn4K, i), text.speeds(proseIn4K, at("IndexByte")))
	}},
	{title: "call of 128 KiB, ms", most: 1, figure: func(_, call *readings, i int) []float64 {
		return pick(call.samples[callOf128K][i], func(s sample) float64 { return s.ns / 1e6 })
	}},
	{title: "the same, × ollama tools", least: 10, figure: func(_, call *readings, i int) []float64 {
		return divided(call.speeds(callOf128K, i), call.speeds(callOf128K, at("ollama tools")))
	}},
	{title: "MB/s of 16 MiB, × those of 1 KiB", least: 0.8, figure: func(_, call *readings, i int) []float64 {
		return divided(call.speeds(callOf16M, i), call.speeds(callOf1K, i))
	}},
	{title: "MB/s of 16 MiB, × those of 128 KiB", least: 0.8, figure: func(_, call *readings, i int) []float64 {
		return divided(call.speeds(callOf16M, i), call.speeds(callOf128K, i))
	}},
}

// at is the index of a reader.
func at(name string) int {
	return slices.IndexFunc(textReaders, func(r reader) bool { return r.name == name })
}

func divided(of, by []float64) []float64 {
	all := make([]float64, len(of))
	for i := range of {
		all[i] = of[i] / by[i]
	}
	return all
}

// allocatedMore is how often of allocates more than base.
func allocatedMore(of, base []sample) []float64 {
	all := make([]float64, len(of))
	for i := range of {
		all[i] = max(0, of[i].allocs-base[i].allocs)
	}
	return all
}

// writePromises writes whether helve's readers hold the budgets.
func writePromises(w io.Writer, text, call *readings) {
	fmt.Fprint(w, "### The budgets\n\n| | budget |")
	for _, r := range textReaders {
		if r.ours() {
			fmt.Fprintf(w, " %s |", r.dialect)
		}
	}
	fmt.Fprintf(w, "\n|---|---|%s\n", strings.Repeat("---|", len(slices.DeleteFunc(slices.Clone(textReaders), func(r reader) bool { return !r.ours() }))))
	for _, p := range promises {
		if p.least > 0 {
			fmt.Fprintf(w, "| %s | ≥ %g |", p.title, p.least)
		} else {
			fmt.Fprintf(w, "| %s | ≤ %g |", p.title, p.most)
		}
		for i, r := range textReaders {
			if r.ours() {
				fmt.Fprintf(w, " %s |", p.verdict(median(p.figure(text, call, i))))
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
}

func (p promised) verdict(figure float64) string {
	text := fmt.Sprintf("%.3g", figure)
	if figure >= 1000 {
		text = thousands(figure)
	}
	if p.least > 0 && figure < p.least || p.least == 0 && figure > p.most {
		return text + ", **missed**"
	}
	return text
}
