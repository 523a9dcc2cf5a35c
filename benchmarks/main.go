// Command benchmarks compares helve with the other Go libraries that run a
// model's tool calls, on the same tool with the same arguments, and writes the
// tables of README.md.
//
//	go run .                                       # all tables, about two minutes
//	go test -run "^$" -bench "^BenchmarkOne$" .    # one table, as go test writes it
//
// It is a module of its own, so that the libraries never enter helve's go.mod.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	rounds := flag.Int("rounds", 7, "how often to run every benchmark")
	each := flag.Duration("each", 300*time.Millisecond, "how long to run a benchmark each time")
	flag.Parse()
	if err := run(*rounds, *each); err != nil {
		fmt.Fprintln(os.Stderr, "benchmarks:", err)
		os.Exit(1)
	}
}

func run(rounds int, each time.Duration) error {
	if rounds < 1 || each <= 0 {
		return fmt.Errorf("-rounds is %d and -each is %v: give at least one round and some time", rounds, each)
	}
	before := load()
	samples, err := measureAll(rounds, each, func(round int) {
		fmt.Fprintf(os.Stderr, "round %d of %d, load %s\n", round+1, rounds, load())
	})
	if err != nil {
		return err
	}
	writeMachine(os.Stdout, rounds, each, [2]string{before, load()})
	for i, c := range comparisons {
		writeTable(os.Stdout, c, samples[i])
	}
	return nil
}
