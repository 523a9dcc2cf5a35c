package remote

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/mcp/internal/asked"
)

// questions are events of a server that asks.
func questions(first, n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "id: %d\ndata:  {\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"elicitation/create\",\"params\":{}}\n\n", first+i, first+i)
	}
	return out.String()
}

func TestAServerMayAskSoMuch(t *testing.T) {
	t.Parallel()
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }))
	var log bytes.Buffer
	r := newRemote(t, server.URL, func(o *Options) {
		o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelInfo}))
	})
	passed := func(stream string) int {
		t.Helper()
		out, err := io.ReadAll(r.newEvents(&http.Request{}, io.NopCloser(strings.NewReader(stream)), eventOptions{}))
		if err != nil {
			t.Fatal(err)
		}
		if ids := strings.Count(string(out), "id: "); ids != strings.Count(stream, "id: ") {
			t.Errorf("%d ids of events are left", ids)
		}
		return strings.Count(string(out), "elicitation/create")
	}
	if n := passed(questions(0, asked.Most+20)); n != asked.Most {
		t.Errorf("%d requests passed", n)
	}
	if n := strings.Count(log.String(), "busy: 100 requests are not answered yet"); n != 1 {
		t.Errorf("it was logged %d times:\n%s", n, log.String())
	}
	for id := range 3 {
		response, err := r.Client().Post(server.URL, "application/json", strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, id)))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	if n := passed(questions(1000, 5)); n != 3 {
		t.Errorf("%d requests passed after three answers", n)
	}
}

// What is answered is free again, however much that is in all.
func TestAServerMayAskForLong(t *testing.T) {
	t.Parallel()
	server := sdk.NewServer(&sdk.Implementation{Name: "asks", Version: "1"}, nil)
	t.Cleanup(func() {
		for session := range server.Sessions() {
			session.Close()
		}
	})
	sdk.AddTool(server, &sdk.Tool{Name: "echo"}, func(ctx context.Context, req *sdk.CallToolRequest, in echoInput) (*sdk.CallToolResult, any, error) {
		for range in.Steps {
			if err := req.Session.Ping(ctx, nil); err != nil {
				return nil, nil, err
			}
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: in.Text}}}, nil, nil
	})
	at := serve(t, sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil))
	r := newRemote(t, at.URL, nil)
	session := connect(t, r, sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil), &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "echo", Arguments: echoInput{Text: "done", Steps: 2 * asked.Most}})
	if err != nil || result.IsError {
		t.Errorf("got %+v, %v", result, err)
	}
}
