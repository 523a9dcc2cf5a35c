package mcp_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"helve/mcp"
	"helve/tool"
)

// echoesKey is a server whose errors hold what it was sent: its key.
func echoesKey(t *testing.T, answer string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		said := fmt.Sprintf("I was sent %q and %q", r.Header.Get("Authorization"), r.Header.Get("X-Tenant"))
		if r.URL.Path == "/execute" {
			_ = json.NewEncoder(w).Encode(map[string]any{"error": said})
			return
		}
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `[{"name": "a", "description": "Tells a.", "parameters": {"type": "object"}}]`)
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
		}
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &m)
		member, value := "result", any(nil)
		switch {
		case m.Method == "initialize":
			value = json.RawMessage(`{"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "x", "version": "1"}}`)
		case m.Method == "tools/list":
			value = json.RawMessage(`{"tools": [{"name": "a", "description": "Tells a.", "inputSchema": {"type": "object"}}]}`)
		case m.Method == "tools/call" && answer == "error":
			member, value = "error", map[string]any{"code": -32000, "message": said}
		case m.Method == "tools/call":
			value = map[string]any{"isError": true, "content": []any{map[string]string{"type": "text", "text": said}}}
		default:
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": m.ID, member: value})
	}))
	t.Cleanup(s.Close)
	return s
}

// TestAServersErrorShowsNoSecret, neither to the model nor to a log, also without a host
// that takes secrets out.
func TestAServersErrorShowsNoSecret(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"error", "result", "rest"} {
		t.Run(answer, func(t *testing.T) {
			t.Parallel()
			config := mcp.Config{
				Name: "s", URL: echoesKey(t, answer).URL, Protocol: "2025-11-25", APIKey: "open-sesame-1",
				Headers: map[string]mcp.Secret{"X-Tenant": "Tenant forty-thieves"}, Type: mcp.HTTP,
			}
			if answer == "rest" {
				config.Type, config.Protocol = mcp.REST, ""
			}
			options := mcp.Options{AllowPrivate: true, Redact: func(s string) string { return strings.ReplaceAll(s, "I was sent", "[host]") }}
			client, err := mcp.New(config, options)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { client.Close() })
			tools, err := client.Tools(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			_, err = tools[0].Call(t.Context(), tool.Call{ID: "1", Arguments: []byte("{}")})
			failed, ok := errors.AsType[*tool.Error](err)
			if !ok {
				t.Fatalf("got %v", err)
			}
			for _, text := range []string{failed.Message, err.Error()} {
				if strings.Contains(text, "sesame") || strings.Contains(text, "thieves") || !strings.Contains(text, "[secret]") || !strings.Contains(text, "[host]") {
					t.Errorf("got %s", text)
				}
			}
		})
	}
}
