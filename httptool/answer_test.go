package httptool

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/message"
	"helve/netpolicy"
	"helve/tool"
)

const hits = `{"web":{"results":[
  {"title":"A","url":"https://a.example","rank":1,"score":0.5,"id":12345678901234567890,"extra":{"x":1}},
  {"title":"B","url":"https://b.example","rank":2,"score":1.5}]},"next":null,"html":"<b>"}`

func TestAnswer(t *testing.T) {
	t.Parallel()
	png := "\x89PNG\r\n\x1a\n\x00"
	for _, test := range []struct {
		name, contentType, body string
		response                Response
		want                    []message.Part
	}{
		{"JSON", "application/json", "{ \"b\": 1.50,\n \"a\": [\"<&>\"] }", Response{}, text(`{"b":1.50,"a":["<&>"]}`)},
		{"one value", "application/json", hits, Response{Select: "$.web.results[1].title"}, text(`"B"`)},
		{"a null", "application/json", hits, Response{Select: "$.next"}, text(`null`)},
		{"the last", "application/json", hits, Response{Select: "$.web.results[-1].rank"}, text(`2`)},
		{"many values", "application/json", hits, Response{Select: "$.web.results[*].title"}, text(`["A","B"]`)},
		{"no values", "application/json", hits, Response{Select: "$.web.results[?(@.rank > 5)]"}, text(`[]`)},
		{"a filter", "application/json", hits, Response{Select: "$.web.results[?(@.score < 1)].id"}, text(`[12345678901234567890]`)},
		{"an object in its order", "application/json", `{"z":1,"b":{"y":1,"a":[2,{"x":1e2,"c":3}]},"a":4,"b2":0}`, Response{Select: "$.b"}, text(`{"y":1,"a":[2,{"x":100,"c":3}]}`)},
		{"the values of an object in its order", "application/json", `{"z":1,"y":2,"x":3,"w":4,"v":5}`, Response{Select: "$.*"}, text(`[1,2,3,4,5]`)},
		{"deep down", "application/json", `{"z":{"a":1},"y":{"a":2},"x":{"a":3},"w":{"a":4}}`, Response{Select: "$..a"}, text(`[1,2,3,4]`)},
		{"a key twice", "application/json", `{"a":1,"b":2,"a":3}`, Response{Select: "$"}, text(`{"a":3,"b":2}`)},
		{"fields", "application/json", hits, Response{Select: "$.web.results[*]", Fields: []string{"url", "title", "missing"}},
			text(`[{"url":"https://a.example","title":"A"},{"url":"https://b.example","title":"B"}]`)},
		{"fields of one", "application/json", hits, Response{Fields: []string{"html", "next"}}, text(`{"html":"<b>","next":null}`)},
		{"fields of no object", "application/json", `[1,{"a":2,"b":3}]`, Response{Fields: []string{"a"}}, text(`[1,{"a":2}]`)},
		{"selected from text", "text/plain", `{"a":1}`, Response{Select: "$.a"}, text(`1`)},
		{"a dialect of JSON", "application/problem+json", `{ "a": 1 }`, Response{}, text(`{"a":1}`)},
		{"text", "text/csv; charset=iso-8859-1", "a,b\ncaf\xe9,1\n", Response{}, text("a,b\ncafé,1\n")},
		{"the wrong charset", "application/json; charset=utf-8", `{"a":"caf` + "\xe9" + `"}`, Response{Select: "$.a"}, text("\"caf\uFFFD\"")},
		{"not JSON", "application/json", "{oops", Response{}, text("[The server calls this JSON, and it is not.]\n{oops")},
		{"two values", "application/json", "{} {}", Response{}, text("[The server calls this JSON, and it is not.]\n{} {}")},
		{"a long text", "text/plain", "abcdéf", Response{MaxBytes: 5}, text("abcd\n[cut here: the first 4 of 7 bytes]")},
		{"long JSON", "application/json", `[1, 2, 3]`, Response{MaxBytes: 5}, text("[1,2,\n[cut here: the first 5 of 7 bytes]")},
		{"a long selection", "application/json", `{"a":"abcdef"}`, Response{Select: "$.a", MaxBytes: 5}, text("\"abcd\n[cut here: the first 5 of 8 bytes]")},
		{"a page", "text/html", "<title>Oops</title><style>p{}</style><script>var a=1</script><p>We are <b>sorry</b>.<!-- x --></p>", Response{},
			text("[The server answered with a web page. Its words:]\nOops We are sorry .")},
		{"a picture", "image/png", png, Response{}, []message.Part{message.Image{Data: []byte(png), MediaType: "image/png"}}},
		{"PDF", "application/pdf", "%PDF-", Response{}, []message.Part{message.File{Data: []byte("%PDF-"), MediaType: "application/pdf"}}},
		{"bytes", "application/zip", "PK\x03\x04", Response{}, text("The server answered 200 OK with application/zip of 4 bytes, which can't be shown here.")},
		{"nothing", "application/json", "", Response{}, text("The server answered 200 OK, with an empty body.")},
		{"nothing to select from", "application/json", "", Response{Select: "$.a"}, text("The server answered 200 OK, with an empty body.")},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			url := serve(t, answer(200, test.contentType, test.body))
			result := mustInvoke(t, makeTool(t, Config{APIURL: url, Response: test.response}), `{}`)
			if diff := cmp.Diff(test.want, result.Content); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if a := result.Artifact.(Answer); a.Status != 200 || string(a.Body) != test.body || a.Header.Get("Content-Type") != test.contentType {
				t.Errorf("the artifact is %+v", a)
			}
		})
	}
}

func TestAnswerOtherThanExpected(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, contentType, body, want, detail string
	}{
		{"nothing there", "application/json", `{"error": "quota"}`, `the answer is not as expected: $.items: nothing is there`, `{"error":"quota"}`},
		{"no JSON", "application/json", "oops", "the answer is not as expected: $.items: not valid JSON", "oops"},
		{"two values", "application/json", "{} {}", "not valid JSON", "{} {}"},
		{"a page", "text/html", "<h1>Log in</h1>", "the server answered with a web page, not with JSON", "Log in"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			url := serve(t, answer(200, test.contentType, test.body))
			_, err := invoke(t, makeTool(t, Config{APIURL: url, Response: Response{Select: "$.items"}}), `{}`)
			e := wantError(t, err, tool.KindExecution, false, test.want)
			if e.Detail["body"] != test.detail {
				t.Errorf("detail %v, want %q", e.Detail, test.detail)
			}
		})
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status            int
		method            string
		kind              tool.Kind
		retryable         bool
		contentType, body string
		detail            any
	}{
		{400, "GET", tool.KindExecution, false, "application/json", `{ "message": "q is missing" }`, `{"message":"q is missing"}`},
		{401, "GET", tool.KindPermissionDenied, false, "text/plain", "no", "no"},
		{403, "POST", tool.KindPermissionDenied, false, "text/html", "<h1>Forbidden</h1>", "Forbidden"},
		{404, "GET", tool.KindExecution, false, "text/plain", "", nil},
		{304, "GET", tool.KindExecution, false, "", "", nil},
		{422, "POST", tool.KindExecution, false, "application/problem+json", strings.Repeat("é", 2000), strings.Repeat("é", 500) + "…"},
		{429, "POST", tool.KindUnavailable, true, "text/plain", "slow down", "slow down"},
		{500, "GET", tool.KindUnavailable, true, "application/octet-stream", "\x00\x01", nil},
		{500, "POST", tool.KindUnavailable, false, "text/plain", "broken", "broken"},
		{503, "POST", tool.KindUnavailable, false, "text/plain", "", nil},
	} {
		t.Run(fmt.Sprint(test.method, test.status), func(t *testing.T) {
			t.Parallel()
			url := serve(t, answer(test.status, test.contentType, test.body))
			result, err := invoke(t, makeTool(t, Config{Method: test.method, APIURL: url + "/s3cret"}), `{}`)
			e := wantError(t, err, test.kind, test.retryable, fmt.Sprintf("api: 127.0.0.1 answered %d", test.status))
			if e.Detail["body"] != test.detail || e.Detail["status"] != test.status {
				t.Errorf("detail %v", e.Detail)
			}
			if strings.Contains(e.Message, "s3cret") {
				t.Errorf("the path shows: %v", e)
			}
			if a, ok := result.Artifact.(Answer); !ok || a.Status != test.status {
				t.Errorf("the artifact is %+v", result.Artifact)
			}
		})
	}
}

func TestAnswerHasNoCookies(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "s3cret"})
		w.Header().Set("X-One", "1")
		fmt.Fprintf(w, "cookies: %d", len(r.Cookies()))
	})
	made := makeTool(t, Config{APIURL: url})
	for range 2 {
		result := mustInvoke(t, made, `{}`)
		data, err := json.Marshal(result.Artifact)
		if err != nil || strings.Contains(string(data), "s3cret") || !strings.Contains(string(data), `"body":"cookies: 0"`) || !strings.Contains(string(data), "X-One") {
			t.Errorf("got %s, %v", data, err)
		}
	}
	data, err := json.Marshal(Answer{Status: 200, Body: []byte("\xff")})
	if want := `{"data":"/w==","header":null,"status":200}`; err != nil || string(data) != want {
		t.Errorf("got %s, %v, want %s", data, err, want)
	}
}

// A body without end costs the bound and no more, however it is packed.
func TestAnswerWithoutEnd(t *testing.T) {
	t.Parallel()
	chunk := []byte(strings.Repeat("x", 1<<20))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(chunk)
	z.Close()
	var sent atomic.Int64
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.URL.Query().Get("type"))
		piece := chunk
		if r.URL.Path == "/gzip" { // pieces one after another are one file
			w.Header().Set("Content-Encoding", "gzip")
			piece = packed.Bytes()
		}
		for range 1024 { // a gigabyte
			n, err := w.Write(piece)
			sent.Add(int64(n))
			if err != nil {
				return
			}
		}
	})
	for _, path := range []string{"/plain", "/gzip"} {
		result := mustInvoke(t, makeTool(t, Config{APIURL: url + path + "?type=text/plain"}), `{}`)
		if want := strings.Repeat("x", defaultMaxBytes) + "\n[cut here: the first 65536 bytes of more than 10485760]"; result.Text() != want {
			t.Errorf("%s: got %d bytes", path, len(result.Text()))
		}
		if n := len(result.Artifact.(Answer).Body); n != maxRead {
			t.Errorf("%s: read %d bytes", path, n)
		}
	}
	if n := sent.Load(); n > 100<<20 {
		t.Errorf("the server could send %d bytes", n)
	}
	for contentType, want := range map[string]string{
		"application/json": "the answer is longer than 10485760 bytes",
		"image/png":        "image/png of more than 10485760 bytes: too large",
	} {
		_, err := invoke(t, makeTool(t, Config{APIURL: url + "/gzip?type=" + contentType, Response: Response{Select: "$.a"}}), `{}`)
		wantError(t, err, tool.KindExecution, false, want)
	}
}

func TestSlowServers(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/drip" { // a byte at a time, without end
			w.Header().Set("Content-Type", "text/plain")
			for r.Context().Err() == nil {
				fmt.Fprint(w, "x")
				w.(http.Flusher).Flush()
			}
			return
		}
		<-r.Context().Done()
	})
	_, err := invoke(t, makeTool(t, Config{APIURL: url + "/stuck", Timeout: 50 * time.Millisecond}), `{}`)
	wantError(t, err, tool.KindTimeout, true, "took too long to answer")
	_, err = invoke(t, makeTool(t, Config{Method: "POST", APIURL: url + "/stuck", Timeout: 50 * time.Millisecond}), `{}`)
	wantError(t, err, tool.KindTimeout, false, "took too long to answer")
	// A drip ends with the time or with the bytes, whichever is first.
	_, err = invoke(t, makeTool(t, Config{APIURL: url + "/drip", Timeout: 50 * time.Millisecond}), `{}`)
	wantError(t, err, tool.KindTimeout, true, "took too long to answer")
}

func TestServersThatBreakOff(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/half" {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "only this")
		}
		panic(http.ErrAbortHandler)
	})
	for path, method := range map[string]string{"/half": "GET", "/none": "POST"} {
		_, err := invoke(t, makeTool(t, Config{Method: method, APIURL: url + path + "?key=s3cret"}), `{}`)
		e := wantError(t, err, tool.KindUnavailable, method == "GET", "api: http://127.0.0.1:")
		if strings.Contains(fmt.Sprint(e, e.Err), "s3cret") {
			t.Errorf("the key shows: %v, %v", e, e.Err)
		}
	}
	_, err := invoke(t, makeTool(t, Config{APIURL: "http://127.0.0.1:1/"}), `{}`)
	wantError(t, err, tool.KindUnavailable, true, "connection refused")
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	other := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "key=%q auth=%q", r.Header.Get("X-Api-Key"), r.Header.Get("X-Other"))
	})
	elsewhere := strings.Replace(other, "127.0.0.1", "localhost", 1)
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
	})
	for _, test := range []struct{ to, want string }{
		{"http://169.254.169.254/latest/meta-data/", `api: the host "169.254.169.254" is not allowed; allowed: 127.0.0.1`},
		{elsewhere, `api: the host "localhost" is not allowed; allowed: 127.0.0.1`},
		{"file:///etc/passwd", "only http and https"},
	} {
		_, err := invoke(t, makeTool(t, Config{APIURL: url, Query: map[string]string{"to": test.to}}), `{}`)
		wantError(t, err, tool.KindPermissionDenied, false, test.want)
	}
	// A host that is allowed is asked without what this one may know.
	made := makeTool(t, Config{
		APIURL: url, Query: map[string]string{"to": elsewhere}, AllowedHosts: []string{"localhost"}, Headers: map[string]string{"X-Other": "k2"},
		Auth: Auth{AuthMethod: "api_key", APIKey: "k1"},
	})
	if got := mustInvoke(t, made, `{}`).Text(); got != `key="" auth=""` {
		t.Errorf("got %s", got)
	}
}

func TestPrivateAddressesAreRefused(t *testing.T) {
	t.Parallel()
	url := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the server was asked") })
	for _, c := range []Config{
		{APIURL: url},
		{APIURL: strings.Replace(url, "127.0.0.1", "localhost", 1)},
		{APIURL: "https://example.com", Auth: Auth{AuthMethod: "oauth2_client_credentials", TokenURL: url, ClientID: "me", ClientSecret: "very-secret"}},
	} {
		c.Name, c.Description = "api", "Ask."
		made, err := New(c, netpolicy.Policy{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = invoke(t, made, `{}`)
		wantError(t, err, tool.KindPermissionDenied, false, "is not on the public internet")
	}
}

func TestTLS(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Proto) }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	made := makeTool(t, Config{APIURL: server.URL})
	_, err := invoke(t, made, `{}`)
	wantError(t, err, tool.KindUnavailable, true, "certificate")

	made = makeTool(t, Config{APIURL: server.URL})
	made.(*api).transport.TLSClientConfig = &tls.Config{RootCAs: server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	if got := mustInvoke(t, made, `{}`).Text(); got != "HTTP/2.0" {
		t.Errorf("got %q", got)
	}
}

// An answer that is nested as deep as JSON may be costs no more than its length.
func TestDeepAnswer(t *testing.T) {
	t.Parallel()
	const depth = 4000
	deep := strings.Repeat(`{"a":[`, depth) + `"` + strings.Repeat("x", 1<<20) + `"` + strings.Repeat(`]}`, depth)
	url := serve(t, answer(200, "application/json", deep))
	result := mustInvoke(t, makeTool(t, Config{APIURL: url, Response: Response{Select: "$", MaxBytes: maxRead}}), `{}`)
	if result.Text() != deep {
		t.Errorf("got %d bytes, want %d", len(result.Text()), len(deep))
	}
}

// FuzzAnswer: whatever a server sends, the call ends with bounded, valid text or
// with an error.
func FuzzAnswer(f *testing.F) {
	f.Add("application/json", []byte(hits), 40)
	f.Add("application/json", []byte(`{"web":{"results":{}}}`), 0)
	f.Add("text/html; charset=gbk", []byte("<script><p>\xc4\xe3</scr"), 3)
	f.Add("image/png", []byte("x"), 3)
	f.Add("", []byte("\xff\xfe\x00"), 3)
	f.Fuzz(func(t *testing.T, contentType string, data []byte, most int) {
		most = max(1, min(most, 1<<16))
		for _, r := range []Response{{MaxBytes: most}, {MaxBytes: most, Select: "$.web.results[*]", Fields: []string{"title"}}} {
			var wrong problems
			p := presenter{newSelection(r, &wrong), r.MaxBytes}
			response := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {contentType}}, Body: io.NopCloser(strings.NewReader(string(data)))}
			body := readAll(t, response)
			parts, err := p.present(response, body)
			if err != nil {
				continue
			}
			for _, part := range parts {
				if s, ok := part.(message.Text); ok && (len(s) > most+200+len(contentType) || strings.ToValidUTF8(string(s), "") != string(s)) {
					t.Errorf("%d bytes of text for %d: %.300q", len(s), most, s)
				}
			}
			if body.IsJSON() && json.Valid(data) && len(data) < most && r.Select == "" && body.Text() == string(data) {
				var want, got any
				if json.Unmarshal(data, &want) == nil && json.Unmarshal([]byte(parts[0].(message.Text)), &got) == nil && !cmp.Equal(want, got) {
					t.Errorf("%s became %s", data, parts[0])
				}
			}
		}
	})
}
