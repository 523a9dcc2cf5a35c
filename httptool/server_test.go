package httptool

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"helve/internal/httpbody"
	"helve/netpolicy"
	"helve/tool"
)

// onLoopback lets a test reach its own server.
var onLoopback = netpolicy.Policy{AllowPrivate: true}

func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// make makes a tool that fills in what a test does not care about.
func makeTool(t *testing.T, c Config) tool.Tool {
	t.Helper()
	c.Name, c.Description = orDefault(c.Name, "api"), orDefault(c.Description, "Ask the API.")
	made, err := New(c, onLoopback)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := made.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	})
	return made
}

func invoke(t *testing.T, made tool.Tool, args string) (tool.Result, error) {
	t.Helper()
	return tool.Invoke(t.Context(), made, tool.Call{Name: made.Definition().Name, Arguments: json.RawMessage(args)})
}

func mustInvoke(t *testing.T, made tool.Tool, args string) tool.Result {
	t.Helper()
	result, err := invoke(t, made, args)
	if err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	return result
}

// echo answers with the request as text: the first line, some headers, the body.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	fmt.Fprintf(w, "%s %s\n", r.Method, r.URL.RequestURI())
	for _, name := range []string{"Content-Type", "X-One", "X-Two"} {
		if value, ok := r.Header[name]; ok {
			fmt.Fprintf(w, "%s: %s\n", name, strings.Join(value, "|"))
		}
	}
	if len(body) > 0 {
		fmt.Fprintf(w, "\n%s", body)
	}
}

func answer(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func wantError(t *testing.T, err error, kind tool.Kind, retryable bool, text string) *tool.Error {
	t.Helper()
	var e *tool.Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v, want %s", err, kind)
	}
	if e.Kind != kind || e.Retryable != retryable || !strings.Contains(e.Message, text) {
		t.Fatalf("got %v, retryable %v, want %s %q, retryable %v", e, e.Retryable, kind, text, retryable)
	}
	return e
}

func readAll(t *testing.T, response *http.Response) httpbody.Body {
	t.Helper()
	body, err := httpbody.Read(response, maxRead)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
