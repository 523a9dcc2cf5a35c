package badserver

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
)

// Record is what servers did. Servers in this process write to it at once; a program
// writes over a connection that it keeps for its whole life, so that the end of the
// connection is the end of the program, however it died. It is safe for concurrent use.
//
// Events are short texts: "ran echo", "canceled", "pid 123", "answered accept",
// "request POST /".
type Record struct {
	listener net.Listener
	readers  sync.WaitGroup

	mu      sync.Mutex
	changed chan struct{} // closed and replaced with every change
	events  []string
	living  int // connections of programs
	barrier int // connections of Gone
}

// NewRecord returns an empty record that listens for programs. Close it.
func NewRecord() (*Record, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &Record{listener: l, changed: make(chan struct{})}
	r.readers.Go(r.accept)
	return r, nil
}

// Addr is for [EnvRecord] of a program.
func (r *Record) Addr() string { return r.listener.Addr().String() }

// Close stops listening, and waits for what was being read. Programs end when their
// record does, so ask [Record.Gone] before.
func (r *Record) Close() error {
	err := r.listener.Close()
	r.readers.Wait()
	return err
}

// Events returns all so far. What programs did is complete after [Record.Gone].
func (r *Record) Events() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.events...)
}

// Count says how often that event was told.
func (r *Record) Count(event string) int {
	n := 0
	for _, e := range r.Events() {
		if e == event {
			n++
		}
	}
	return n
}

// Await waits until event was told n times.
func (r *Record) Await(ctx context.Context, event string, n int) error {
	return r.wait(ctx, func() error {
		if got := r.Count(event); got < n {
			return fmt.Errorf("%q was told %d times, not %d; all that was told: %q", event, got, n, r.Events())
		}
		return nil
	})
}

// First waits for an event that begins so, and returns the rest of it.
func (r *Record) First(ctx context.Context, prefix string) (rest string, err error) {
	err = r.wait(ctx, func() error {
		for _, e := range r.Events() {
			if after, ok := strings.CutPrefix(e, prefix); ok {
				rest = after
				return nil
			}
		}
		return fmt.Errorf("nothing that begins with %q was told: %q", prefix, r.Events())
	})
	return rest, err
}

// Gone waits until each program that ever said a word to its client is no more, and its
// children too.
func (r *Record) Gone(ctx context.Context) error {
	// Connections are accepted in their order: when this one was, so were all that a
	// program made before it spoke.
	c, err := net.Dial("tcp", r.Addr())
	if err != nil {
		return err
	}
	defer c.Close()
	r.mu.Lock()
	want := r.barrier + 1
	r.mu.Unlock()
	if _, err := fmt.Fprintln(c, barrierLine); err != nil {
		return err
	}
	return r.wait(ctx, func() error {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.barrier < want || r.living > 0 {
			return fmt.Errorf("%d programs are still there; told: %q", r.living, r.events)
		}
		return nil
	})
}

const barrierLine = "barrier"

// wait returns nil as soon as check does, and its error when ctx ends.
func (r *Record) wait(ctx context.Context, check func() error) error {
	for {
		r.mu.Lock()
		changed := r.changed
		r.mu.Unlock()
		err := check()
		if err == nil {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return err
		}
	}
}

func (r *Record) add(event string) { r.change(func() { r.events = append(r.events, event) }) }

func (r *Record) change(do func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	do()
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *Record) accept() {
	var open []net.Conn
	for {
		c, err := r.listener.Accept()
		if err != nil {
			break
		}
		open = append(open, c)
		r.change(func() { r.living++ })
		r.readers.Go(func() { r.read(c) })
	}
	for _, c := range open {
		c.Close()
	}
}

func (r *Record) read(c net.Conn) {
	program := true
	lines := bufio.NewScanner(c)
	for lines.Scan() {
		if lines.Text() != barrierLine {
			r.add(lines.Text())
			continue
		}
		program = false
		r.change(func() { r.barrier++; r.living-- })
	}
	if c.Close(); program {
		r.change(func() { r.living-- })
	}
}
