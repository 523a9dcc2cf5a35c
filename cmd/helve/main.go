// Command helve lets any language model use tools. Run "helve --help".
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	os.Exit(execute(os.Args[1:], stdio{os.Stdin, &checked{File: os.Stdout}, os.Stderr}))
}

// ending are the signals that end the program, after it has ended the programs of its
// tools. That a terminal is closed counts too, if nohup does not say otherwise.
func ending() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// execute runs a command line and returns its exit code.
func execute(args []string, std stdio) int {
	ctx, stop := signal.NotifyContext(context.Background(), ending()...)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	app := &app{std: std}
	defer app.end()
	root := app.command()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil && ctx.Err() != nil {
		err = errInterrupted
	}
	if out, ok := std.out.(*checked); ok && out.failure != nil && err == nil {
		err = &failure{exitUnexpected, "output", out.failure, ""}
	}
	return app.exit(err)
}
