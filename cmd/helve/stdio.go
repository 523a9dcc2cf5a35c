package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// stdio is where a command reads and writes.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// checked remembers that a write failed, so that a full disk is no success.
type checked struct {
	*os.File
	failure error
}

func (c *checked) Write(data []byte) (int, error) {
	n, err := c.File.Write(data)
	if err != nil && c.failure == nil {
		c.failure = err
	}
	return n, err
}

func isTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// printable takes out of text what could command a terminal: what a model says
// and what a tool reads come from strangers.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r >= ' ' && r != 0x7f && (r < 0x80 || r >= 0xa0) {
			return r
		}
		return -1
	}, text)
}

// interruptible reads in a goroutine, because a read from a pipe can't be stopped
// and Ctrl-C, or the end of the time, must end the program all the same. most is
// in bytes.
func interruptible(ctx context.Context, open func() (io.Reader, error), most int) ([]byte, error) {
	type outcome struct {
		data []byte
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		var r io.Reader
		if r, o.err = open(); o.err == nil {
			o.data, o.err = io.ReadAll(io.LimitReader(r, int64(most)+1))
		}
		if c, ok := r.(io.Closer); ok {
			c.Close()
		}
		done <- o
	}()
	select {
	case o := <-done:
		if o.err == nil && len(o.data) > most {
			o.err = fmt.Errorf("it has more than %d bytes", most)
		}
		return o.data, o.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// readStdin reads standard input to its end.
func (a *app) readStdin(ctx context.Context, most int) ([]byte, error) {
	return interruptible(ctx, func() (io.Reader, error) { return io.NopCloser(a.std.in), nil }, most)
}

func readFile(ctx context.Context, name string, most int) ([]byte, error) {
	return interruptible(ctx, func() (io.Reader, error) { return os.Open(name) }, most)
}
