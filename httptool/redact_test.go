package httptool

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"helve/internal/jsonobject"
	"helve/tool"
)

// oneTool loads a workspace with one tool.
func oneTool(t *testing.T, file string, environment map[string]string) tool.Tool {
	t.Helper()
	c := load(t, workspace(t, map[string]string{
		"helve.yaml":          "network: {allow_private: true}\n",
		"tools/native/f.yaml": "name: a\ndescription: A.\n" + file,
	}), environment)
	if problems := c.Problems(); len(problems) > 0 {
		t.Fatal(problems)
	}
	t.Cleanup(func() { c.Close() })
	return c.Tools()[0]
}

var lowerHex = regexp.MustCompile(`%[0-9A-F]{2}`)

// asASCII escapes what is not ASCII, as PHP does in JSON.
func asASCII(s string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(s)) {
		if unit < 0x80 {
			b.WriteByte(byte(unit))
		} else {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// What the environment put into a file never comes back from the server, wherever it
// stood and however the server writes it.
func TestValuesOfTheEnvironmentAreNotEchoed(t *testing.T) {
	t.Parallel()
	const file = `
method: POST
api_url: ${API}/bot${PATH_KEY}/send
body: {key: "${BODY_KEY}", q: "{q}"}
headers: {X-Sub: "${HEADER_KEY}"}
auth_method: bearer
token: ${TOKEN}
parameters: {q: {type: string, required: true}}
`
	values := map[string]string{
		"PATH_KEY": "1234:path-secret", "BODY_KEY": "body<se/cret>&é😀", "HEADER_KEY": "header secret+1", "TOKEN": `wJalr/XUtnFEMI"K7`,
	}
	escapes := map[string]func(string) string{
		"as it is":      func(s string) string { return s },
		"query":         url.QueryEscape,
		"path":          url.PathEscape,
		"lower query":   func(s string) string { return lowerHex.ReplaceAllStringFunc(url.QueryEscape(s), strings.ToLower) },
		"JSON":          func(s string) string { return string(jsonobject.Marshal(s)) },
		"JSON for HTML": func(s string) string { b, _ := json.Marshal(s); return string(b) },
		"PHP":           func(s string) string { return strings.ReplaceAll(asASCII(string(jsonobject.Marshal(s))), "/", `\/`) },
	}
	for name, escape := range escapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var sent []string
			server := serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				var b struct{ Key, Q string }
				json.Unmarshal(body, &b)
				_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
				path, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/bot"), "/")
				sent = []string{path, b.Key, r.Header.Get("X-Sub"), token}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusBadRequest)
				for i := range sent {
					fmt.Fprintf(w, "%d=%s; ", i, escape(sent[i]))
				}
				fmt.Fprint(w, b.Q)
			})
			env := map[string]string{"API": server}
			for k, v := range values {
				env[k] = v
			}
			_, err := invoke(t, oneTool(t, file, env), `{"q":"question"}`)
			e := tool.AsError(err)
			shown := fmt.Sprint(e.Message, e.Detail)
			if got := strings.Count(shown, "[secret]"); got != len(values) || !strings.Contains(shown, "question") {
				t.Errorf("the model reads %s", shown)
			}
			for i, want := range []string{"PATH_KEY", "BODY_KEY", "HEADER_KEY", "TOKEN"} {
				if sent[i] != values[want] {
					t.Errorf("sent %q for %s", sent[i], want)
				}
			}
		})
	}
}

// A URL of the environment is a secret where it says more than which server; the
// server itself is none.
func TestEnvironmentSecrets(t *testing.T) {
	t.Parallel()
	got := environmentSecrets(map[string]string{
		"HOOK": "https://h.example/services/T0/B1", "API": "https://h.example", "HOST": "h.example", "REGION": "eu-central-1", "ACCOUNT": "12345678901234567890",
		"TEAM": "customers", "BOT": "bot123456:AAAbbbCCCddd", "API_KEY": "long-enough", "GREETING": "hello, all 1234 of you",
	}, "https://h.example")
	if want := "/services/T0/B1 bot123456:AAAbbbCCCddd https://h.example/services/T0/B1 long-enough"; strings.Join(got, " ") != want {
		t.Errorf("got %v", got)
	}
}

// Neither do errors of the file show it, nor an argument that is none.
func TestErrorsOfTheFileShowNoSecret(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"host":      "api_url: https://x.example:${T}/",
		"user":      "api_url: https://user:${T}@x.example/",
		"path":      "api_url: https://x.example/bot${T}/x",
		"query":     "api_url: https://x.example/?k=${T}",
		"whole":     "api_url: ${T}",
		"header":    "api_url: https://x.example/\nheaders: {Authorization: 'Bearer ${T}'}",
		"body":      "api_url: https://x.example/\nmethod: POST\nbody: {k: '${T}'}",
		"select":    "api_url: https://x.example/\nresponse: {select: '${T}'}",
		"hosts":     "api_url: https://x.example/\nallowed_hosts: ['${T}']",
		"method":    "api_url: https://x.example/\nauth_method: ${T}",
		"parameter": "api_url: https://x.example/\nparameters: {a: {type: '${T}'}}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := load(t, workspace(t, map[string]string{"helve.yaml": "", "tools/native/f.yaml": "name: a\ndescription: A.\n" + line + "\n"}), map[string]string{"T": "s3cret{Top_Part}%zz?q=%qu"})
			if len(c.Problems()) == 0 {
				t.Error("it is accepted")
			}
			for _, p := range c.Problems() {
				for _, part := range []string{"s3cret", "Top_Part", "?q"} {
					if strings.Contains(p.Error(), part) {
						t.Errorf("shows %s: %s", part, p.Error())
					}
				}
			}
		})
	}
}
