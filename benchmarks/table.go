package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// writeTable writes a comparison as Markdown. samples is [subject][round].
//
// A figure is the median of the rounds. A ratio is the median of the ratios
// within each round, for both sides of it were measured moments apart.
func writeTable(w io.Writer, c comparison, samples [][]sample) {
	fmt.Fprintf(w, "### %s\n\n", c.title)
	fmt.Fprintln(w, "| library | ns/op | lowest – highest | B/op | allocs/op | × helve | budget |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|---|")
	for i, s := range c.subjects {
		ns := pick(samples[i], func(s sample) float64 { return s.ns })
		fmt.Fprintf(w, "| %s | %s | %s – %s | %s | %s | %.2f | %s |\n", s.name,
			thousands(median(ns)), thousands(slices.Min(ns)), thousands(slices.Max(ns)),
			thousands(median(pick(samples[i], func(s sample) float64 { return s.bytes }))),
			thousands(median(pick(samples[i], func(s sample) float64 { return s.allocs }))),
			median(ratios(samples[i], samples[0])), verdict(c, s, samples))
	}
	fmt.Fprintln(w)
}

// verdict says, in helve's row, whether the budget holds.
func verdict(c comparison, s subject, samples [][]sample) string {
	eino := slices.IndexFunc(c.subjects, func(s subject) bool { return s.name == "eino" })
	if c.budget == 0 || s.name != "helve" || eino < 0 {
		return ""
	}
	all := ratios(samples[0], samples[eino])
	says := "holds"
	if median(all) > c.budget {
		says = "**missed**"
	}
	return fmt.Sprintf("≤ %.1f × eino: %.2f (%.2f – %.2f), %s", c.budget, median(all), slices.Min(all), slices.Max(all), says)
}

func pick(samples []sample, figure func(sample) float64) []float64 {
	figures := make([]float64, len(samples))
	for i, s := range samples {
		figures[i] = figure(s)
	}
	return figures
}

// ratios is the time of one subject over that of another, round by round.
func ratios(of, to []sample) []float64 {
	all := make([]float64, len(of))
	for i := range of {
		all[i] = of[i].ns / to[i].ns
	}
	return all
}

func median(figures []float64) float64 {
	sorted := slices.Sorted(slices.Values(figures))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// thousands writes a figure to the unit, with commas.
func thousands(f float64) string {
	digits := fmt.Sprintf("%.0f", f)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}
