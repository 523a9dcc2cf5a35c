package rest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/message"
	"helve/tool"
)

// server answers every request the same way.
func server(t *testing.T, status int, contentType, body string) *Client {
	t.Helper()
	return serve(t, "", func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = []string{contentType}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}

func serve(t *testing.T, path string, handler http.HandlerFunc) *Client {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	c, err := New(Options{URL: s.URL + path, Client: s.Client()})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func texts(tools []json.RawMessage) []string {
	var all []string
	for _, t := range tools {
		all = append(all, string(t))
	}
	return all
}

func TestNew_Errors(t *testing.T) {
	t.Parallel()
	for _, u := range []string{"", "tools", "/tools", "ftp://a/b", "http://", "http://user:pw@host/", "http://host:\x7f"} {
		if _, err := New(Options{URL: u, Client: http.DefaultClient}); err == nil || !strings.HasPrefix(err.Error(), "mcp_server_url") || strings.Contains(err.Error(), "pw") {
			t.Errorf("%q: %v", u, err)
		}
	}
}

func TestNew_WithoutAClient(t *testing.T) {
	t.Parallel()
	if _, err := New(Options{URL: "http://127.0.0.1/"}); err == nil {
		t.Error("taken")
	}
}

// The path and the query of mcp_server_url stay, and /execute comes below it.
func TestClient_Addresses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ path, list, execute string }{
		{"", "/", "/execute"},
		{"/", "/", "/execute"},
		{"/mcp", "/mcp", "/mcp/execute"},
		{"/mcp/?v=1&w=a%20b#x", "/mcp/?v=1&w=a%20b", "/mcp/execute?v=1&w=a%20b"},
		{"/a%2Fb", "/a%2Fb", "/a%2Fb/execute"},
	} {
		var asked []string
		c := serve(t, tt.path, func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, r.Method+" "+r.RequestURI)
			_, _ = io.WriteString(w, `[]`)
		})
		if _, _, err := c.List(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := c.Call(t.Context(), "a", nil); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{"GET " + tt.list, "POST " + tt.execute}, asked); diff != "" {
			t.Errorf("%s: %s", tt.path, diff)
		}
	}
}

func TestClient_List(t *testing.T) {
	t.Parallel()
	const city = `{"type":"object","properties":{"city":{"type":"string","maxLength":12345678901234567890}}}`
	want := `{"description":"d","inputSchema":` + city + `,"name":"a"}`
	for _, tt := range []struct{ name, body, want string }{
		{"list", `[{"name":"a","description":"d","parameters":` + city + `}]`, want},
		{"tools", ` {"tools":[{"name":"a","description":"d","inputSchema":` + city + `}]}`, want},
		{"Anthropic", `[{"name":"a","description":"d","input_schema":` + city + `}]`, want},
		{"OpenAI", `[{"type":"function","function":{"name":"a","description":"d","parameters":` + city + `,"strict":true}}]`, want},
		{"one by one, by name", `[{"name":"a","parameters":{"n":{"type":"integer","required":false},"city":{"type":"string","required":true}}}]`,
			`{"inputSchema":{"type":"object","properties":{"city":{"type":"string"},"n":{"type":"integer"}},"required":["city"]},"name":"a"}`},
		{"one by one, in order", `[{"name":"a","parameters":[{"name":"n","type":"integer","required":true},{"name":"city","description":"c"},{"name":"n"},null]}]`,
			`{"inputSchema":{"type":"object","properties":{"n":{"type":"integer"},"city":{"description":"c"}},"required":["n"]},"name":"a"}`},
		{"a parameter called type", `[{"name":"a","parameters":{"type":{"type":"string"}}}]`,
			`{"inputSchema":{"type":"object","properties":{"type":{"type":"string"}}},"name":"a"}`},
		{"a schema without type", `[{"name":"a","parameters":{"properties":{"type":{"type":"string"}}}}]`,
			`{"inputSchema":{"properties":{"type":{"type":"string"}}},"name":"a"}`},
		{"a schema of nothing", `[{"name":"a","parameters":{}}]`, `{"inputSchema":{},"name":"a"}`},
		{"all that is kept", `[{"name":"a","title":"<t>","annotations":{"readOnlyHint":true},"outputSchema":{},"execution":{},"secret":1}]`,
			`{"annotations":{"readOnlyHint":true},"execution":{},"name":"a","outputSchema":{},"title":"<t>"}`},
		{"no object", `["a"]`, `"a"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tools, changed, err := server(t, 200, "application/json", tt.body).List(t.Context())
			if err != nil || !changed {
				t.Fatalf("changed %t, %v", changed, err)
			}
			if diff := cmp.Diff([]string{tt.want}, texts(tools)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestClient_ListChanges(t *testing.T) {
	t.Parallel()
	etag, body := `"1"`, `[{"name":"a"}]`
	c := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", etag)
		if etag != "" && r.Header.Get("If-None-Match") == etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = io.WriteString(w, body)
	})
	for _, step := range []struct {
		etag, body string
		changed    bool
		want       string
	}{
		{`"1"`, `[{"name":"a"}]`, true, `{"name":"a"}`},
		{`"1"`, `not sent`, false, `{"name":"a"}`},
		{`"2"`, `[{"name":"b"}]`, true, `{"name":"b"}`},
		{``, `[{"name":"b"}]`, false, `{"name":"b"}`},
		{``, `[{"name":"c"}]`, true, `{"name":"c"}`},
	} {
		etag, body = step.etag, step.body
		tools, changed, err := c.List(t.Context())
		if err != nil || changed != step.changed {
			t.Fatalf("%+v: changed %t, %v", step, changed, err)
		}
		if diff := cmp.Diff([]string{step.want}, texts(tools)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestClient_ListErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status            int
		contentType, body string
		kind              tool.Kind
		want              string
	}{
		{200, "text/html", "<!doctype html><title>Log in</title>", tool.KindExecution, " answered with a web page, not with a list of tools: is mcp_server_url right, and does it need mcp_api_key?"},
		{200, "application/json", `{`, tool.KindExecution, ": the list of tools is not JSON"},
		{200, "application/json", ``, tool.KindExecution, ": the list of tools is not JSON"},
		{200, "application/json", `{"tools":{}}`, tool.KindExecution, "there is no list of tools: write"},
		{200, "application/json", `null`, tool.KindExecution, "there is no list of tools: write"},
		{200, "application/json", strings.Repeat(" ", maxBody+1), tool.KindExecution, "the list of tools is longer than 16 MiB"},
		{401, "application/json", `{"error":"no key"}`, tool.KindPermissionDenied, " answered 401 Unauthorized: the key is missing, wrong, or not for this: no key"},
		{503, "text/plain", "later", tool.KindUnavailable, " answered 503 Service Unavailable: later"},
		{304, "", "", tool.KindExecution, "it has moved"},
	} {
		_, _, err := server(t, tt.status, tt.contentType, tt.body).List(t.Context())
		var e *tool.Error
		if !errors.As(err, &e) || e.Kind != tt.kind || !strings.Contains(e.Message, tt.want) || !strings.Contains(e.Message, "http://127.0.0.1") {
			t.Errorf("%d %.50s: got %v, want %s %s", tt.status, tt.body, err, tt.kind, tt.want)
		}
	}
}

func TestClient_Call(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, contentType, body string
		want                    tool.Result
	}{
		{"text", "application/json", `{"result":"a\nb"}`, tool.Text("a\nb")},
		{"number", "application/json", `{"result": 12345678901234567890 ,"error":null}`, tool.Result{Content: []message.Part{message.Text("12345678901234567890")}, Artifact: json.RawMessage("12345678901234567890")}},
		{"object", "application/json", `{"result":{"b":1, "a":[]},"error":""}`, tool.Result{Content: []message.Part{message.Text(`{"b":1,"a":[]}`)}, Artifact: json.RawMessage(`{"b":1,"a":[]}`)}},
		{"null", "application/json", `{"result":null}`, tool.Result{Content: []message.Part{message.Text(`null`)}, Artifact: json.RawMessage(`null`)}},
		{"other JSON", "application/json", `{"sum":5}`, tool.Result{Content: []message.Part{message.Text(`{"sum":5}`)}, Artifact: json.RawMessage(`{"sum":5}`)}},
		{"JSON that Flask calls a page", "text/html; charset=utf-8", `{"result":"x"}`, tool.Text("x")},
		{"text", "text/plain; charset=iso-8859-1", "caf\xe9", tool.Text("café")},
		{"text that is called JSON", "application/json", "{oops", tool.Text("{oops")},
		{"text that Flask calls a page", "text/html", "done", tool.Text("done")},
		{"nothing", "", "", tool.Text("The server answered 200 OK, with an empty body.")},
		{"image", "image/png", "\x89PNG", tool.Result{Content: []message.Part{message.Image{Data: []byte("\x89PNG"), MediaType: "image/png"}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := server(t, 200, tt.contentType, tt.body).Call(t.Context(), "a", nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want.Content, got.Content); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.want.Artifact, got.Artifact); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestClient_CallSends(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"":                           `{"tool":"a/b","arguments":{}}`,
		`{"n":12345678901234567890}`: `{"tool":"a/b","arguments":{"n":12345678901234567890}}`,
	} {
		var got string
		c := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			got = r.Header.Get("Content-Type") + " " + string(body)
		})
		if _, err := c.Call(t.Context(), "a/b", json.RawMessage(args)); err != nil {
			t.Error(err)
		}
		if want = "application/json " + want; got != want {
			t.Errorf("sent %s, want %s", got, want)
		}
	}
	if _, err := server(t, 200, "", "").Call(t.Context(), "a", json.RawMessage("{")); err == nil || !strings.Contains(err.Error(), "not JSON") {
		t.Errorf("arguments that are not JSON: %v", err)
	}
}

func TestClient_CallErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status            int
		contentType, body string
		kind              tool.Kind
		retryable         bool
		want              string
	}{
		{200, "application/json", `{"error":"disk full"}`, tool.KindExecution, false, "disk full"},
		{200, "application/json", `{"error":{"message":"no such city","code":"invalid_parameters"}}`, tool.KindInvalidParameters, false, "no such city"},
		{200, "application/json", `{"error":{"reason":5},"result":7}`, tool.KindExecution, false, `{"reason":5}`},
		{200, "application/json", `{"success":false,"error":"slow","code":"timeout"}`, tool.KindTimeout, false, "slow"},
		{200, "application/json", `{"error":"invalid_parameters"}`, tool.KindInvalidParameters, false, "invalid_parameters"},
		{200, "application/json", `{"error":"x","code":"denied"}`, tool.KindExecution, false, "x"},
		{200, "text/html", `<html>`, tool.KindExecution, false, "answered with a web page"},
		{200, "application/zip", "PK\x03", tool.KindExecution, false, "application/zip of 3 bytes"},
		{200, "text/plain", strings.Repeat("x", maxBody+1), tool.KindExecution, false, "longer than 16 MiB"},
		{400, "application/json", `{"detail":"bad"}`, tool.KindInvalidParameters, false, "400 Bad Request: bad"},
		{422, "application/json", `{"detail":[{"loc":["a"]}]}`, tool.KindInvalidParameters, false, `{"detail":[{"loc":["a"]}]}`},
		{401, "", "", tool.KindPermissionDenied, false, "the key is missing"},
		{403, "", "", tool.KindPermissionDenied, false, "the key is missing"},
		{404, "application/json", `{"error":"no tool a"}`, tool.KindNotFound, false, "404 Not Found: no tool a"},
		{429, "", "", tool.KindUnavailable, true, "429"},
		{503, "", "", tool.KindUnavailable, true, "503"},
		{500, "text/html", "<h1>Traceback</h1>", tool.KindExecution, false, "/execute answered 500 Internal Server Error"},
		{502, "", "", tool.KindExecution, false, "502"},
	} {
		_, err := server(t, tt.status, tt.contentType, tt.body).Call(t.Context(), "a", nil)
		var e *tool.Error
		if !errors.As(err, &e) || e.Kind != tt.kind || e.Retryable != tt.retryable || !strings.Contains(e.Message, tt.want) || strings.Contains(e.Message, "<h1>") {
			t.Errorf("%d %.50s: got %v, want %s %s", tt.status, tt.body, err, tt.kind, tt.want)
		}
	}
}

func TestClient_Unreachable(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.NotFoundHandler())
	client, address := s.Client(), s.URL
	s.Close()
	c, err := New(Options{URL: address + "/?key=hunter2", Client: client})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Call(t.Context(), "a", nil)
	var e *tool.Error
	if !errors.As(err, &e) || e.Kind != tool.KindUnavailable || strings.Contains(e.Message, "hunter2") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := c.List(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
