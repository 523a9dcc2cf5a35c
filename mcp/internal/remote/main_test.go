package remote

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newServer(t testing.TB, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// newRemote is closed before the server is.
func newRemote(t testing.TB, address string, change func(*Options)) *Remote {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Name: "test", URL: u}
	if change != nil {
		change(&o)
	}
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	r.minDelay, r.maxDelay = time.Millisecond, 10*time.Millisecond
	t.Cleanup(r.Close)
	return r
}

const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`

// newPost is a message as the SDK sends one.
func newPost(t testing.TB, address, body string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "POST", address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	return req
}

func newGet(t testing.TB, address string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	return req
}
