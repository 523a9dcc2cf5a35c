package serve_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/mcp/serve"
)

const callWait = initialize + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
	`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait"}}` + "\n"

// TestStdioEnds ends the server while a call runs. The call ends with it.
func TestStdioEnds(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"context", "Close"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			begun := make(chan struct{})
			s := newServer(t, serve.Options{}, serve.Content{}, simple("wait", func(ctx context.Context) (string, error) {
				close(begun)
				<-ctx.Done()
				return "", ctx.Err()
			}))
			in, toServer := io.Pipe()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error, 1)
			done := make(chan struct{})
			go func() {
				defer close(done)
				ended <- s.ServeStdio(ctx, in, discard{})
			}()
			io.WriteString(toServer, callWait)
			soon(t, "the tool", begun)
			if how == "context" {
				cancel()
			} else {
				s.Close()
			}
			soon(t, "the server to end", done)
			if err := <-ended; how == "context" && !errors.Is(err, context.Canceled) || how == "Close" && err != nil {
				t.Error(err)
			}
		})
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

// TestStdioAnswersBeforeItEnds has a client that writes its requests and closes, as a
// shell's pipe does.
func TestStdioAnswersBeforeItEnds(t *testing.T) {
	t.Parallel()
	s := newServer(t, serve.Options{}, serve.Content{}, simple("wait", hello))
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- s.ServeStdio(t.Context(), io.NopCloser(strings.NewReader(callWait)), out) }()
	lines := bufio.NewScanner(fromServer)
	var got []string
	for lines.Scan() {
		got = append(got, lines.Text())
	}
	if len(got) != 2 || !strings.Contains(got[1], `"hello"`) {
		t.Errorf("%q", got)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestStdioLeaves has clients leave that wait for notifications: that is no error.
func TestStdioLeaves(t *testing.T) {
	t.Parallel()
	s := newServer(t, serve.Options{}, serve.Content{}, simple("wait", hello))
	for range 100 {
		in, toServer := io.Pipe()
		fromServer, out := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- s.ServeStdio(t.Context(), in, out) }()
		client := sdk.NewClient(&sdk.Implementation{Name: "c"}, &sdk.ClientOptions{ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {}})
		session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := session.ListTools(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		session.Close()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
}
