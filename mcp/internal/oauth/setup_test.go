package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/mcp/internal/oauth"
)

func start(t *testing.T) *world {
	t.Helper()
	w := newWorld()
	t.Cleanup(w.close)
	return w
}

func newClient(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func newStore(t *testing.T) *oauth.Store {
	t.Helper()
	return &oauth.Store{Dir: filepath.Join(t.TempDir(), "tokens")}
}

// browser is a person who says yes: it follows the address to the end.
func browser(t *testing.T) *oauth.Login {
	t.Helper()
	client := newClient(t)
	return &oauth.Login{Show: func(ctx context.Context, url string) error {
		_, err := get(ctx, client, url)
		return err
	}}
}

func get(ctx context.Context, client *http.Client, url string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func newHandler(t *testing.T, w *world, s *oauth.Store, login *oauth.Login, changes ...func(*oauth.Config)) *oauth.Handler {
	t.Helper()
	c := oauth.Config{Server: "notes", URL: w.url()}
	for _, change := range changes {
		change(&c)
	}
	h, err := oauth.New(c, s, newClient(t), login)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func logIn(t *testing.T, h *oauth.Handler) {
	t.Helper()
	if _, err := h.LogIn(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// call makes a connection of its own and calls the tool.
func call(t *testing.T, w *world, h auth.OAuthHandler) error {
	t.Helper()
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := c.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: w.url(), OAuthHandler: h, HTTPClient: newClient(t), DisableStandaloneSSE: true, MaxRetries: -1}, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "echo", Arguments: map[string]any{"text": "hello"}})
	if err != nil {
		return err
	}
	if text := result.Content[0].(*sdk.TextContent).Text; text != "hello" {
		return fmt.Errorf("the tool answered %q", text)
	}
	return nil
}

func mustCall(t *testing.T, w *world, h auth.OAuthHandler) {
	t.Helper()
	if err := call(t, w, h); err != nil {
		t.Fatal(err)
	}
}

func mustNeedLogin(t *testing.T, err error) *oauth.LoginNeededError {
	t.Helper()
	var needed *oauth.LoginNeededError
	if !errors.As(err, &needed) {
		t.Fatalf("got %v, want a LoginNeededError", err)
	}
	if !strings.Contains(err.Error(), `run "helve mcp login notes"`) {
		t.Errorf("the error does not say what to do: %v", err)
	}
	return needed
}

func refusal(status int, challenge string) *http.Response {
	r := &http.Response{StatusCode: status, Status: http.StatusText(status), Header: http.Header{}, Body: io.NopCloser(strings.NewReader("no"))}
	if challenge != "" {
		r.Header.Set("WWW-Authenticate", challenge)
	}
	return r
}

func mustToken(t *testing.T, h *oauth.Handler) string {
	t.Helper()
	source, err := h.TokenSource(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	token, err := source.Token()
	if err != nil {
		t.Fatal(err)
	}
	return token.AccessToken
}
