package main

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"helve/dialect"
)

// workload is a column: an answer that every reader reads, written in its dialect.
type workload struct {
	title  string
	answer func(d *dialect.Dialect) longAnswer
	slow   bool // too long for readers that take quadratic time
}

const (
	proseIn4B = iota
	markupIn4B
	proseIn4K
	markupIn4K
)

var texts = []workload{
	proseIn4B:  {"prose, 4 B", func(d *dialect.Dialect) longAnswer { return textAnswer(d, prose, 4) }, false},
	markupIn4B: {"markup, 4 B", func(d *dialect.Dialect) longAnswer { return textAnswer(d, markup, 4) }, false},
	proseIn4K:  {"prose, 4 KiB", func(d *dialect.Dialect) longAnswer { return textAnswer(d, prose, 4<<10) }, false},
	markupIn4K: {"markup, 4 KiB", func(d *dialect.Dialect) longAnswer { return textAnswer(d, markup, 4<<10) }, false},
}

const (
	callOf16B = iota
	callOf1K
	callOf32K
	callOf128K
	callOf1M
	callOf16M
)

var calls = []workload{
	callOf16B:  callOf("16 B", 16, false),
	callOf1K:   callOf("1 KiB", 1<<10, false),
	callOf32K:  callOf("32 KiB", 32<<10, false),
	callOf128K: callOf("128 KiB", 128<<10, false),
	callOf1M:   callOf("1 MiB", 1<<20, true),
	callOf16M:  callOf("16 MiB", 16<<20, true),
}

func callOf(title string, value int, slow bool) workload {
	return workload{title, func(d *dialect.Dialect) longAnswer { return callAnswer(d, value, 4) }, slow}
}

func (r reader) ours() bool { return strings.HasPrefix(r.name, "helve ") }

// reads reports whether r is measured on w.
func (r reader) reads(w workload) bool { return !w.slow || r.ours() }

// measure is the benchmark of one reader on one answer.
func (r reader) measure(b *testing.B, a longAnswer) {
	b.SetBytes(int64(a.bytes))
	b.ReportAllocs()
	for b.Loop() {
		if r.read(a.chunks).text < a.prose {
			b.Fatal("text is missing")
		}
	}
}

// readings are the samples of one table: [workload][reader][round], and how many
// bytes each reader read, [workload][reader].
type readings struct {
	samples [][][]sample
	bytes   [][]int
}

func newReadings(workloads []workload) *readings {
	r := &readings{make([][][]sample, len(workloads)), make([][]int, len(workloads))}
	for i := range workloads {
		r.samples[i] = make([][]sample, len(textReaders))
		r.bytes[i] = make([]int, len(textReaders))
	}
	return r
}

// measureReaders runs every reader on every workload, round by round like
// measureAll. What takes longer than a second is run in three rounds only.
func measureReaders(rounds int, each time.Duration, progress func(round int), tables ...[]workload) ([]*readings, error) {
	testing.Init()
	if err := flag.Set("test.benchtime", each.String()); err != nil {
		return nil, err
	}
	all := make([]*readings, len(tables))
	for i, workloads := range tables {
		all[i] = newReadings(workloads)
	}
	for round := range rounds {
		progress(round)
		for i, workloads := range tables {
			for k, w := range workloads {
				if err := all[i].measure(k, w, round); err != nil {
					return nil, err
				}
			}
		}
	}
	return all, nil
}

func (all *readings) measure(k int, w workload, round int) error {
	for i := range textReaders {
		at := (i + round) % len(textReaders)
		r, samples := textReaders[at], all.samples[k][at]
		switch {
		case !r.reads(w):
			continue
		case round >= 3 && all.fastest(k, at).ns > 1e9:
			continue
		}
		a := w.answer(r.dialect)
		result := testing.Benchmark(func(b *testing.B) { r.measure(b, a) })
		if result.N == 0 {
			return fmt.Errorf("%s, %s failed; go test . says why", w.title, r.name)
		}
		all.bytes[k][at] = a.bytes
		all.samples[k][at] = append(samples, sample{
			ns:     float64(result.T.Nanoseconds()) / float64(result.N),
			bytes:  float64(result.AllocedBytesPerOp()),
			allocs: float64(result.AllocsPerOp()),
		})
	}
	return nil
}

// fastest is the sample of the round in which a reader took least: what else the
// machine does can only add to it.
func (all *readings) fastest(workload, reader int) sample {
	return slices.MinFunc(all.samples[workload][reader], func(a, b sample) int { return cmp.Compare(a.ns, b.ns) })
}

// speed is the MB/s of a reader on a workload in its fastest round.
func (all *readings) speed(workload, reader int) float64 {
	return float64(all.bytes[workload][reader]) * 1000 / all.fastest(workload, reader).ns
}

// medianSpeed is the MB/s of the median of the rounds.
func (all *readings) medianSpeed(workload, reader int) float64 {
	ns := pick(all.samples[workload][reader], func(s sample) float64 { return s.ns })
	return float64(all.bytes[workload][reader]) * 1000 / median(ns)
}
