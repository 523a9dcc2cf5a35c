package serve

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/tool"
)

// TestWhoLeaves fills the seats and lets one more come.
func TestWhoLeaves(t *testing.T) {
	t.Parallel()
	type held struct {
		caller string
		used   time.Duration
		calls  int
	}
	for _, test := range []struct {
		name   string
		seats  []held
		caller string
		want   int // which of seats; -1 is the newcomer
	}{
		{"the longest idle", []held{{"a", 2, 0}, {"b", 1, 0}, {"c", 3, 0}}, "d", 1},
		{"of who has most", []held{{"a", 1, 0}, {"b", 3, 0}, {"b", 2, 0}}, "c", 2},
		{"the newcomer's own", []held{{"a", 1, 0}, {"b", 3, 0}, {"b", 2, 0}}, "b", 2},
		{"its own at a tie", []held{{"a", 1, 0}, {"b", 2, 0}}, "b", 1},
		{"an idle one first", []held{{"b", 1, 1}, {"b", 2, 0}}, "c", 1},
		{"a call of who has more", []held{{"b", 2, 1}, {"b", 1, 1}, {"a", 0, 0}}, "c", 1},
		{"no call of its own", []held{{"b", 2, 1}, {"b", 1, 1}, {"a", 0, 0}}, "b", -1},
		{"no call of who has as many", []held{{"a", 2, 1}, {"b", 1, 1}}, "c", -1},
	} {
		all := map[string]*seat{}
		var want *seat
		for i, h := range test.seats {
			one := &seat{caller: h.caller, used: time.Unix(0, 0).Add(h.used), calls: h.calls}
			all[string(rune('a'+i))] = one
			if i == test.want {
				want = one
			}
		}
		if got := leaver(all, test.caller); got != want {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

func TestCallerOf(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.1:80":                "192.0.2.1",
		"[::ffff:192.0.2.1]:80":       "192.0.2.1",
		"[2001:db8:1:2:3:4:5:6]:1234": "2001:db8:1:2::/64",
		"[2001:db8:1:2::9]:1":         "2001:db8:1:2::/64",
		"[fe80::1%eth0]:1":            "fe80::/64",
		"@":                           "@",
		"":                            "",
	} {
		if got := callerOf(&http.Request{RemoteAddr: address}); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}

// serveHTTP is s for clients over HTTP, until the test ends.
func serveHTTP(t *testing.T, s *Server) (connect func() *sdk.ClientSession) {
	t.Helper()
	handler, err := s.Handler(HTTP{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(func() { s.Close(); server.Close() })
	return func() *sdk.ClientSession {
		t.Helper()
		session, err := sdk.NewClient(&sdk.Implementation{Name: "t", Version: "1"}, nil).Connect(t.Context(),
			&sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: server.Client()}, &sdk.ClientSessionOptions{ProtocolVersion: resumable})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { session.Close() })
		return session
	}
}

// TestLeavingEndsCalls has a session end, for another's, that has a call under way.
func TestLeavingEndsCalls(t *testing.T) {
	t.Parallel()
	s := quietServer()
	begun, ended := make(chan struct{}), make(chan error, 1)
	wait := tool.Must(tool.New("wait", "Wait.", func(ctx context.Context, _ struct{}) (string, error) {
		close(begun)
		<-ctx.Done()
		ended <- ctx.Err()
		return "", ctx.Err()
	}))
	if err := s.Set(Content{Tools: []tool.Tool{wait}}); err != nil {
		t.Fatal(err)
	}
	session := serveHTTP(t, s)()
	called := make(chan struct{})
	go func() {
		defer close(called)
		_, _ = session.CallTool(t.Context(), &sdk.CallToolParams{Name: "wait"})
	}()
	<-begun
	s.seats.mu.Lock()
	s.evict(s.seats.byID[session.ID()])
	s.seats.mu.Unlock()
	<-ended
	<-called
	if err := session.Ping(t.Context(), nil); err == nil {
		t.Error("the session goes on")
	}
}

// TestSeatIsFree has a client end its session: no seat is left of it.
func TestSeatIsFree(t *testing.T) {
	t.Parallel()
	s := quietServer()
	connect := serveHTTP(t, s)
	first := connect()
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := connect()
	s.seats.mu.Lock()
	defer s.seats.mu.Unlock()
	if one := s.seats.byID[second.ID()]; one == nil || len(s.seats.byID) != 1 || one.ctx.Err() != nil {
		t.Errorf("%d seats, of the second %+v", len(s.seats.byID), one)
	}
}
