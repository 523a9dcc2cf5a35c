package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// writeReadings writes what readers did as Markdown: a row for each reader, a
// column for each workload.
func writeReadings(w io.Writer, title string, workloads []workload, cell func(workload, reader int) string) {
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

// writeTexts writes MB/s and allocations.
func writeTexts(w io.Writer, all *readings) {
	writeReadings(w, "A mebibyte of text, then a call: MB/s of the fastest round (of the median), allocations", texts, func(k, i int) string {
		return fmt.Sprintf("%s (%s), %s", short(all.speed(k, i)), short(all.medianSpeed(k, i)), thousands(all.fastest(k, i).allocs))
	})
}

// writeCalls writes milliseconds and MB/s.
func writeCalls(w io.Writer, all *readings) {
	writeReadings(w, "One call and the size of its argument, in 4-byte chunks: ms and MB/s of the fastest round (of the median)", calls, func(k, i int) string {
		return fmt.Sprintf("%s, %s (%s)", short(all.fastest(k, i).ns/1e6), short(all.speed(k, i)), short(all.medianSpeed(k, i)))
	})
}

// promised is a budget for one reader. Where least is set the figure must be no
// less, else no more than most.
type promised struct {
	title  string
	figure func(text, call *readings, reader int) float64
	least  float64
	most   float64
}

var promises = []promised{
	{title: "prose in 4-byte chunks, MB/s", least: 500, figure: func(text, _ *readings, i int) float64 {
		return text.speed(proseIn4B, i)
	}},
	{title: "the same, × ollama tools", least: 10, figure: func(text, _ *readings, i int) float64 {
		return text.speed(proseIn4B, i) / text.speed(proseIn4B, at("ollama tools"))
	}},
	{title: "allocations of a mebibyte of prose", most: 0, figure: func(text, call *readings, i int) float64 {
		return text.fastest(proseIn4B, i).allocs - call.fastest(callOf16B, i).allocs
	}},
	{title: "prose in 4 KiB chunks, × IndexByte", least: 0.3, figure: func(text, _ *readings, i int) float64 {
		return text.speed(proseIn4K, i) / text.speed(proseIn4K, at("IndexByte"))
	}},
	{title: "call of 128 KiB, ms", most: 1, figure: func(_, call *readings, i int) float64 {
		return call.fastest(callOf128K, i).ns / 1e6
	}},
	{title: "the same, × ollama tools", least: 10, figure: func(_, call *readings, i int) float64 {
		return call.speed(callOf128K, i) / call.speed(callOf128K, at("ollama tools"))
	}},
	{title: "MB/s of 16 MiB, × those of 1 KiB", least: 0.8, figure: func(_, call *readings, i int) float64 {
		return call.speed(callOf16M, i) / call.speed(callOf1K, i)
	}},
	{title: "MB/s of 16 MiB, × those of 128 KiB", least: 0.8, figure: func(_, call *readings, i int) float64 {
		return call.speed(callOf16M, i) / call.speed(callOf128K, i)
	}},
}

// at is the index of a reader.
func at(name string) int {
	return slices.IndexFunc(textReaders, func(r reader) bool { return r.name == name })
}

// writePromises writes whether helve's readers hold the budgets.
func writePromises(w io.Writer, text, call *readings) {
	fmt.Fprint(w, "### The budgets, by the fastest rounds\n\n| | budget |")
	line := "\n|---|---|"
	for _, r := range textReaders {
		if r.ours() {
			fmt.Fprintf(w, " %s |", r.dialect)
			line += "---|"
		}
	}
	fmt.Fprintln(w, line)
	for _, p := range promises {
		if p.least > 0 {
			fmt.Fprintf(w, "| %s | ≥ %g |", p.title, p.least)
		} else {
			fmt.Fprintf(w, "| %s | ≤ %g |", p.title, p.most)
		}
		for i, r := range textReaders {
			if r.ours() {
				fmt.Fprintf(w, " %s |", p.verdict(p.figure(text, call, i)))
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
}

func (p promised) verdict(figure float64) string {
	if p.least > 0 && figure < p.least || p.least == 0 && figure > p.most {
		return short(figure) + ", **missed**"
	}
	return short(figure)
}

// short writes a figure with three digits or to the unit.
func short(f float64) string {
	switch {
	case f >= 100 || f == 0:
		return thousands(f)
	case f < 0.01:
		return fmt.Sprintf("%.4f", f)
	}
	return fmt.Sprintf("%.3g", f)
}
