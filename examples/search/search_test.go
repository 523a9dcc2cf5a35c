// Package search tests the files of this folder: each against a server that asks and
// answers as the real one does.
package search

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"helve/catalog"
	"helve/httptool"
	"helve/netpolicy"
	"helve/tool"
)

// load makes a workspace of one file and returns its tool.
func load(t *testing.T, file string, environment map[string]string) tool.Tool {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	folder := filepath.Join(dir, "tools", "native")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, file), data, 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Load(t.Context(), catalog.Options{
		Dir: dir, Sources: []catalog.Source{httptool.Source(netpolicy.Policy{AllowPrivate: true})},
		Env: func(name string) (string, bool) { v, ok := environment[name]; return v, ok },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range c.Problems() {
		t.Fatal(p)
	}
	made, ok := c.Tool("search_tool")
	if !ok {
		t.Fatal("there is no search_tool")
	}
	t.Cleanup(func() { made.(io.Closer).Close() })
	return made
}

func serve(t *testing.T, answer func(w http.ResponseWriter, r *http.Request) error) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if err := answer(w, r); err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func check(t *testing.T, made tool.Tool, args, want string) {
	t.Helper()
	if d := made.Definition(); !d.ReadOnly {
		t.Error("a search changes nothing")
	}
	result, err := tool.Invoke(t.Context(), made, tool.Call{Name: "search_tool", Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatal(err, tool.AsError(err).Detail)
	}
	if result.Text() != want {
		t.Errorf("got  %s\nwant %s", result.Text(), want)
	}
}

func TestSearXNG(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) error {
		q := r.URL.Query()
		if r.Method != "GET" || r.URL.Path != "/search" || q.Get("format") != "json" || q.Get("q") != "go & c" || q.Get("pageno") != "1" || q.Get("time_range") != "year" || len(q) != 4 {
			return fmt.Errorf("%s %s", r.Method, r.URL)
		}
		one := `{"url":"https://go.dev/%d","title":"Go %d","content":"The Go language.","engine":"x","parsed_url":["https","go.dev","/","","",""],
			"template":"default.html","engines":["x"],"positions":[1],"score":1.0,"category":"general","publishedDate":null}`
		var all []string
		for n := range 30 { // a page has as many as the engines found
			all = append(all, fmt.Sprintf(one, n, n))
		}
		_, err := fmt.Fprintf(w, `{"query":"go & c","number_of_results":0,"results":[%s],"answers":[],"corrections":[],"infoboxes":[],"suggestions":["golang"],"unresponsive_engines":[]}`, strings.Join(all, ","))
		return err
	})
	var want []string
	for n := range 8 {
		want = append(want, fmt.Sprintf(`{"title":"Go %d","url":"https://go.dev/%d","content":"The Go language.","publishedDate":null}`, n, n))
	}
	check(t, load(t, "searxng.yaml", map[string]string{"SEARXNG_URL": url}), `{"query":"go & c","since":"year"}`, "["+strings.Join(want, ",")+"]")
}

// Many public servers of SearXNG allow no JSON, and say so with a page.
func TestSearXNGWithoutJSON(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusForbidden)
		_, err := io.WriteString(w, "<!doctype html><title>403 Forbidden</title><h1>Forbidden</h1>")
		return err
	})
	made := load(t, "searxng.yaml", map[string]string{"SEARXNG_URL": url})
	_, err := tool.Invoke(t.Context(), made, tool.Call{Arguments: json.RawMessage(`{"query":"x"}`)})
	if e := tool.AsError(err); e.Kind != tool.KindPermissionDenied || e.Detail["body"] != "403 Forbidden Forbidden" {
		t.Errorf("got %v %v", e, e.Detail)
	}
}

func TestBrave(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) error {
		q := r.URL.Query()
		if r.Method != "GET" || r.URL.Path != "/res/v1/web/search" || r.Header.Get("X-Subscription-Token") != "the-brave-key" || q.Get("q") != "go" || q.Get("count") != "2" || len(q) != 2 {
			return fmt.Errorf("%s %s %s", r.Method, r.URL, r.Header)
		}
		_, err := io.WriteString(w, `{"type":"search","query":{"original":"go","more_results_available":true},
			"mixed":{"type":"mixed","main":[{"type":"web","index":0,"all":false}],"top":[],"side":[]},
			"web":{"type":"search","family_friendly":true,"results":[
				{"title":"Go","url":"https://go.dev/","is_source_local":false,"description":"The <strong>Go</strong> language","page_age":"2026-01-02T00:00:00","age":"January 2, 2026",
				 "profile":{"name":"Go","url":"https://go.dev/","img":"https://imgs.search.brave.com/x"},"language":"en","type":"search_result","subtype":"generic","meta_url":{"scheme":"https","netloc":"go.dev"}},
				{"title":"Go (game)","url":"https://example.org/go","description":"A game","language":"en","type":"search_result"}]}}`)
		return err
	})
	check(t, load(t, "brave.yaml", map[string]string{"BRAVE_API_URL": url, "BRAVE_API_KEY": "the-brave-key"}), `{"query":"go","count":2}`,
		`[{"title":"Go","url":"https://go.dev/","description":"The <strong>Go</strong> language","age":"January 2, 2026"},{"title":"Go (game)","url":"https://example.org/go","description":"A game"}]`)
}

func TestTavily(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) error {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		if want := `{"query":"go","max_results":5,"topic":"general","search_depth":"basic"}`; r.Method != "POST" || r.URL.Path != "/search" || r.Header.Get("Authorization") != "Bearer tvly-the-key" || string(body) != want {
			return fmt.Errorf("%s %s %s", r.Method, r.URL, body)
		}
		_, err = io.WriteString(w, `{"query":"go","follow_up_questions":null,"answer":null,"images":[],"results":[
			{"url":"https://go.dev/","title":"Go","content":"The Go language.","score":0.98,"raw_content":null}],"response_time":1.09,"request_id":"x"}`)
		return err
	})
	check(t, load(t, "tavily.yaml", map[string]string{"TAVILY_API_URL": url, "TAVILY_API_KEY": "tvly-the-key"}), `{"query":"go"}`,
		`[{"title":"Go","url":"https://go.dev/","content":"The Go language.","score":0.98}]`)
}
