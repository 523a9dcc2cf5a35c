package main

import (
	"context"
	"flag"
	"fmt"
	"testing"
	"time"
)

// measure is the benchmark of one subject. The context can be canceled, as it
// can in a program.
func (s subject) measure(b *testing.B, calls int) {
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	j := s.setup(b, weather, arguments(calls))
	b.ReportAllocs()
	for b.Loop() {
		if err := j.run(ctx); err != nil {
			b.Fatal(err)
		}
	}
}

// comparison is a table: the same calls run by several subjects, helve first.
type comparison struct {
	title    string
	calls    int
	subjects []subject
	budget   float64 // how much of Eino's time helve may take; 0 where there is no budget
}

var comparisons = []comparison{
	{"One call", 1, toolCalls, 1.0},
	{"16 calls in one answer", 16, toolCalls, 0.5},
	{"100 calls in one answer", 100, toolCalls, 0},
	{"A whole run: the model calls one tool, then replies", 1, wholeRuns, 0},
	{"A whole run: the model calls 16 tools, then replies", 16, wholeRuns, 0},
}

// sample is what one round measured.
type sample struct{ ns, bytes, allocs float64 }

// measureAll runs every benchmark in turn, and all of that again for each round,
// so that what else the machine does falls on all subjects alike. The subjects
// of a table take turns at going first. The samples are [table][subject][round].
func measureAll(rounds int, each time.Duration, progress func(round int)) ([][][]sample, error) {
	testing.Init()
	if err := flag.Set("test.benchtime", each.String()); err != nil {
		return nil, err
	}
	samples := make([][][]sample, len(comparisons))
	for i, c := range comparisons {
		samples[i] = make([][]sample, len(c.subjects))
	}
	for round := range rounds {
		progress(round)
		for i, c := range comparisons {
			for k := range c.subjects {
				at := (k + round) % len(c.subjects)
				s := c.subjects[at]
				r := testing.Benchmark(func(b *testing.B) { s.measure(b, c.calls) })
				if r.N == 0 {
					return nil, fmt.Errorf("%s, %s failed; go test -bench . says why", c.title, s.name)
				}
				samples[i][at] = append(samples[i][at], sample{
					ns:     float64(r.T.Nanoseconds()) / float64(r.N),
					bytes:  float64(r.AllocedBytesPerOp()),
					allocs: float64(r.AllocsPerOp()),
				})
			}
		}
	}
	return samples, nil
}
