package stdio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/executor"
	"helve/mcp/internal/asked"
)

// ErrNotWritten says that the server did not get the end of a message, and never will:
// it reads no more. So it has not done what the message wants.
var ErrNotWritten = errors.New("writing to the server")

// transport gives out the one connection of a process.
type transport struct {
	process *Process
	used    atomic.Bool
}

// Connect fails the second time.
func (t *transport) Connect(context.Context) (sdk.Connection, error) {
	if t.used.Swap(true) {
		return nil, errors.New("a server's process has one connection, and it was made before: start another")
	}
	p := t.process
	c := &connection{process: p, turn: make(chan struct{}, 1), patience: patience}
	c.in = newLines(output{p}, c.stray)
	return c, nil
}

// connection is [sdk.Connection] over the pipes of a process. It is the SDK's own
// connection for newline-delimited JSON without its second decoding of each message and
// its goroutine.
type connection struct {
	process *Process
	in      *lines
	queue   []jsonrpc.Message // the rest of a batch; Read's, which is not called concurrently

	open     asked.Open // requests of the server
	refused  bool       // some of them were; Read's
	patience time.Duration

	turn chan struct{} // full while somebody writes
	rest []byte        // of a message whose writer left; turn's
}

func (c *connection) SessionID() string { return "" }

// Close closes the process.
func (c *connection) Close() error { return c.process.Close() }

// Read returns the next message. It ends when the process closes its output or is
// closed; ctx is looked at first only, as the SDK's never ends.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		message, err := c.next(ctx)
		if err != nil {
			return nil, err
		}
		passed, err := c.pass(ctx, message)
		if passed || err != nil {
			return message, err
		}
	}
}

// next returns the next message, whatever it is.
func (c *connection) next(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(c.queue) > 0 {
			first := c.queue[0]
			c.queue = c.queue[1:]
			return first, nil
		}
		data, err := c.in.next()
		if errors.Is(err, io.EOF) {
			c.process.hangUp(nil)
			return nil, err
		}
		if err != nil {
			c.process.hangUp(err)
			return nil, err
		}
		if message := c.take(data); message != nil {
			return message, nil
		}
	}
}

// take mends and decodes a message, or the messages of a batch into the queue.
func (c *connection) take(data []byte) jsonrpc.Message {
	if data[0] != '[' {
		message, err := c.message(data)
		if err != nil {
			c.stray(data)
		}
		return message
	}
	batch, err := cutBatch(data)
	if err != nil {
		c.process.log.Warn("a batch of messages from an MCP server was not read", "error", err)
	}
	read := len(batch) > 0
	for _, one := range batch {
		message, err := c.message(one)
		if message != nil {
			c.queue = append(c.queue, message)
		}
		read = read && err == nil
	}
	if !read {
		c.stray(data)
	}
	return nil
}

// message mends and decodes one message. It returns nil where mending leaves nothing.
func (c *connection) message(data []byte) (jsonrpc.Message, error) {
	if mend := c.process.command.Mend; mend != nil {
		if data = mend(data); len(data) == 0 {
			return nil, nil
		}
	}
	return decode(data)
}

// decode reads one message. Where it is an answer that can't be read, the call should
// fail and say why, and not wait for ever.
func decode(data []byte) (jsonrpc.Message, error) {
	message, err := jsonrpc.DecodeMessage(data)
	if err == nil {
		return message, nil
	}
	var answer struct {
		Version string `json:"jsonrpc"`
		ID      any    `json:"id"`
		Method  any    `json:"method"`
		Result  any    `json:"result"`
	}
	ours := json.Unmarshal(data, &answer) == nil && answer.ID != nil && answer.Method == nil && (answer.Version == "2.0" || answer.Result != nil)
	if !ours {
		return nil, err // such as a log in JSON
	}
	id, e := jsonrpc.MakeID(answer.ID)
	if e != nil {
		return nil, err
	}
	return &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: fmt.Sprintf("the server's answer can't be read: %v", err)}}, nil
}

// maxStray is how much of a line that is no message is logged, in bytes.
const maxStray = 200

func (c *connection) stray(line []byte) {
	p := c.process
	p.stray.Add(1)
	if p.log.Enabled(context.Background(), slog.LevelDebug) { // what follows costs
		p.log.Debug("an MCP server wrote to its standard output what is no message",
			"text", executor.RedactExcerpt(string(clean(line)), maxStray))
	}
}

// Write sends a message. It returns early when ctx ends or the process is closed. A
// message of which a part was written by then is finished before the next one.
func (c *connection) Write(ctx context.Context, message jsonrpc.Message) error {
	if answer, ok := message.(*jsonrpc.Response); ok {
		defer c.open.Answer(answer.ID)()
	}
	data, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return fmt.Errorf("a message can't be written as JSON: %w", err)
	}
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return ctx.Err()
	case <-c.process.closing:
		return sdk.ErrConnectionClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	stop := c.deadline(ctx)
	defer stop()
	if err := c.send(ctx); err != nil {
		return err
	}
	c.rest = append(data, '\n')
	if err := c.send(ctx); err != nil {
		if len(c.rest) == len(data)+1 {
			c.rest = nil // nothing of it was written: the server never gets it
		}
		return err
	}
	return nil
}

// send writes the rest, as far as it comes.
func (c *connection) send(ctx context.Context) error {
	if len(c.rest) == 0 {
		return nil
	}
	n, err := c.process.in.Write(c.rest)
	c.rest = c.rest[n:]
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return ctx.Err()
	case errors.Is(err, os.ErrClosed):
		return sdk.ErrConnectionClosed
	}
	c.process.hangUp(nil)
	return fmt.Errorf("%w: %w", ErrNotWritten, err)
}

// deadline makes writing end with ctx, until stop is called.
func (c *connection) deadline(ctx context.Context) (stop func()) {
	in := c.process.in
	if ctx.Done() == nil {
		return func() {}
	}
	over := make(chan struct{})
	cancel := context.AfterFunc(ctx, func() {
		defer close(over)
		_ = in.SetWriteDeadline(time.Unix(1, 0)) // it may be closed, or of a system that can't
	})
	return func() {
		if !cancel() {
			<-over
			_ = in.SetWriteDeadline(time.Time{})
		}
	}
}

// output reads what the process prints. A process that got away may hold the pipe
// open; after the server's end it is listened to only while it goes on talking.
type output struct{ process *Process }

func (o output) Read(p []byte) (int, error) {
	out := o.process.out
	select {
	case <-o.process.done:
		_ = out.SetReadDeadline(time.Now().Add(grace)) // not on every system
	default:
	}
	n, err := out.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, os.ErrClosed) {
		err = io.EOF
	}
	return n, err
}
