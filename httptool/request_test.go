package httptool

import (
	"encoding/json"
	"strings"
	"testing"

	"helve/internal/jsonobject"
	"helve/netpolicy"
	"helve/tool"
)

func TestRequest(t *testing.T) {
	t.Parallel()
	url := serve(t, echo)
	for _, test := range []struct {
		name   string
		config Config
		args   string
		want   string
	}{
		{"nothing", Config{}, `{}`, "GET /\n"},
		{"a path", Config{
			APIURL:     "/users/{id}/files/{name}",
			Parameters: JSON(`{"id":{"type":"integer","required":true},"name":{"type":"string","required":true}}`),
		}, `{"id":12,"name":"a b/c?d#é%2e"}`, "GET /users/12/files/a%20b%2Fc%3Fd%23%C3%A9%252e\n"},
		{"a default in the path", Config{
			APIURL:     "/{lang}/x",
			Parameters: JSON(`{"lang":{"type":"string","default":"en"}}`),
		}, `{}`, "GET /en/x\n"},
		{"a list in the path", Config{
			APIURL:     "/items/{ids}",
			Parameters: JSON(`{"ids":{"type":"array","items":{"type":"string"},"required":true}}`),
		}, `{"ids":["a,b","c"]}`, "GET /items/a%2Cb,c\n"},
		{"a query in the URL", Config{
			APIURL:     "/search?q={q}&format=json",
			Parameters: JSON(`{"q":{"type":"string"}}`),
		}, `{"q":"a&b=c"}`, "GET /search?format=json&q=a%26b%3Dc\n"},
		{"what is not named goes into the query", Config{
			Parameters: JSON(`{"q":{"type":"string"},"n":{"type":"integer","default":5},"tags":{"type":"array","items":{"type":"string"}},"on":{"type":"boolean"},"o":{"type":"object"}}`),
		}, `{"q":"x y","tags":["a","b"],"on":false,"o":{"k": 1}}`, "GET /?n=5&o=%7B%22k%22%3A1%7D&on=false&q=x+y&tags=a&tags=b\n"},
		{"a query of its own", Config{
			Query:      map[string]string{"filter[q]": "{q}", "v": "2", "mix": "<{q}|{n}>", "t": "{tags}", "u": "{tags*}", "x": "{o*}"},
			Parameters: JSON(`{"q":{"type":"string"},"n":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}},"o":{"type":"object"}}`),
		}, `{"q":"x","tags":["a","b"],"o":{"k":[1,2],"z":null}}`, "GET /?filter%5Bq%5D=x&k=1%2C2&t=a%2Cb&u=a&u=b&v=2\n"},
		{"null is nothing", Config{
			Query:      map[string]string{"a": "{q}", "b": "{q*}"},
			Headers:    map[string]string{"X-One": "{q}"},
			Parameters: JSON(`{"q":{"type":["string","null"]},"r":{"type":["string","null"]}}`),
		}, `{"q":null,"r":null}`, "GET /\n"},
		{"headers", Config{
			Headers:    map[string]string{"x-one": "v={q}", "X-Two": "{{q}} {other"},
			Parameters: JSON(`{"q":{"type":"string"}}`),
		}, `{"q":"é"}`, "GET /\nX-One: v=é\nX-Two: {q} {other\n"},
		{"a JSON body of what is not named", Config{
			Method: "post", APIURL: "/{id}",
			Parameters: JSON(`{"id":{"type":"string","required":true},"a":{"type":"number"},"b":{"type":"object"}}`),
		}, `{"id":"1","b":{"x":"<&>"},"a":12345678901234567890}`, "POST /1\nContent-Type: application/json\n\n{\"a\":12345678901234567890,\"b\":{\"x\":\"<&>\"}}"},
		{"no body where nothing could be in it", Config{
			Method: "POST", APIURL: "/{id}/close",
			Parameters: JSON(`{"id":{"type":"string","required":true}}`),
		}, `{"id":"1"}`, "POST /1/close\n"},
		{"an empty body", Config{Method: "PUT", Parameters: JSON(`{"a":{"type":"string"}}`)}, `{}`, "PUT /\nContent-Type: application/json\n\n{}"},
		{"a JSON body as written", Config{
			Method: "POST",
			Body:   JSON(`{"query":"query { user(id: $id) { name } }","variables":{"id":"{id}","tags":"{tags}","say":"no {id}","gone":"{gone}"},"list":["{id}","{gone}",true,null,1.50,{}]}`),
			Parameters: JSON(`{"id":{"type":"integer","required":true},"tags":{"type":"array","items":{"type":"string"}},
				"gone":{"type":"string"}}`),
		}, `{"id":7,"tags":["a"]}`, "POST /\nContent-Type: application/json\n\n" +
			`{"query":"query { user(id: $id) { name } }","variables":{"id":7,"tags":["a"],"say":"no 7"},"list":[7,true,null,1.50,{}]}`},
		{"null in a body", Config{
			Method: "PATCH", Body: JSON(`{"owner":"{owner}"}`), Parameters: JSON(`{"owner":{"type":["string","null"]}}`),
		}, `{"owner":null}`, "PATCH /\nContent-Type: application/json\n\n{\"owner\":null}"},
		{"a body that is one argument", Config{
			Method: "PUT", Body: JSON(`"{items}"`), Parameters: JSON(`{"items":{"type":"array","items":{"type":"integer"}}}`),
		}, `{"items":[1,2]}`, "PUT /\nContent-Type: application/json\n\n[1,2]"},
		{"a body that is one argument, not given", Config{
			Method: "PUT", Body: JSON(`"{items}"`), Parameters: JSON(`{"items":{"type":"array","items":{"type":"integer"}}}`),
		}, `{}`, "PUT /\n"},
		{"a form of what is not named", Config{
			Method: "POST", BodyType: "form", Parameters: JSON(`{"a":{"type":"string"},"b":{"type":"array","items":{"type":"integer"}}}`),
		}, `{"a":"x&y","b":[1,2]}`, "POST /\nContent-Type: application/x-www-form-urlencoded\n\na=x%26y&b=1&b=2"},
		{"a form as written", Config{
			Method: "POST", BodyType: "form", Body: JSON(`{"grant":"x","n":5,"c":"{a}","d":"{gone}"}`), Parameters: JSON(`{"a":{"type":"string"},"gone":{"type":"string"}}`),
		}, `{"a":"x y"}`, "POST /\nContent-Type: application/x-www-form-urlencoded\n\nc=x+y&grant=x&n=5"},
		{"a text", Config{
			Method: "POST", BodyType: "text", Body: JSON(`"say {a}{gone}!"`), Parameters: JSON(`{"a":{"type":"string"},"gone":{"type":"string"}}`),
		}, `{"a":"<hi>"}`, "POST /\nContent-Type: text/plain; charset=utf-8\n\nsay <hi>!"},
		{"XML", Config{
			Method: "POST", BodyType: "text", Body: JSON(`"<q>{a}</q>"`), Headers: map[string]string{"Content-Type": "application/xml"}, Parameters: JSON(`{"a":{"type":"string"}}`),
		}, `{"a":"</q><x y='1'>&"}`, "POST /\nContent-Type: application/xml\n\n<q>&lt;/q&gt;&lt;x y=&#39;1&#39;&gt;&amp;</q>"},
		{"DELETE has a query", Config{Method: "DELETE", Parameters: JSON(`{"force":{"type":"boolean"}}`)}, `{"force":true}`, "DELETE /?force=true\n"},
		{"DELETE with a body, and the rest in the query", Config{
			Method: "DELETE", Body: JSON(`{"ids":"{ids}"}`), Parameters: JSON(`{"ids":{"type":"array"},"force":{"type":"boolean"}}`),
		}, `{"force":true,"ids":[1]}`, "DELETE /?force=true\nContent-Type: application/json\n\n{\"ids\":[1]}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.config.APIURL = url + test.config.APIURL
			if got := mustInvoke(t, makeTool(t, test.config), test.args).Text(); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// What an argument holds never leads out of its place.
func TestRequestRefuses(t *testing.T) {
	t.Parallel()
	url := serve(t, echo)
	inPath := Config{APIURL: url + "/files/{a}/{b}", Parameters: JSON(`{"a":{"type":"string","required":true},"b":{"type":"string","default":"x"}}`)}
	joined := Config{APIURL: url + "/files/{a}{b}", Parameters: inPath.Parameters}
	inHeader := Config{APIURL: url, Headers: map[string]string{"X-One": "{a}"}, Parameters: JSON(`{"a":{"type":"string"}}`)}
	for _, test := range []struct {
		name   string
		config Config
		args   string
		want   string
	}{
		{"up", inPath, `{"a":".."}`, "a segment"},
		{"here", inPath, `{"a":"."}`, "a segment"},
		{"up behind a slash", inPath, `{"a":"x/../../secret"}`, "a segment"},
		{"up behind a backslash", inPath, `{"a":"x\\..\\secret"}`, "a segment"},
		{"up from two", joined, `{"a":".","b":"."}`, "a segment"},
		{"empty", inPath, `{"a":""}`, "a must not be empty"},
		{"a header's end", inHeader, `{"a":"x\r\nX-Two: y"}`, "the header X-One"},
		{"a bare newline", inHeader, `{"a":"x\ny"}`, "the header X-One"},
		{"a zero byte", inHeader, `{"a":"x\u0000"}`, "the header X-One"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := invoke(t, makeTool(t, test.config), test.args)
			wantError(t, err, tool.KindInvalidParameters, false, test.want)
		})
	}
}

func TestTraits(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for _, test := range []struct {
		config               Config
		readOnly, idempotent bool
	}{
		{Config{}, true, true},
		{Config{Method: "PUT"}, false, true},
		{Config{Method: "DELETE"}, false, true},
		{Config{Method: "POST"}, false, false},
		{Config{Method: "PATCH"}, false, false},
		{Config{Method: "POST", ReadOnly: &yes}, true, false},
		{Config{Method: "POST", Idempotent: &yes}, false, true},
		{Config{ReadOnly: &no, Idempotent: &no}, false, false},
	} {
		test.config.APIURL = "https://example.com"
		test.config.ReturnDirect = true
		d := makeTool(t, test.config).Definition()
		if d.ReadOnly != test.readOnly || d.Idempotent != test.idempotent || !d.ReturnDirect || d.Timeout != defaultTimeout+graceTime {
			t.Errorf("%s: got %+v", test.config.Method, d)
		}
	}
}

func TestParameters(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, parameters, want string }{
		{"none", ``, `{"type":"object","properties":{},"required":[],"additionalProperties":false}`},
		{"short", `{"b":{"type":"string","required":true,"description":"B."},"a":{"enum":["x"],"default":"x","required":false}}`,
			`{"type":"object","properties":{"b":{"type":"string","description":"B."},"a":{"enum":["x"],"default":"x"}},"required":["b"],"additionalProperties":false}`},
		{"a parameter with the name type", `{"type":{"type":"string"},"required":{"type":"boolean","required":true}}`,
			`{"type":"object","properties":{"type":{"type":"string"},"required":{"type":"boolean"}},"required":["required"],"additionalProperties":false}`},
		{"an object that requires", `{"o":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}}`,
			`{"type":"object","properties":{"o":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}},"required":[],"additionalProperties":false}`},
		{"a schema", `{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}`,
			`{"type":"object","properties":{"x":{"type":"string"}},"required":["x"],"additionalProperties":false}`},
	} {
		c := Config{APIURL: "https://example.com", Parameters: JSON(test.parameters)}
		if got := makeTool(t, c).Definition().Schema().String(); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
	}
}

// FuzzTemplate: reading a template and writing it out gives the text again.
func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{"", "{a}", "x{a*}y", "{{a}}", "{{{a}}}", "{a{b}}", "query { user }", "{a b}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var b strings.Builder
		for _, p := range parseTemplate(s).pieces {
			switch {
			case p.argument == "":
				b.WriteString(p.text)
			case p.explode:
				b.WriteString("{" + p.argument + "*}")
			default:
				b.WriteString("{" + p.argument + "}")
			}
		}
		unescaped := placeholder.ReplaceAllStringFunc(s, func(m string) string {
			if strings.HasPrefix(m, "{{") {
				return m[1 : len(m)-1]
			}
			return m
		})
		if b.String() != unescaped {
			t.Errorf("%q became %q", s, b.String())
		}
	})
}

// FuzzURL: no argument changes the server, the literal path or the keys of the
// query, and what the server reads is what was given.
func FuzzURL(f *testing.F) {
	for _, seed := range []string{"x", "../..", "a/b", "?q=1", "#f", "%2e%2e", "@evil.org", "\\..\\", "é\x00\r\n", "a;b&c=d", " "} {
		f.Add(seed, seed)
	}
	where, err := parseTarget("https://api.example.com:8443/v1/users/{a}/files/x-{b}.txt?q={b}&fixed=1")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = strings.ToValidUTF8(a, ""), strings.ToValidUTF8(b, "")
		args := arguments{"a": jsonobject.Marshal(a), "b": jsonobject.Marshal(b)}
		request, err := (&plan{method: "GET", target: where}).request(t.Context(), jsonobject.Marshal(args))
		if err != nil {
			return
		}
		u := request.URL
		if u.Scheme != "https" || u.Host != "api.example.com:8443" || request.Host != u.Host || u.User != nil || u.Fragment != "" {
			t.Fatalf("%q %q lead to %s", a, b, u)
		}
		segments := strings.Split(u.EscapedPath(), "/")
		if len(segments) != 6 || strings.Join(segments[:3], "/") != "/v1/users" || segments[4] != "files" {
			t.Fatalf("%q %q make the path %s", a, b, u.EscapedPath())
		}
		if want := "/v1/users/" + a + "/files/x-" + b + ".txt"; u.Path != want {
			t.Fatalf("the server reads %q, want %q", u.Path, want)
		}
		if q := u.Query(); len(q) != 2 || q.Get("q") != b || q.Get("fixed") != "1" {
			t.Fatalf("%q makes the query %s", b, u.RawQuery)
		}
		for _, s := range strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' || r == '\\' }) {
			if s == "." || s == ".." {
				t.Fatalf("%q %q climb: %s", a, b, u)
			}
		}
	})
}

// TestUndeclaredArgumentsAreNotSent: a model must not choose what an API is told.
func TestUndeclaredArgumentsAreNotSent(t *testing.T) {
	t.Parallel()
	c := Config{Name: "a", Description: "A.", APIURL: "https://api.example.com/x?mode=a", Query: map[string]string{"safe": "strict"},
		Parameters: JSON(`{"type":"object","properties":{"q":{"type":"string"}}}`)}
	x, err := New(c, netpolicy.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tool.Prepare(x.Definition(), json.RawMessage(`{"q":"x","admin":true}`)); err == nil {
		t.Error("an argument that nobody declared is taken")
	}
	c.Parameters = JSON(`{"type":"object","properties":{"q":{"type":"string"}},"additionalProperties":true}`)
	if x, err = New(c, netpolicy.Policy{}); err != nil {
		t.Fatal(err)
	}
	request, err := x.(*api).plan.request(t.Context(), json.RawMessage(`{"q":"x","safe":"off","mode":"b","more":"y"}`))
	if err != nil || request.URL.RawQuery != "mode=a&more=y&q=x&safe=strict" {
		t.Errorf("got %s, %v", request.URL, err)
	}
}
