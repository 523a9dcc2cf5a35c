package mcp_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"helve/mcp"
)

// A server of the newest protocol alone wants a login of its first question. That it does
// not understand the older handshake, which is tried next, is not what the person must
// know.
func TestNewestProtocolWantsALogin(t *testing.T) {
	t.Parallel()
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Method string `json:"method"`
		}
		body, _ := io.ReadAll(r.Body)
		if r.Method != http.MethodPost || json.Unmarshal(body, &asked) != nil {
			http.NotFound(w, r)
			return
		}
		if asked.Method == "initialize" {
			http.Error(w, "Missing MCP-Protocol-Version header", http.StatusBadRequest)
			return
		}
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+server.URL+`/nowhere"`)
		http.Error(w, "who are you?", http.StatusUnauthorized)
	}))
	t.Cleanup(server.Close)
	client, err := mcp.New(mcp.Config{Name: "guarded", URL: server.URL + "/mcp"}, mcp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	_, err = client.Tools(t.Context())
	var needed *mcp.LoginNeededError
	if !errors.As(err, &needed) {
		t.Errorf("Tools: %v, want that a login is needed", err)
	}
	if s := client.Status(); s.State != mcp.NeedsAuth {
		t.Errorf("status: %+v", s)
	}
}
