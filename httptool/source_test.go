package httptool

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"helve/catalog"
	"helve/executor"
	"helve/netpolicy"
	"helve/tool"
)

func workspace(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func load(t *testing.T, dir string, environment map[string]string) *catalog.Catalog {
	t.Helper()
	c, err := catalog.Load(t.Context(), catalog.Options{
		Dir: dir, Sources: []catalog.Source{Source(netpolicy.Policy{})},
		Env: func(name string) (string, bool) { v, ok := environment[name]; return v, ok },
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Document 004, 4.1: a NativeTool is described in a file, found and called.
func TestDoc004_NativeTool(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-API-Key") != "very-secret" {
			w.WriteHeader(401)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"hits": []any{map[string]any{"title": r.URL.Query().Get("q"), "n": r.URL.Query().Get("limit"), "x": 1}}})
	})
	dir := workspace(t, map[string]string{
		"helve.yaml": "network: {allow_private: true}\n",
		"tools/native/search.yaml": `name: search_tool
description: Search.
api_url: ${API}/search
auth_method: api_key
api_key: ${API_KEY}
parameters:
  q:     {type: string, required: true, description: What to look for.}
  limit: {type: integer, default: 5}
response:
  select: $.hits[*]
  fields: [title, n]
timeout: 5s
retry: {attempts: 2}
rate_limit: {per_second: 100}
read_only: true
`,
	})
	c := load(t, dir, map[string]string{"API": url, "API_KEY": "very-secret"})
	if problems := c.Problems(); len(problems) > 0 {
		t.Fatal(problems)
	}
	registry, err := tool.NewRegistry(c.Tools()...)
	if err != nil {
		t.Fatal(err)
	}
	results := executor.New(executor.Config{Tools: registry, Logger: slog.New(slog.DiscardHandler)}).Execute(t.Context(), []tool.Call{
		{ID: "1", Name: "search_tool", Arguments: json.RawMessage(`{"q":"go 语言"}`)},
		{ID: "2", Name: "search_tool", Arguments: json.RawMessage(`{"q":1}`)},
	})
	if got, want := results[0].Output.Text(), `[{"title":"go 语言","n":"5"}]`; got != want || results[0].Err != nil {
		t.Errorf("got %s, %v, want %s", got, results[0].Err, want)
	}
	if e := results[1].Err; e == nil || e.Kind != tool.KindInvalidParameters {
		t.Errorf("got %v", e)
	}
	if e := c.Entries()[0]; e.Kind != "native" || e.File != "tools/native/search.yaml" || e.Line != 1 {
		t.Errorf("the tool is from %+v", e)
	}
	for _, made := range c.Tools() {
		made.(io.Closer).Close()
	}
}

func TestSourceNamesThePlace(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, file, want string }{
		{"a key", "name: a\ndescription: A.\napi_ur: https://x\n", `f.yaml:3:1: unknown key "api_ur": did you mean api_url?`},
		{"a missing key", "name: a\ndescription: A.\n", "api_url is missing"},
		{"a variable", "name: a\ndescription: A.\napi_url: https://x\nauth_method: bearer\ntoken: ${NO_TOKEN}\n", "f.yaml:5:8: the environment variable NO_TOKEN is not set"},
		{"a type", "name: a\ndescription: A.\napi_url: https://x\nparameters:\n  q: {type: int}\n", "f.yaml:5:13: parameters/q/type: \"int\" is no type: did you mean integer?"},
		{"a template", "name: a\ndescription: A.\napi_url: https://x\nquery:\n  q: '{querry}'\nparameters:\n  query: {type: string}\n", "f.yaml:5:6: query/q: {querry} is no parameter: did you mean {query}?"},
		{"two mistakes", "name: a b\ndescription: A.\napi_url: https://{x}/\n", "f.yaml:3:10: api_url: no argument may choose the host"},
		{"a time", "name: a\ndescription: A.\napi_url: https://x\ntimeout: 30\n", "f.yaml:4:10: want a time with its unit"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := load(t, workspace(t, map[string]string{"helve.yaml": "", "tools/native/f.yaml": test.file}), nil)
			var all []string
			for _, p := range c.Problems() {
				all = append(all, p.Error())
			}
			if got := strings.Join(all, "\n"); !strings.Contains(got, test.want) {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestSchemaOfTheFile(t *testing.T) {
	t.Parallel()
	schemas, err := catalog.Schemas(Source(netpolicy.Policy{}))
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Properties map[string]any
		Required   []string
	}
	if err := json.Unmarshal(schemas["native"], &s); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"name", "api_url", "auth_method", "client_secret", "parameters", "response", "retry", "rate_limit"} {
		if s.Properties[key] == nil {
			t.Errorf("%s is not in the schema", key)
		}
	}
	if strings.Join(s.Required, " ") != "name description api_url" {
		t.Errorf("required: %v", s.Required)
	}
}
