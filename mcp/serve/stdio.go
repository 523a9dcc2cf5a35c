package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// ServeStdio serves one client, which writes to in and reads from out, until it closes
// in, ctx ends, or the server is closed. It closes both. A client that closes in gets
// the answers to what it has asked, if they come within ten seconds; otherwise the
// calls that run end with the connection. The error is that of ctx if it ended, and nil
// if the client left. A line that is no message, or one of more than 16 MiB, is answered
// with an error, and those after it are read.
func (s *Server) ServeStdio(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	ending, end := context.WithCancelCause(s.closing)
	defer end(nil)
	defer context.AfterFunc(ctx, func() { end(context.Cause(ctx)) })()

	locked := &lockedWriter{WriteCloser: out}
	inner := &sdk.IOTransport{Reader: newLines(in, locked, s.log), Writer: locked, MaxLineLength: -1} // which newLines bounds
	whole := &wholeTransport{inner: inner, ending: ending, end: end, over: make(chan struct{})}
	defer close(whole.over)
	session, err := s.sdk.Connect(context.WithValue(context.WithoutCancel(ctx), endingKey{}, ending), whole, nil)
	if err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	defer context.AfterFunc(ending, func() { _ = session.Close() })()
	err = session.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case s.closing.Err() != nil, err == nil, left(err), left(context.Cause(ending)):
		return nil
	}
	return fmt.Errorf("mcp: the client's connection ended: %w", err)
}

// left reports that an error of a connection says no more than that the client is gone.
func left(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, syscall.EPIPE)
}

// lastAnswers is how long a client that will send no more is given its answers.
const lastAnswers = 10 * time.Second

// lastWrite is how long a client may take to read when its connection ends.
const lastWrite = time.Second

var errUnread = errors.New("the client does not read")

// wholeTransport answers what a client has asked before it lets the connection end. The
// SDK drops what it has not answered when its input ends, and a client that writes its
// requests and closes, as a shell's pipe does, would get nothing.
type wholeTransport struct {
	inner  sdk.Transport
	ending context.Context
	end    context.CancelCauseFunc
	over   chan struct{} // the client is not served any more
}

func (t *wholeTransport) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.inner.Connect(ctx)
	if err != nil {
		return nil, err
	}
	whole := &wholeConnection{Connection: c, transport: t, waiting: map[jsonrpc.ID]struct{}{}, answered: make(chan struct{}, 1), writes: make(chan writing)}
	go whole.writeAll()
	return whole, nil
}

type wholeConnection struct {
	sdk.Connection
	transport *wholeTransport

	mu       sync.Mutex
	waiting  map[jsonrpc.ID]struct{} // requests without an answer
	answered chan struct{}           // told of each answer

	writes chan writing
}

// writing is a message on its way to the client.
type writing struct {
	ctx     context.Context
	message jsonrpc.Message
	done    chan error
}

func (c *wholeConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if err != nil {
		c.finish(ctx)
		c.transport.end(err)
		return m, err
	}
	// A subscription is answered when it ends, which it does with the connection.
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() && r.Method != "subscriptions/listen" {
		c.mu.Lock()
		c.waiting[r.ID] = struct{}{}
		c.mu.Unlock()
	}
	return m, nil
}

func (c *wholeConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.write(ctx, m)
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return err
	}
	c.mu.Lock()
	delete(c.waiting, r.ID)
	c.mu.Unlock()
	select {
	case c.answered <- struct{}{}:
	default:
	}
	return err
}

// write has m written, and leaves it behind if the connection ends and the client does
// not read: a write to a pipe can't be interrupted.
func (c *wholeConnection) write(ctx context.Context, m jsonrpc.Message) error {
	w := writing{ctx, m, make(chan error, 1)}
	writes := c.writes
	ending := c.transport.ending.Done()
	var late <-chan time.Time
	for {
		select {
		case writes <- w:
			writes = nil
		case err := <-w.done:
			return err
		case <-ending:
			ending = nil
			timer := time.NewTimer(lastWrite)
			defer timer.Stop()
			late = timer.C
		case <-late:
			return errUnread
		}
	}
}

// writeAll writes what is to be written until the client is not served any more, in one
// goroutine: one for each message would have to grow its stack each time.
func (c *wholeConnection) writeAll() {
	for {
		select {
		case w := <-c.writes:
			w.done <- c.Connection.Write(w.ctx, w.message)
		case <-c.transport.over:
			return
		}
	}
}

// finish waits for the answers.
func (c *wholeConnection) finish(ctx context.Context) {
	late := time.NewTimer(lastAnswers)
	defer late.Stop()
	for {
		c.mu.Lock()
		left := len(c.waiting)
		c.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-c.answered:
		case <-late.C:
			return
		case <-ctx.Done():
			return
		case <-c.transport.ending.Done():
			return
		}
	}
}
