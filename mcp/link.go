package mcp

import (
	"context"
	"encoding/json"

	"helve/tool"
)

// link is a connection that works, of one kind of server.
type link interface {
	// list returns the server's tools, each as it stands in tools/list.
	list(ctx context.Context) ([]json.RawMessage, error)

	// call calls a tool by the server's own name for it. An error that is a [*lost]
	// says whether the tool may have run.
	call(name string, w *waiting) (tool.Result, error)

	done() <-chan struct{} // closed when the connection is over
	explain(error) error   // err with what else is known of the connection's end
	about() (server, protocol string)
	stray() int
	close()
}

// lost is the error of a call whose answer did not come.
type lost struct {
	ran bool // it may have; false is certain
	err error
}

func (e *lost) Error() string { return e.err.Error() }
func (e *lost) Unwrap() error { return e.err }
