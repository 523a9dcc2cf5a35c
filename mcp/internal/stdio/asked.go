package stdio

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"helve/internal/excerpt"
	"helve/mcp/internal/asked"
)

// patience is how long a server that asks too much may take to read an answer. Meanwhile
// nothing is read from it.
const patience = 10 * time.Second

// codeBusy is JSON-RPC's for an error of the one who was asked.
const codeBusy = -32603

// pass says whether the SDK may see a message. It may not see a request beyond those that
// may be open: that is refused here. The error is for a server that doesn't read.
func (c *connection) pass(ctx context.Context, message jsonrpc.Message) (bool, error) {
	request, ok := message.(*jsonrpc.Request)
	if !ok || !request.IsCall() {
		return true, nil
	}
	err := c.open.Begin(request.ID)
	if err == nil {
		return true, nil
	}
	level := slog.LevelWarn
	if c.refused {
		level = slog.LevelDebug // it was said
	}
	c.refused = true
	c.process.log.Log(ctx, level, "a request of an MCP server was refused", "method", excerpt.Of(request.Method, 100), "error", err)
	if errors.Is(err, asked.ErrTwice) {
		return false, nil
	}
	return false, c.refuse(ctx, request.ID, err)
}

// refuse answers a request. Writing waits for the server; one that never reads is not
// waited for, and so ends the connection. Its input is closed, for those who wait to
// write to it.
func (c *connection) refuse(ctx context.Context, id jsonrpc.ID, why error) error {
	limited, stop := context.WithTimeout(ctx, c.patience)
	defer stop()
	err := c.Write(limited, &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: codeBusy, Message: why.Error()}})
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	err = fmt.Errorf("the server asks and does not read the answers: %d of its requests are open, and nothing could be written for %v", asked.Most, c.patience)
	c.process.hangUp(err)
	c.process.in.Close()
	return err
}
