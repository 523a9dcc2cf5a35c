package serve_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"helve/executor"
	"helve/mcp/serve"
	"helve/tool"
)

func TestMain(m *testing.M) {
	if os.Getenv("HELVE_TEST_GUARD") != "" {
		guarded()
		return
	}
	goleak.VerifyTestMain(m)
}

// eras are the protocol versions that differ for a server.
var eras = []string{"2024-11-05", "2025-11-25", "2026-07-28"}

// transports connect a client to a server. The client's requests end with the test.
var transports = map[string]func(t *testing.T, s *serve.Server, client *sdk.Client, version string) *sdk.ClientSession{
	"stdio": overStdio,
	"http":  overHTTP,
}

// everywhere runs a test for both transports and each era.
func everywhere(t *testing.T, test func(t *testing.T, version string, connect func(*serve.Server, *sdk.Client) *sdk.ClientSession)) {
	for name, transport := range transports {
		for _, version := range eras {
			t.Run(name+" "+version, func(t *testing.T) {
				t.Parallel()
				test(t, version, func(s *serve.Server, c *sdk.Client) *sdk.ClientSession { return transport(t, s, c, version) })
			})
		}
	}
}

func overStdio(t *testing.T, s *serve.Server, client *sdk.Client, version string) *sdk.ClientSession {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- s.ServeStdio(context.Background(), in, out) }()
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		if err := <-ended; err != nil {
			t.Errorf("ServeStdio: %v", err)
		}
	})
	return session
}

func overHTTP(t *testing.T, s *serve.Server, client *sdk.Client, version string) *sdk.ClientSession {
	t.Helper()
	server := listen(t, s, serve.HTTP{})
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: server.Client()}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func listen(t *testing.T, s *serve.Server, h serve.HTTP) *httptest.Server {
	t.Helper()
	handler, err := s.Handler(h)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		s.Close()
		server.CloseClientConnections()
		server.Client().CloseIdleConnections()
		server.Close()
	})
	return server
}

// newServer serves tools, and logs into the test's own log.
func newServer(t *testing.T, o serve.Options, c serve.Content, tools ...tool.Tool) *serve.Server {
	t.Helper()
	registry, err := tool.NewRegistry(tools...)
	if err != nil {
		t.Fatal(err)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := serve.New(o)
	t.Cleanup(func() { s.Close() })
	c.Executor = executor.New(executor.Config{Tools: registry, Logger: o.Log})
	c.Tools = tools
	if err := s.Set(c); err != nil {
		t.Fatal(err)
	}
	return s
}

func newClient(o *sdk.ClientOptions) *sdk.Client {
	return sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, o)
}

func call(t *testing.T, session *sdk.ClientSession, name string, args any) *sdk.CallToolResult {
	t.Helper()
	r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func text(t *testing.T, r *sdk.CallToolResult) string {
	t.Helper()
	if len(r.Content) == 0 {
		t.Fatal("no content")
	}
	c, ok := r.Content[0].(*sdk.TextContent)
	if !ok {
		t.Fatalf("content is a %T", r.Content[0])
	}
	return c.Text
}

type none struct{}

func simple[Out any](name string, f func(ctx context.Context) (Out, error), options ...tool.Option) tool.Tool {
	return tool.Must(tool.New(name, "Test "+name+".", func(ctx context.Context, _ none) (Out, error) { return f(ctx) }, options...))
}

// logBuffer is a log that a test reads while it is written.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func (b *logBuffer) logger() *slog.Logger { return slog.New(slog.NewTextHandler(b, nil)) }

// soon waits for what another goroutine does.
func soon(t *testing.T, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("waited too long for " + what)
	}
}
