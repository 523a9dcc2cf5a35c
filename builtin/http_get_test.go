package builtin

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/message"
	"helve/netpolicy"
	"helve/tool"
)

// onLoopback lets a test reach its own server.
var onLoopback = netpolicy.Policy{Hosts: []string{"127.0.0.1"}, AllowPrivate: true}

func get(t *testing.T, policy netpolicy.Policy, url string) (tool.Result, error) {
	t.Helper()
	getter, err := HTTPGet(policy)
	if err != nil {
		t.Fatal(err)
	}
	arguments, err := json.Marshal(httpGetInput{url})
	if err != nil {
		t.Fatal(err)
	}
	return getter.Call(t.Context(), tool.Call{Name: "http_get", Arguments: arguments})
}

func kindOfError(err error) tool.Kind { return tool.AsError(err).Kind }

func newServer(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func answer(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil // no guess of the server's
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		fmt.Fprint(w, body)
	}
}

func TestHTTPGet(t *testing.T) {
	t.Parallel()
	png := "\x89PNG\r\n\x1a\n\x00"
	tests := []struct {
		name, contentType, body string
		want                    []message.Part
	}{
		{"text", "text/plain; charset=utf-8", "hello", []message.Part{message.Text("hello")}},
		{"JSON", "application/json", `{"a":1}`, []message.Part{message.Text(`{"a":1}`)}},
		{"a JSON dialect", "application/geo+json", `{}`, []message.Part{message.Text(`{}`)}},
		{"no type, text", "", "hello", []message.Part{message.Text("hello")}},
		{"no type, image", "", png, []message.Part{message.Image{Data: []byte(png), MediaType: "image/png"}}},
		{"Latin 1", "text/html; charset=iso-8859-1", "caf\xe9", []message.Part{message.Text("café")}},
		{"not what it says", "text/plain; charset=utf-8", "caf\xe9", []message.Part{message.Text("caf\uFFFD")}},
		{"image", "image/png", png, []message.Part{message.Image{Data: []byte(png), MediaType: "image/png"}}},
		{"PDF", "application/pdf", "%PDF-", []message.Part{message.File{Data: []byte("%PDF-"), MediaType: "application/pdf"}}},
		{"empty", "text/plain", "", []message.Part{message.Text("")}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			result, err := get(t, onLoopback, newServer(t, answer(test.contentType, test.body)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, result.Content); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestHTTPGetCutsALongBody(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("é", maxBody) // two bytes each
	url := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		if r.URL.Path == "/known" {
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		}
		fmt.Fprint(w, body)
	})
	for path, note := range map[string]string{
		"/known":   "\n[cut here: the first 1048576 of 2097152 bytes]",
		"/unknown": "\n[cut here: the first 1048576 bytes of a longer body]",
	} {
		result, err := get(t, onLoopback, url+path)
		if err != nil {
			t.Fatal(err)
		}
		if result.Text() != body[:maxBody]+note {
			t.Errorf("%s: got %d bytes that end with %q", path, len(result.Text()), result.Text()[maxBody:])
		}
	}
}

func TestHTTPGetBoundsWhatGzipHides(t *testing.T) {
	t.Parallel()
	url := newServer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		zeros := make([]byte, 1<<20)
		for range 20 {
			z.Write(zeros)
		}
		z.Close()
	})
	result, err := get(t, onLoopback, url)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(result.Text()); n > maxBody+100 {
		t.Errorf("got %d bytes, want %d and a note", n, maxBody)
	}
}

func TestHTTPGetErrors(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/missing", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no such page", http.StatusNotFound) })
	mux.HandleFunc("/busy", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) })
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	mux.HandleFunc("/zip", answer("application/zip", "PK"))
	mux.HandleFunc("/huge", answer("image/png", strings.Repeat("x", maxBody+1)))
	mux.HandleFunc("/cut", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		fmt.Fprint(w, "only this")
	})
	url := newServer(t, mux.ServeHTTP)
	tests := []struct {
		path, want string
		kind       tool.Kind
		retryable  bool
	}{
		{"/missing?key=secret", "/missing answered 404 Not Found", tool.KindExecution, false},
		{"/busy", "answered 429 Too Many Requests", tool.KindUnavailable, true},
		{"/broken", "answered 502 Bad Gateway", tool.KindUnavailable, true},
		{"/zip", "is application/zip: only text", tool.KindExecution, false},
		{"/huge", "is image/png of more than 1048576 bytes: too large", tool.KindExecution, false},
		{"/cut?key=secret", "/cut: unexpected EOF", tool.KindUnavailable, true},
	}
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			t.Parallel()
			_, err := get(t, onLoopback, url+test.path)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") {
				t.Fatalf("got error %v, want one that holds %q and no query", err, test.want)
			}
			if e := tool.AsError(err); e.Kind != test.kind || e.Retryable != test.retryable {
				t.Errorf("got kind %s, retryable %v, want %s, %v", e.Kind, e.Retryable, test.kind, test.retryable)
			}
		})
	}
	_, err := get(t, onLoopback, url+"/missing")
	if got := tool.AsError(err).Detail["body"]; got != "no such page\n" {
		t.Errorf("detail: got body %q", got)
	}
}

func TestHTTPGetRefusesPrivateAddresses(t *testing.T) {
	t.Parallel()
	asked := false
	url := newServer(t, func(http.ResponseWriter, *http.Request) { asked = true })
	_, port, _ := strings.Cut(strings.TrimPrefix(url, "http://"), ":")
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0"} {
		_, err := get(t, netpolicy.Policy{Hosts: []string{"*"}}, "http://"+host+":"+port+"/")
		if err == nil || !strings.Contains(err.Error(), "is not on the public internet") || kindOfError(err) != tool.KindPermissionDenied {
			t.Errorf("%s: got error %v", host, err)
		}
	}
	if asked {
		t.Error("the server was asked")
	}
}

func TestHTTPGetRedirects(t *testing.T) {
	t.Parallel()
	var referer string
	url := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		referer += r.Header.Get("Referer")
		left, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		switch {
		case err != nil:
			http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
		case left == 0:
			fmt.Fprint(w, "here")
		default:
			http.Redirect(w, r, fmt.Sprint("/", left-1), http.StatusFound)
		}
	})
	result, err := get(t, onLoopback, url+"/5")
	if err != nil || result.Text() != "here" {
		t.Errorf("5 redirects: got %q, %v", result.Text(), err)
	}
	if _, err := get(t, onLoopback, url+"/6"); err == nil || !strings.Contains(err.Error(), "more than 5 redirects") {
		t.Errorf("6 redirects: got error %v", err)
	}
	for _, to := range []string{"http://localhost/", "ftp://127.0.0.1/", "http://user:pass@127.0.0.1/", "file:///etc/passwd"} {
		if _, err := get(t, onLoopback, url+"/to?to="+to); kindOfError(err) != tool.KindPermissionDenied {
			t.Errorf("redirect to %s: got error %v, want permission_denied", to, err)
		}
	}
	if referer != "" {
		t.Errorf("sent Referer %q", referer)
	}
}

func TestHTTPGetStopsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	url := newServer(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	getter := &httpGetter{onLoopback, newHTTPClient(onLoopback)}
	if _, err := getter.call(ctx, httpGetInput{url}); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
}

func TestHTTPGetDescriptionNamesItsHosts(t *testing.T) {
	t.Parallel()
	getter, err := HTTPGet(netpolicy.Policy{Hosts: []string{"example.com", "*.wiki.org"}})
	if err != nil {
		t.Fatal(err)
	}
	if d := getter.Definition().Description; !strings.Contains(d, "example.com, *.wiki.org") {
		t.Errorf("got description %q", d)
	}
}
