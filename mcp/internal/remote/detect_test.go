package remote

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestDetect(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, contentType string
		status            int
		body, want        string
	}{
		{"an event stream", "text/event-stream", 200, "event: endpoint\n", "sse"},
		{"an array of tools", "application/json", 200, `[{"name":"x"}]`, "rest"},
		{"no tools yet", "application/json", 200, `[]`, "rest"},
		{"an object with tools", "application/json", 200, `{"tools":[{"name":"x"}],"version":1}`, "rest"},
		{"other JSON", "application/json", 200, `{"status":"ok"}`, "JSON that lists no tools"},
		{"numbers", "application/json", 200, `[1]`, "JSON that lists no tools"},
		{"tools that are none", "application/json", 200, `{"tools":null}`, "JSON that lists no tools"},
		{"a page", "text/html", 200, "<title>Welcome</title>", `a web page, "Welcome"`},
		{"text", "text/plain", 200, "hi", "something else than JSON: hi"},
		{"nothing there", "text/plain", 404, "404 page not found", "404 Not Found: 404 page not found"},
		{"not for everybody", "text/plain", 401, "", "401 Unauthorized"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := newServer(t, func(w http.ResponseWriter, req *http.Request) {
				if req.Method != http.MethodGet || req.Header.Get("Accept") != "text/event-stream, application/json" || req.Header.Get("X-Key") != "k" {
					t.Errorf("asked by %s %v", req.Method, req.Header)
				}
				w.Header().Set("Content-Type", test.contentType)
				w.WriteHeader(test.status)
				io.WriteString(w, test.body)
			})
			r := newRemote(t, server.URL+"/mcp?key=s3cret", func(o *Options) { o.Header = http.Header{"X-Key": {"k"}} })
			got, err := Detect(t.Context(), r)
			if err != nil {
				got = err.Error()
				if !strings.HasPrefix(got, "mcp server test: ") || strings.Contains(got, "s3cret") {
					t.Errorf("it reads %q", got)
				}
				if !strings.Contains(got, test.want) {
					t.Errorf("got %q, want %q", got, test.want)
				}
			} else if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			var status *StatusError
			if (test.status != 200) != (errors.As(err, &status) && status.Status == test.status) && test.status != 200 {
				t.Errorf("got error %v", err)
			}
		})
	}
	r := newRemote(t, "http://"+closedPort(t), nil)
	if _, err := Detect(t.Context(), r); err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("nobody there: got %v", err)
	}
}
