// Command mcp measures what helve adds to the official Go SDK of the Model Context
// Protocol, and writes the tables of docs/performance.md.
//
//	cd benchmarks
//	go run ./mcp                          # all, about five minutes
//	go run ./mcp -only 'client.*stdio'    # the rows that a pattern fits
//	GOGC=400 go run ./mcp                 # with less garbage collection, on both sides
//
// A helve program and a bare SDK program take turns, round after round, so that what
// else the machine does falls on both alike.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime/pprof"
	"time"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "mcp:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	rounds := flag.Int("rounds", 40, "how often each side takes its turn")
	each := flag.Duration("each", 25*time.Millisecond, "about how long a turn takes")
	only := flag.String("only", "", "a regular expression: the rows to measure")
	cpu := flag.String("cpuprofile", "", "write what helve's turns spend here, of a client")
	lives := flag.Bool("lives", true, "also measure connecting, long lists and idle clients")
	var as served
	flag.StringVar(&as.by, "serve", "", "be a server instead: bare or helve")
	flag.BoolVar(&as.http, "http", false, "as a server: over HTTP, until standard input ends")
	flag.BoolVar(&as.json, "json", false, "as a bare server over HTTP: answer with JSON instead of events")
	flag.BoolVar(&as.stateless, "stateless", false, "as a bare server over HTTP: keep no sessions")
	flag.IntVar(&as.tools, "tools", 0, "as a server: how many tools there are besides those that are called")
	flag.Parse()
	if as.by != "" {
		return serveUntilEOF(ctx, as)
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	stop, err := profile(*cpu)
	if err != nil {
		return err
	}
	defer stop()
	fmt.Printf("GOGC=%s. Load before: %s.\n\n", cmp.Or(os.Getenv("GOGC"), "100"), load())
	writeHead(os.Stdout)
	for _, c := range cases() {
		if !pattern.MatchString(c.String()) {
			continue
		}
		turns, err := c.measure(ctx, *rounds, *each)
		if err != nil {
			return fmt.Errorf("%v: %w", c, err)
		}
		writeRow(os.Stdout, c, turns)
	}
	fmt.Printf("\nLoad after: %s.\n\n", load())
	if *lives {
		return writeLives(ctx, os.Stdout)
	}
	return nil
}

func profile(path string) (stop func(), err error) {
	if path == "" {
		return func() {}, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, err
	}
	return func() { pprof.StopCPUProfile(); f.Close() }, nil
}
