// Command benchmarks compares helve with the other Go libraries that run a
// model's tool calls, on the same tool with the same arguments, and writes the
// tables of README.md.
//
//	go run .                                       # all tables, about four minutes
//	go run . -tables dialects                      # those of the text dialects alone
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
	tables := flag.String("tables", "", `which tables: "calls", "dialects", or all`)
	answers := flag.String("answers", "", "write the dialects' answers into this folder, for ai-sdk-tool-parser/run.sh, and no table")
	flag.Parse()
	if *answers != "" {
		if err := saveAnswers(*answers); err != nil {
			fmt.Fprintln(os.Stderr, "benchmarks:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*rounds, *each, *tables); err != nil {
		fmt.Fprintln(os.Stderr, "benchmarks:", err)
		os.Exit(1)
	}
}

func run(rounds int, each time.Duration, tables string) error {
	if rounds < 1 || each <= 0 {
		return fmt.Errorf("-rounds is %d and -each is %v: give at least one round and some time", rounds, each)
	}
	if tables != "" && tables != "calls" && tables != "dialects" {
		return fmt.Errorf("-tables is %q: give calls or dialects, or leave it out", tables)
	}
	if tables != "dialects" {
		if err := runCalls(rounds, each); err != nil {
			return err
		}
	}
	if tables != "calls" {
		return runDialects(rounds, each)
	}
	return nil
}

// runCalls writes the tables of tool calls that are executed.
func runCalls(rounds int, each time.Duration) error {
	before := load()
	samples, err := measureAll(rounds, each, progress(rounds))
	if err != nil {
		return err
	}
	writeMachine(os.Stdout, rounds, each, [2]string{before, load()})
	for i, c := range comparisons {
		writeTable(os.Stdout, c, samples[i])
	}
	return nil
}

// runDialects writes the tables of tool calls that are read from text.
func runDialects(rounds int, each time.Duration) error {
	before := load()
	all, err := measureReaders(rounds, each, progress(rounds), texts, calls)
	if err != nil {
		return err
	}
	writeMachine(os.Stdout, rounds, each, [2]string{before, load()})
	writeTexts(os.Stdout, all[0])
	writeCalls(os.Stdout, all[1])
	writePromises(os.Stdout, all[0], all[1])
	return nil
}

func progress(rounds int) func(round int) {
	return func(round int) { fmt.Fprintf(os.Stderr, "round %d of %d, load %s\n", round+1, rounds, load()) }
}
