package serve_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"helve/mcp/serve"
	"helve/tool"
)

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// post sends body as a client would, with other headers too, and returns the answer
// without its body.
func post(t *testing.T, method, url, host, body string, header map[string]string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for k, v := range header {
		req.Header.Set(k, v)
	}
	if host != "" {
		req.Host = host
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	return resp
}

func TestDoors(t *testing.T) {
	t.Parallel()
	s := newServer(t, serve.Options{}, serve.Content{}, simple("a", hello))
	server := listen(t, s, serve.HTTP{Tokens: []serve.Secret{"right", "also"}, Origins: []string{"https://App.example.com:443"}, Hosts: []string{"mcp.example.com"}})
	own := server.URL
	for _, test := range []struct {
		name, host, origin, token string
		want                      int
	}{
		{"as it should be", "", "", "right", 200},
		{"another token", "", "", "also", 200},
		{"no token", "", "", "", 401},
		{"wrong token", "", "", "wrong", 401},
		{"a name of this machine", "localhost:80", "", "right", 200},
		{"an address of this machine", "[::1]:80", "", "right", 200},
		{"a configured name", "MCP.example.com:8443", "", "right", 200},
		{"another's name", "evil.example.com", "", "right", 403},
		{"no port, no name", ":80", "", "right", 403},
		{"its own page", "", own, "right", 200},
		{"its own page by the configured name", "mcp.example.com", "https://mcp.example.com", "right", 200},
		{"an allowed page", "", "https://app.example.com", "right", 200},
		{"the same by another scheme", "", "http://app.example.com", "right", 403},
		{"another page", "", "https://evil.example.com", "right", 403},
		{"a page that hides", "", "null", "right", 403},
		{"rebinding", "evil.example.com", "http://evil.example.com", "right", 403},
	} {
		header := map[string]string{}
		if test.origin != "" {
			header["Origin"] = test.origin
		}
		if test.token != "" {
			header["Authorization"] = "Bearer " + test.token
		}
		resp := post(t, "POST", own, test.host, initialize, header)
		if resp.StatusCode != test.want {
			t.Errorf("%s: %d, want %d", test.name, resp.StatusCode, test.want)
		}
		if challenge := resp.Header.Get("WWW-Authenticate"); (challenge != "") != (test.want == 401) || test.token == "wrong" && !strings.Contains(challenge, "invalid_token") {
			t.Errorf("%s: WWW-Authenticate: %q", test.name, challenge)
		}
		allowed := resp.Header.Get("Access-Control-Allow-Origin")
		if (allowed != "") != (test.origin != "" && test.want == 200) || allowed == "*" {
			t.Errorf("%s: Access-Control-Allow-Origin: %q", test.name, allowed)
		}
	}

	resp := post(t, "OPTIONS", own, "", "", map[string]string{"Origin": "https://app.example.com", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "mcp-param-region, x-evil, mcp-param-\xff"})
	if h := resp.Header; resp.StatusCode != 204 || !strings.Contains(h.Get("Access-Control-Allow-Headers"), "mcp-param-region") || strings.Contains(h.Get("Access-Control-Allow-Headers"), "evil") ||
		!strings.Contains(h.Get("Access-Control-Expose-Headers"), "Mcp-Session-Id") {
		t.Errorf("preflight: %d %v", resp.StatusCode, resp.Header)
	}
	if resp := post(t, "OPTIONS", own, "", "", map[string]string{"Origin": "https://evil.example.com"}); resp.StatusCode != 403 {
		t.Errorf("preflight of another page: %d", resp.StatusCode)
	}
}

// TestDoorsOfAPublicAddress has no names to go by, so that a page that says it is of
// the server's own origin proves nothing.
func TestDoorsOfAPublicAddress(t *testing.T) {
	t.Parallel()
	handler, err := newServer(t, serve.Options{}, serve.Content{}).Handler(serve.HTTP{})
	if err != nil {
		t.Fatal(err)
	}
	for origin, want := range map[string]int{"": 405, "http://evil.example.com": 403} {
		r := httptest.NewRequest("PUT", "http://evil.example.com/", nil)
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("origin %q: %d, want %d", origin, w.Code, want)
		}
	}
}

func TestBadHTTPOptions(t *testing.T) {
	t.Parallel()
	s := serve.New(serve.Options{})
	defer s.Close()
	for _, h := range []serve.HTTP{
		{Origins: []string{"*"}}, {Origins: []string{"app.example.com"}}, {Origins: []string{"https://a/b"}}, {Origins: []string{"null"}},
		{Hosts: []string{""}}, {Tokens: []serve.Secret{""}}, {Tokens: []serve.Secret{"a b"}},
	} {
		if _, err := s.Handler(h); err == nil || strings.Contains(err.Error(), "a b") {
			t.Errorf("%v: %v", h, err)
		}
	}
}

func TestBodyLimit(t *testing.T) {
	t.Parallel()
	server := listen(t, newServer(t, serve.Options{}, serve.Content{}), serve.HTTP{})
	big := `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 4<<20) + `"}`
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		if resp := post(t, "POST", server.URL, "", big, map[string]string{"MCP-Protocol-Version": version}); resp.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %d", version, resp.StatusCode)
		}
	}
}

// TestSessionLimit has one client take all sessions, and more. Its own are ended for
// it, the longest idle first; another's stays, and another still comes in.
func TestSessionLimit(t *testing.T) {
	t.Parallel()
	server := listen(t, newServer(t, serve.Options{}, serve.Content{}), serve.HTTP{Tokens: []serve.Secret{"greedy", "other", "late"}})
	begin := func(token string) (id string) {
		t.Helper()
		resp := post(t, "POST", server.URL, "", initialize, map[string]string{"Authorization": "Bearer " + token})
		if id = resp.Header.Get("Mcp-Session-Id"); resp.StatusCode != 200 || id == "" {
			t.Fatalf("%s: %d, session %q", token, resp.StatusCode, id)
		}
		return id
	}
	lives := func(token, id string) bool {
		t.Helper()
		return post(t, "POST", server.URL, "", `{"jsonrpc":"2.0","id":2,"method":"ping"}`, map[string]string{
			"Authorization": "Bearer " + token, "Mcp-Session-Id": id, "MCP-Protocol-Version": "2025-11-25"}).StatusCode == 200
	}
	other := begin("other")
	var greedy []string
	for range 999 {
		greedy = append(greedy, begin("greedy"))
	}
	if !lives("greedy", greedy[0]) { // and is now the latest used
		t.Error("a session ended while there was room")
	}
	late := begin("late")
	greedy = append(greedy, begin("greedy"))
	for i, want := range map[int]bool{0: true, 1: false, 2: false, 3: true, 999: true} {
		if got := lives("greedy", greedy[i]); got != want {
			t.Errorf("session %d of the greedy one lives: %t", i, got)
		}
	}
	if !lives("other", other) || !lives("late", late) {
		t.Error("another client's session ended")
	}
}

// TestSessionOfAnother has a client go on in a session that another token began.
func TestSessionOfAnother(t *testing.T) {
	t.Parallel()
	server := listen(t, newServer(t, serve.Options{}, serve.Content{}), serve.HTTP{Tokens: []serve.Secret{"one", "two"}})
	id := post(t, "POST", server.URL, "", initialize, map[string]string{"Authorization": "Bearer one"}).Header.Get("Mcp-Session-Id")
	if id == "" {
		t.Fatal("no session")
	}
	for token, want := range map[string]int{"one": 200, "two": 403} {
		resp := post(t, "POST", server.URL, "", `{"jsonrpc":"2.0","id":2,"method":"ping"}`, map[string]string{"Authorization": "Bearer " + token, "Mcp-Session-Id": id, "MCP-Protocol-Version": "2025-11-25"})
		if resp.StatusCode != want {
			t.Errorf("%s: %d", token, resp.StatusCode)
		}
	}
}

// TestHangUp ends a call of a client that hangs up and can't come back.
func TestHangUp(t *testing.T) {
	t.Parallel()
	begun, ended := make(chan struct{}), make(chan struct{})
	s := newServer(t, serve.Options{}, serve.Content{}, simple("wait", func(ctx context.Context) (string, error) {
		close(begun)
		<-ctx.Done()
		close(ended)
		return "", ctx.Err()
	}))
	server := listen(t, s, serve.HTTP{})
	ctx, cancel := context.WithCancel(t.Context())
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	req, _ := http.NewRequestWithContext(ctx, "POST", server.URL, strings.NewReader(body))
	for k, v := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "wait"} {
		req.Header.Set(k, v)
	}
	go func() {
		<-begun
		cancel()
	}()
	if resp, err := http.DefaultClient.Do(req); err == nil {
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	soon(t, "the tool to end", ended)
}

// TestCloseStream has a tool close its stream. The client comes back for the result.
func TestCloseStream(t *testing.T) {
	t.Parallel()
	closes := func(name string, after any) tool.Tool {
		return simple(name, func(ctx context.Context) (string, error) {
			tool.RuntimeFrom(ctx).Callback(serve.CloseStream, after)
			return "after it was closed", nil
		})
	}
	inProcess := closes("close", 20*time.Millisecond)
	elsewhere := closes("close_from_elsewhere", json.RawMessage(`20000000`)) // as the callback of a Go function arrives
	for _, version := range eras {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			session := overHTTP(t, newServer(t, serve.Options{}, serve.Content{}, inProcess, elsewhere), newClient(nil), version)
			for _, name := range []string{"close", "close_from_elsewhere"} {
				if got := text(t, call(t, session, name, nil)); got != "after it was closed" {
					t.Error(name, got)
				}
			}
		})
	}
}

// TestSessionEnds has a client that says nothing for longer than it may.
func TestSessionEnds(t *testing.T) {
	t.Parallel()
	server := listen(t, newServer(t, serve.Options{}, serve.Content{}), serve.HTTP{SessionTimeout: 50 * time.Millisecond})
	id := post(t, "POST", server.URL, "", initialize, nil).Header.Get("Mcp-Session-Id")
	// Its stream ends with the session.
	post(t, "GET", server.URL, "", "", map[string]string{"Mcp-Session-Id": id, "MCP-Protocol-Version": "2025-11-25"})
	resp := post(t, "POST", server.URL, "", `{"jsonrpc":"2.0","id":2,"method":"ping"}`, map[string]string{"Mcp-Session-Id": id, "MCP-Protocol-Version": "2025-11-25"})
	if resp.StatusCode != http.StatusNotFound {
		t.Errorf("%d, want 404", resp.StatusCode)
	}
}
