package remote

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// ask posts a call and reads the whole answer.
func ask(t *testing.T, r *Remote, address string) (*http.Response, string, error) {
	t.Helper()
	response, err := r.Client().Do(newPost(t, address, call))
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response, string(body), err
}

// What the server refuses: what is known of it, and what the SDK gets to see.
func TestRefusals(t *testing.T) {
	t.Parallel()
	const rpcError = `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Bad Request: No valid session ID provided"}}`
	for _, test := range []struct {
		name    string
		header  string
		status  int
		body    string
		session bool
		want    StatusError
		notRun  bool
		passed  bool // the SDK gets the answer
		gone    bool // as the protocol says it for a session that is gone
	}{
		{
			name: "key", header: "WWW-Authenticate: Basic realm=x\nWWW-Authenticate: Bearer realm=\"x\", error=\"invalid_token\"", status: 401, body: "bad key: abcdefgh",
			want: StatusError{Status: 401, Body: "bad key: [secret]", Scheme: "bearer", AuthError: "invalid_token"}, notRun: true, passed: true,
		},
		{name: "forbidden", status: 403, want: StatusError{Status: 403, Forbidden: true}, notRun: true, passed: true},
		{name: "no such page", status: 404, body: "404 page not found\n", want: StatusError{Status: 404, Body: "404 page not found"}, passed: true},
		{name: "no such session", status: 404, session: true, want: StatusError{Status: 404, Session: true}, notRun: true, passed: true},
		{name: "session in 400", status: 400, session: true, body: rpcError, want: StatusError{Status: 400, Session: true, Body: "Bad Request: No valid session ID provided", Code: -32600}, notRun: true, passed: true, gone: true},
		{name: "no session in 400", status: 400, body: rpcError, want: StatusError{Status: 400, Body: "Bad Request: No valid session ID provided", Code: -32600}, passed: true},
		{name: "an error that the SDK can't read", status: 400, body: strings.Replace(rpcError, `"id":1`, `"id":null`, 1), want: StatusError{Status: 400, Body: "Bad Request: No valid session ID provided", Code: -32600}},
		{name: "session in 404", status: 404, session: true, body: rpcError, want: StatusError{Status: 404, Session: true, Body: "Bad Request: No valid session ID provided", Code: -32600}, notRun: true, passed: true, gone: true},
		{name: "no such method", status: 404, session: true, body: `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`, want: StatusError{Status: 404, Session: true, Body: "no", Code: -32601}, passed: true},
		{name: "a page", header: "Content-Type: text/html", status: 400, body: "<html><head><title>Whoa &amp; \n there</title></head>", want: StatusError{Status: 400, HTML: true, Body: `a web page, "Whoa & there"`}},
		{name: "a page without a title", header: "Content-Type: text/html", status: 502, body: "<html><body>no", want: StatusError{Status: 502, HTML: true, Body: "a web page"}},
		{name: "method", status: 405, want: StatusError{Status: 405}, notRun: true},
		{name: "media type", header: "Content-Type: application/json", status: 415, body: `{"detail":"send JSON"}`, want: StatusError{Status: 415, Body: "send JSON"}, notRun: true},
		{name: "too many", header: "Retry-After: 7", status: 429, want: StatusError{Status: 429, RetryAfter: 7 * time.Second}, notRun: true},
		{name: "not now", header: "Retry-After: 1", status: 503, want: StatusError{Status: 503, RetryAfter: time.Second}, notRun: true},
		{name: "perhaps not now", status: 503, want: StatusError{Status: 503}},
		{name: "error of a gateway", header: "Content-Type: application/json", status: 504, body: rpcError, want: StatusError{Status: 504, Body: "Bad Request: No valid session ID provided", Code: -32600}},
		{name: "crash", status: 500, body: strings.Repeat("x ", 1000), want: StatusError{Status: 500, Body: strings.Repeat("x ", 150) + "…"}},
		{name: "a key where it is cut", status: 500, body: strings.Repeat("x", 296) + "abcdefgh", want: StatusError{Status: 500, Body: strings.Repeat("x", 296) + "[sec…"}},
		{name: "not for people", header: "Content-Type: image/png", status: 418, body: "\x89PNG", want: StatusError{Status: 418, Body: "data of the type image/png"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := newServer(t, func(w http.ResponseWriter, r *http.Request) {
				for line := range strings.Lines(test.header) {
					name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
					w.Header().Add(name, value)
				}
				w.WriteHeader(test.status)
				io.WriteString(w, test.body)
			})
			r := newRemote(t, server.URL+"/mcp?token=secret-in-query", func(o *Options) { o.Header = http.Header{"Authorization": {"Bearer abcdefgh"}} })
			ctx, outcome := Watch(t.Context())
			req := newPost(t, r.url.String(), call).WithContext(ctx)
			if test.session {
				req.Header.Set("Mcp-Session-Id", "1")
			}
			response, err := r.Client().Do(req)
			if (err == nil) != test.passed {
				t.Fatalf("got error %v", err)
			}
			if err == nil {
				body, _ := io.ReadAll(response.Body)
				response.Body.Close()
				if test.gone {
					if response.StatusCode != 404 || len(body) > 0 {
						t.Errorf("the SDK gets %d %q", response.StatusCode, body)
					}
				} else if response.StatusCode != test.status || string(body) != test.body {
					t.Errorf("the SDK gets %d %q", response.StatusCode, body)
				}
				err = errors.New("what the SDK makes of it")
			}
			err = r.Explain(err)
			var got *StatusError
			if !errors.As(err, &got) {
				t.Fatalf("got error %v", err)
			}
			if diff := cmp.Diff(&test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if outcome.NotRun() != test.notRun || !errors.Is(outcome.Err(), got) {
				t.Errorf("not run %v, error %v", outcome.NotRun(), outcome.Err())
			}
			if text := err.Error(); !strings.Contains(text, got.Error()) || !strings.HasPrefix(text, "mcp server test: ") || strings.Contains(text, "abcdefgh") || strings.Contains(text, "secret-in-query") {
				t.Errorf("it reads %q", text)
			}
		})
	}
}

// Whatever a server says, people read one short line of valid text.
func FuzzRefusal(f *testing.F) {
	f.Add("text/html; charset=gbk", "Bearer error=\"x\"", []byte("<title>\x1b[2J\xc4\xe3</title>"))
	f.Add("application/json", "Basic, Bearer realm=", []byte(`{"error":{"code":1e9,"message":"no\u0007"}}`))
	f.Add("", "Digest", []byte("\xff\xfe\r\n"))
	f.Fuzz(func(t *testing.T, contentType, authenticate string, body []byte) {
		u := &url.URL{Scheme: "http", Host: "localhost"}
		r, err := New(Options{URL: u})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		response := &http.Response{StatusCode: 401, Header: http.Header{"Content-Type": {contentType}, "Www-Authenticate": {authenticate}}, Body: io.NopCloser(bytes.NewReader(body))}
		status, read := r.readRefusal(&http.Request{URL: u, Header: http.Header{}}, response)
		text := status.Error()
		if !utf8.ValidString(text) || len(text) > 1000 || strings.ContainsFunc(text, unicode.IsControl) {
			t.Errorf("it reads %q", text)
		}
		again, _ := io.ReadAll(response.Body)
		if mediaType(response.Header) != "text/event-stream" && !bytes.Equal(read, body) || !bytes.Equal(again, body) {
			t.Errorf("%q became %q", body, again)
		}
	})
}

// An error is explained with what came last, and not any more once a call was answered.
func TestExplainForgets(t *testing.T) {
	t.Parallel()
	status := 401
	server := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		io.WriteString(w, "{}")
	})
	r := newRemote(t, server.URL, nil)
	lost := errors.New("client is closing")
	for _, test := range []struct {
		status int
		want   string
	}{
		{401, "mcp server test: client is closing: " + server.URL + ": the server answered 401 Unauthorized: {}"},
		{200, "mcp server test: client is closing"},
	} {
		status = test.status
		if _, _, err := ask(t, r, server.URL); err != nil {
			t.Fatal(err)
		}
		if err := r.Explain(lost); err.Error() != test.want || !errors.Is(err, lost) {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
	if r.Explain(nil) != nil {
		t.Error("nil became an error")
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	const good = `{"jsonrpc":"2.0","id":1,"result":{}}`
	for _, test := range []struct{ name, contentType, encoding, body, want string }{
		{"JSON", "application/json", "", good, "mended " + good},
		{"JSON with a charset", "application/json; charset=utf-8", "", good, "mended " + good},
		{"JSON that is called text", "text/plain", "", "\uFEFF\n " + good, "mended \n " + good},
		{"JSON that is called a page", "text/html", "", good, "mended " + good},
		{"a page", "text/html; charset=utf-8", "", "<title>Sign in</title>", `answered 200 OK with a web page instead of a message (is a login in front of the server, or is the URL another page's?): a web page, "Sign in"`},
		{"text", "text/plain", "", "pong", "answered 200 OK with something else than JSON: pong"},
		{"cut JSON", "application/json", "", `{"jsonrpc":`, `answered 200 OK with something else than JSON: {"jsonrpc":`},
		{"a number", "application/json", "", `1`, `answered 200 OK with something else than JSON: 1`},
		{"nothing", "application/json", "", " ", "answered 200 OK without the answer to the call"},
		{"an encoding that nobody asked for", "application/json", "br", "xx", `answered 200 OK in the encoding "br", which was not asked for`},
		{"a stream in such an encoding", "text/event-stream", "br", "xx", `answered 200 OK in the encoding "br", which was not asked for`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := newServer(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", test.contentType)
				if test.encoding != "" {
					w.Header().Set("Content-Encoding", test.encoding)
				}
				io.WriteString(w, test.body)
			})
			r := newRemote(t, server.URL, func(o *Options) {
				o.Mend = func(data []byte) []byte { return bytes.ReplaceAll(data, []byte("result"), []byte("mended result")) }
			})
			ctx, outcome := Watch(t.Context())
			response, err := r.Client().Do(newPost(t, server.URL, call).WithContext(ctx))
			if err != nil {
				var status *StatusError
				if !errors.As(err, &status) || !strings.Contains(err.Error(), test.want) || outcome.NotRun() {
					t.Errorf("got error %v, not run %v", err, outcome.NotRun())
				}
				return
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			want := strings.ReplaceAll(strings.TrimPrefix(test.want, "mended "), "result", "mended result")
			if err != nil || string(body) != want {
				t.Errorf("got  %q, %v\nwant %q", body, err, want)
			}
			if response.Header.Get("Content-Type") != "application/json" || response.ContentLength != int64(len(want)) || response.Header.Get("Content-Length") != "" {
				t.Errorf("the header says %v, %d bytes", response.Header, response.ContentLength)
			}
		})
	}
}

// A notification has no answer: whatever comes is well, and is read, so that the
// connection serves the next request.
func TestNotificationsKeepTheConnection(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	server := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		seen[r.RemoteAddr] = true
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<p>Accepted</p>")
	})
	r := newRemote(t, server.URL, nil)
	for _, client := range []*http.Client{r.Client(), r.SSEClient()} {
		for range 3 {
			response, err := client.Do(newPost(t, server.URL, `{"jsonrpc":"2.0","method":"notifications/initialized"}`))
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
		}
	}
	if len(seen) != 1 {
		t.Errorf("%d connections", len(seen))
	}
}

// large writes a message of n bytes.
func large(w io.Writer, n int) {
	io.WriteString(w, `{"x":"`)
	chunk := bytes.Repeat([]byte("a"), 1<<20)
	for ; n > len(chunk); n -= len(chunk) {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
	w.Write(chunk[:n])
	io.WriteString(w, `"}`)
}

func TestSize(t *testing.T) {
	t.Parallel()
	server := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		var mib int
		var way string
		fmt.Sscanf(r.URL.Path, "/%d/%s", &mib, &way)
		out := io.Writer(w)
		if strings.HasSuffix(way, "gzip") {
			w.Header().Set("Content-Encoding", "gzip")
			packed, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
			defer packed.Close()
			out = packed
		}
		w.Header().Set("Content-Type", "application/json")
		if strings.HasPrefix(way, "events") {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(out, "data: ")
			defer io.WriteString(out, "\n\n")
		}
		large(out, mib<<20)
	})
	for _, test := range []struct {
		path string
		max  int // MiB
		want string
	}{
		{"/17/json", maxBody >> 20, ""},
		{"/33/json", maxBody >> 20, "the answer has more than 32 MiB"},
		{"/17/events", maxBody >> 20, ""},
		{"/2/events", 1, "the answer has an event of more than 1 MiB"},
		{"/5/json+gzip", 4, "the answer has more than 4 MiB"}, // from 25 KB
		{"/5/events+gzip", 4, "the answer has an event of more than 4 MiB"},
	} {
		t.Run(test.path, func(t *testing.T) {
			t.Parallel()
			r := newRemote(t, server.URL, nil)
			r.maxBody = test.max << 20
			_, body, err := ask(t, r, server.URL+test.path)
			switch {
			case test.want == "":
				if err != nil || len(body) < 17<<20 {
					t.Errorf("got %d bytes, %v", len(body), err)
				}
			case err == nil || !strings.Contains(err.Error(), test.want):
				t.Errorf("got %d bytes, %v", len(body), err)
			case !strings.Contains(r.Explain(errors.New("lost")).Error(), test.want):
				t.Errorf("explained as %v", r.Explain(errors.New("lost")))
			}
		})
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]summary{
		call: {"tools/call", true},
		`{"jsonrpc":"2.0","id":"a","method":"ping"}`:                               {"ping", true},
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"id":1}}`:   {"notifications/cancelled", false},
		`{"jsonrpc":"2.0","id":1,"result":{"method":"x"}}`:                         {"", false},
		`{"jsonrpc":"2.0","id":1,"error":{}}`:                                      {"", false},
		`{"method":"tools/call","id":1,"params":{"x":"` + strings.Repeat("y", 600): {"tools/call", true},
		`{"id":null,"method":"x"}`:                                                 {"x", false},
		`[{"id":1,"method":"x"}]`:                                                  {},
		``:                                                                         {},
		`{"id":1,"method":`:                                                        {},
	} {
		if got := summaryOf([]byte(message)[:min(len(message), maxSummary)]); got != want {
			t.Errorf("%s: got %+v", message, got)
		}
	}
}
