package badserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"helve/mcp/internal/badserver"
)

// site is a badserver over HTTP, with a client that follows no redirect.
type site struct {
	t       *testing.T
	server  *badserver.Server
	record  *badserver.Record
	url     string
	client  *http.Client
	session string
}

func serve(t *testing.T, fault string) *site {
	t.Helper()
	record := newRecord(t)
	s := badserver.Handler(fault, record)
	web := httptest.NewServer(s)
	transport := &http.Transport{DisableCompression: true}
	t.Cleanup(func() {
		s.Close()
		transport.CloseIdleConnections()
		web.Close()
	})
	return &site{t: t, server: s, record: record, url: web.URL, client: &http.Client{
		Transport: transport, Timeout: 20 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (s *site) do(method, path, body string) (*http.Response, error) {
	r, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if s.session != "" {
		r.Header.Set("Mcp-Session-Id", s.session)
	}
	return s.client.Do(r)
}

// post sends a message and returns the status and the body.
func (s *site) post(path, body string) (*http.Response, string) {
	s.t.Helper()
	response, err := s.do(http.MethodPost, path, body)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response, string(data)
}

func (s *site) hello() {
	s.t.Helper()
	response, _ := s.post("/", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`)
	if s.session = response.Header.Get("Mcp-Session-Id"); s.session == "" {
		s.t.Fatal("no session")
	}
}

const pingMessage = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

func callMessage(name, arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + `}}`
}

func TestFaultsOfHTTP(t *testing.T) {
	t.Parallel()
	tests := []struct {
		fault  string
		status int
		header string // a fragment of the headers
		body   string
	}{
		{"", 200, "text/event-stream", "data: {"},
		{"json", 200, "application/json", `{"jsonrpc"`},
		{"status=401", 401, "Bearer realm", "the gate is closed"},
		{"status=403", 403, "text/plain", "403"},
		{"status=404", 404, "text/plain", "404"},
		{"status=500", 500, "text/plain", "500"},
		{"key=secret", 401, "Bearer realm", "401"},
		{"html", 200, "text/html", "Please sign in"},
		{"redirect-302=http://192.0.2.1/", 302, "192.0.2.1", ""},
		{"redirect-307=http://192.0.2.1/", 307, "192.0.2.1", ""},
		{"redirect-same", 307, "/moved", ""},
		{"gzip", 200, "gzip", "\x1f\x8b"},
		{"content-type", 200, "text/plain", `{"jsonrpc"`},
		{"legacy-sse", 405, "", ""},
		{"rest", 405, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.fault, func(t *testing.T) {
			t.Parallel()
			s := serve(t, tt.fault)
			response, body := s.post("/", pingMessage)
			if response.StatusCode != tt.status {
				t.Errorf("status %d", response.StatusCode)
			}
			var head bytes.Buffer
			_ = response.Header.Write(&head)
			want(t, head.String(), tt.header)
			want(t, body, tt.body)
		})
	}
}

func TestKeyOpens(t *testing.T) {
	t.Parallel()
	s := serve(t, "key=secret+json")
	for _, header := range [][2]string{{"Authorization", "Bearer secret"}, {"X-Api-Key", "secret"}} {
		r, _ := http.NewRequest(http.MethodPost, s.url, strings.NewReader(pingMessage))
		r.Header.Set(header[0], header[1])
		response, err := s.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != 200 {
			t.Errorf("%s: status %d", header[0], response.StatusCode)
		}
	}
	if got := s.server.Headers()[0].Get("Authorization"); got != "Bearer secret" {
		t.Errorf("recorded %q", got)
	}
}

func TestHTMLForDiscoverAlone(t *testing.T) {
	t.Parallel()
	s := serve(t, "html-discover")
	_, body := s.post("/", `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`)
	want(t, body, "Please sign in")
	_, body = s.post("/", pingMessage)
	want(t, body, "result")
}

func TestSessionIsLost(t *testing.T) {
	t.Parallel()
	s := serve(t, "session-lost=2")
	s.hello()
	for i, status := range []int{200, 200, 404, 404} {
		if response, _ := s.post("/", callMessage("counter", "{}")); response.StatusCode != status {
			t.Errorf("call %d: status %d", i, response.StatusCode)
		}
	}
	if n := s.record.Count("ran counter"); n != 2 {
		t.Errorf("ran %d times", n)
	}
	s.hello()
	if response, _ := s.post("/", callMessage("counter", "{}")); response.StatusCode != 200 {
		t.Errorf("a new session: status %d", response.StatusCode)
	}
}

func TestAnswerIsCutAfterTheToolRan(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"", "json", "rest"} {
		s := serve(t, fault)
		path, message := "/", callMessage("die", "{}")
		if fault == "rest" {
			path, message = "/execute", `{"tool":"die","arguments":{}}`
		}
		response, err := s.do(http.MethodPost, path, message)
		if err == nil {
			_, err = io.ReadAll(response.Body)
			response.Body.Close()
		}
		if err == nil {
			t.Errorf("%q: the answer came", fault)
		}
		if n := s.record.Count("ran die"); n != 1 {
			t.Errorf("%q: ran %d times", fault, n)
		}
	}
}

func TestStaleConnection(t *testing.T) {
	t.Parallel()
	s := serve(t, "stale")
	_, body := s.post("/", callMessage("counter", "{}"))
	want(t, body, `"text":"1"`)
	if _, err := s.do(http.MethodPost, "/", callMessage("counter", "{}")); err == nil {
		t.Error("the connection lives")
	}
	_, body = s.post("/", callMessage("counter", "{}"))
	want(t, body, `"text":"2"`)
}

func TestSlowHeadersNeverCome(t *testing.T) {
	t.Parallel()
	s := serve(t, "slow-headers")
	s.client.Timeout = 100 * time.Millisecond
	if _, err := s.do(http.MethodPost, "/", pingMessage); err == nil {
		t.Error("it answered")
	}
}

func TestStreamOfGET(t *testing.T) {
	t.Parallel()
	for fault, status := range map[string]int{"": 200, "get-405": 405, "get-closed": 200} {
		s := serve(t, fault+"+list-changed-burst")
		s.hello()
		s.post("/", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		response, err := s.do(http.MethodGet, "/", "")
		if err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != status {
			t.Errorf("%q: status %d", fault, response.StatusCode)
		}
		switch fault {
		case "":
			data := make([]byte, 90)
			_, _ = io.ReadFull(response.Body, data)
			want(t, string(data), "list_changed")
		case "get-closed":
			if data, err := io.ReadAll(response.Body); err != nil || len(data) > 0 {
				t.Errorf("%q %v", data, err)
			}
		}
		response.Body.Close()
	}
}

func TestREST(t *testing.T) {
	t.Parallel()
	s := serve(t, "rest")
	response, err := s.do(http.MethodGet, "/", "")
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Tools []struct{ Name, Description string }
	}
	err = json.NewDecoder(response.Body).Decode(&list)
	response.Body.Close()
	if err != nil || len(list.Tools) < 10 || response.Header.Get("ETag") == "" {
		t.Fatalf("%v %v", list, err)
	}
	for message, answer := range map[string]string{
		`{"tool":"echo","arguments":{"text":"hi"}}`: `{"result":"hi"}`,
		`{"tool":"fail","arguments":{}}`:            `{"error":"no such city: Atlantis"}`,
		`{"tool":"error","arguments":{}}`:           `{"error":"the disk is on fire"}`,
		`{"tool":"structured","arguments":{}}`:      `{"result":{"id":12345678901234567890}}`,
		`{"tool":"nobody","arguments":{}}`:          `{"error":"unknown tool: nobody"}`,
		`{"tool":"nothing","arguments":{}}`:         `{"result":null}`,
	} {
		if _, body := s.post("/execute", message); body != answer {
			t.Errorf("%s: %s", message, body)
		}
	}
}

func TestRecordWaitsForItsEvents(t *testing.T) {
	t.Parallel()
	r := newRecord(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Await(ended, "ran echo", 1); err == nil || !strings.Contains(err.Error(), "0 times, not 1") {
		t.Errorf("%v", err)
	}
	if err := r.Gone(short(t)); err != nil {
		t.Errorf("no program ever was, and %v", err)
	}
}

func TestDieOnceOverHTTP(t *testing.T) {
	t.Parallel()
	s := serve(t, "json")
	message := callMessage("die_once", `{"file":"`+filepath.ToSlash(filepath.Join(t.TempDir(), "died"))+`"}`)
	if _, err := s.do(http.MethodPost, "/", message); err == nil {
		t.Error("the first answer came")
	}
	_, body := s.post("/", message)
	want(t, body, "alive the second time")
}
