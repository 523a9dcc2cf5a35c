//lint:file-ignore SA1019 What 2026-07-28 deprecates, clients of every version still use.

package serve_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"helve/mcp/serve"
	"helve/message"
	"helve/tool"
)

// floods tells more than a connection that nobody reads can hold.
func floods(told chan<- struct{}) tool.Tool {
	return simple("flood", func(ctx context.Context) (string, error) {
		defer close(told)
		rt := tool.RuntimeFrom(ctx)
		for i := range 500 {
			rt.Output(message.Text(strings.Repeat("x", 64<<10)))
			rt.Progress(float64(i), 500, strings.Repeat("x", 64<<10))
		}
		return "done", nil
	})
}

const callFlood = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"flood","_meta":{"progressToken":"t","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"info"}}}`

// TestClientThatDoesNotRead has a client that asks and never reads. The call that it
// asked for does not wait for it.
func TestClientThatDoesNotRead(t *testing.T) {
	t.Parallel()
	t.Run("stdio", func(t *testing.T) {
		t.Parallel()
		told := make(chan struct{})
		s := newServer(t, serve.Options{}, serve.Content{}, floods(told))
		in, toServer := io.Pipe()
		fromServer, out := io.Pipe() // holds nothing
		ended := make(chan error, 1)
		go func() { ended <- s.ServeStdio(context.Background(), in, out) }()
		fmt.Fprintln(toServer, callFlood)
		soon(t, "the tool", told)
		defer fromServer.Close()
		s.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Run("http", func(t *testing.T) {
		t.Parallel()
		told := make(chan struct{})
		s := newServer(t, serve.Options{}, serve.Content{}, floods(told))
		server := listen(t, s, serve.HTTP{})
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: flood\r\nContent-Length: %d\r\n\r\n%s", len(callFlood), callFlood)
		soon(t, "the tool", told)
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			s.Close()
		}()
		soon(t, "the server to close", closed)
	})
}
