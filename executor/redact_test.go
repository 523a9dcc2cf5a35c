package executor_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"helve/executor"
)

func TestRedact(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"nothing secret", `{"city": "Shanghai", "days": 5, "detail": true, "note": null}`, `{"city":"Shanghai","days":5,"detail":true,"note":null}`},
		{"words like secrets", `{"author":"Ada","key":"a","keyboard":"b","monkey":"c","passage":"d","id":"e"}`, `{"author":"Ada","id":"e","key":"a","keyboard":"b","monkey":"c","passage":"d"}`},
		{"big number", `{"n":12345678901234567890}`, `{"n":12345678901234567890}`},
		{"no escapes for HTML", `{"q":"a<b&c"}`, `{"q":"a<b&c"}`},
		{"password", `{"password":"hunter2"}`, `{"password":"[redacted]"}`},
		{"letter case", `{"PassWord":"hunter2","API_KEY":"x","accessToken":"y"}`, `{"API_KEY":"[redacted]","PassWord":"[redacted]","accessToken":"[redacted]"}`},
		{"spellings of api key", `{"apikey":1,"api-key":2,"api_key":3,"api.key":4,"api key":5,"x-api-key":6}`, `{"api key":"[redacted]","api-key":"[redacted]","api.key":"[redacted]","api_key":"[redacted]","apikey":"[redacted]","x-api-key":"[redacted]"}`},
		{"others", `{"Authorization":1,"auth":2,"cookie":3,"client_secret":4,"credentials":5,"db_pwd":6,"jwt":7,"passphrase":8,"privateKey":9,"session_id":10,"x-auth":11}`,
			`{"Authorization":"[redacted]","auth":"[redacted]","client_secret":"[redacted]","cookie":"[redacted]","credentials":"[redacted]","db_pwd":"[redacted]","jwt":"[redacted]","passphrase":"[redacted]","privateKey":"[redacted]","session_id":"[redacted]","x-auth":"[redacted]"}`},
		{"whole value under a secret key", `{"secret":{"a":["b"]},"tokens":["c","d"]}`, `{"secret":"[redacted]","tokens":"[redacted]"}`},
		{"nested", `{"a":{"b":[{"password":"x"},{"c":"d"}]}}`, `{"a":{"b":[{"password":"[redacted]"},{"c":"d"}]}}`},
		{"bearer", `{"header":"Bearer abcdefgh12345"}`, `{"header":"[redacted]"}`},
		{"basic", `{"header":"x: basic dXNlcjpwYXNz"}`, `{"header":"x: [redacted]"}`},
		{"header in a text", `{"cmd":"curl -H 'Authorization: Bearer abcdefgh12345' -H 'authorization=token x1' x"}`, `{"cmd":"curl -H '[redacted]' -H '[redacted]' x"}`},
		{"key of OpenAI", `{"a":["use sk-abcdefghijklmnop1234 now"]}`, `{"a":["use [redacted] now"]}`},
		{"key of GitHub", `{"a":"ghp_abcdefghijklmnopqrstuvwx"}`, `{"a":"[redacted]"}`},
		{"JSON web token", `{"a":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"}`, `{"a":"[redacted]"}`},
		{"password in an address", `{"url":"postgres://ada:hunter2@db/x"}`, `{"url":"postgres[redacted]db/x"}`},
		{"key in a query", `{"url":"https://x/y?api_key=hunter2&q=a"}`, `{"url":"https://x/y?[redacted]&q=a"}`},
		{"key in a command", `{"cmd":"curl --token=hunter2 -d 'password: hunter2'"}`, `{"cmd":"curl --[redacted] -d '[redacted]'"}`},
		{"JSON in a string", `{"body":"{\"password\":\"hunter2\",\"a\":1}"}`, `{"body":"{\"a\":1,\"password\":\"[redacted]\"}"}`},
		{"top level string", `"Bearer abcdefgh12345"`, `"[redacted]"`},
		{"same key twice", `{"password":"hunter2","password":"hunter3"}`, `{"password":"[redacted]"}`},
		{"not JSON", `{"password":"hunter2"`, `[not JSON]`},
		{"more than JSON", `{} password=hunter2`, `[not JSON]`},
		{"empty", ``, `[not JSON]`},
		{"too long", `{"a":"` + strings.Repeat("x", 16<<10) + `"}`, `[too long to show]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, executor.Redact(json.RawMessage(tt.in))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRedactText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"nothing secret", "It rains in Shanghai.", "It rains in Shanghai."},
		{"JSON with nothing secret stays as it is written", ` { "b": 1.0, "a": [ "x<y" ] } `, ` { "b": 1.0, "a": [ "x<y" ] } `},
		{"a list", `{"api_keys":["abc123def456"]}`, `{"api_keys":"[redacted]"}`},
		{"several words", `{"password":"correct horse battery"}`, `{"password":"[redacted]"}`},
		{"an object", ` {"token":{"value":"abc123def"}}`, `{"token":"[redacted]"}`},
		{"an escape", `{"secret":"a\"bcdef"}`, `{"secret":"[redacted]"}`},
		{"an escaped name", `{"\u0070assword":"hunter2"}`, `{"password":"[redacted]"}`},
		{"separators", `[{"password": "pa,ss;word"}]`, `[{"password":"[redacted]"}]`},
		{"JSON in JSON", `{"body":"{\"secret\":\"a b\"}"}`, `{"body":"{\"secret\":\"[redacted]\"}"}`},
		{"an address", "postgres://admin:hunter2hunter2@db", "postgres[redacted]db"},
		{"several words around JSON", "got {\"password\": \"correct horse\", \"a\": 1}", `got {"[redacted], "a": 1}`},
		{"an escape around JSON", `got {"secret":"a\"bcdef","a":1}`, `got {"[redacted],"a":1}`},
		{"a list around JSON", `got {"api_keys": ["abc", "def"]} so`, `got {"[redacted]} so`},
		{"an object around JSON", `got {"token":{"value":"abc123def"}} so`, `got {"[redacted]} so`},
		{"cut JSON", `{"password":"correct horse bat`, `{"[redacted]`},
		{"quoted JSON", `body "{\"password\":\"correct horse\",\"a\":1}"`, `body "{\"[redacted]\",\"a\":1}"`},
		{"single quotation marks", `password='correct horse' x`, `[redacted] x`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, executor.RedactText(tt.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRedactExcerpt(t *testing.T) {
	t.Parallel()
	const address = "://admin:hunter2hunter2@db"
	words, key := strings.Repeat("words ", 1<<20), "password="+strings.Repeat("x", 1<<20)
	for _, tt := range []struct{ name, in, want string }{
		{"short", "It rains.", "It rains."},
		{"long", words, words[:20] + "…"},
		{"a secret", "the password=hunter2", "the [redacted]"},
		{"cut amid a secret", "0123456" + address, "0123456[redacted]db"},
		{"cut amid JSON", `{"a": "it rains here","password":"hunter2 hunter2"}`, `{"a":"it rains here"…`},
		{"a secret without end", key, "[too long to show]"},
		{"long JSON", `{"a":"` + words + `"}`, "[too long to show]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, executor.RedactExcerpt(tt.in, 20)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRedactCutsBetweenCharacters(t *testing.T) {
	t.Parallel()
	got := executor.Redact(json.RawMessage(`{"a":"` + strings.Repeat("é", 1000) + `"}`))
	if len(got) > 1<<10+len("…") || !utf8.ValidString(got) || !strings.HasSuffix(got, "é…") {
		t.Errorf("%d bytes, ending in %q", len(got), got[len(got)-10:])
	}
}

// FuzzRedact holds Redact to its promise: whatever stands around it, a value
// under a secret name does not come out, and the line stays short.
func FuzzRedact(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":[1,{"b":"c"}]}`, `"x"`, `{`, `[[[[`, `{"a":"{\"b\":1}"}`, "\xff", `{"token":"x"}`, `null`} {
		f.Add(seed, "api")
	}
	f.Add(`{"a":1}`, "my Password, please")
	f.Fuzz(func(t *testing.T, arguments, key string) {
		checkLogLine(t, arguments)

		const secret = "hunter2"
		if strings.Contains(arguments, secret) || strings.Contains(key, secret) {
			return
		}
		var around any = arguments
		if v := new(any); json.Unmarshal([]byte(arguments), v) == nil {
			around = *v
		}
		direct := mustJSON(t, []any{around, map[string]any{"nested": map[string]any{key + "_token": []any{secret}}}})
		quoted := mustJSON(t, map[string]any{"body": direct})
		for _, arguments := range []string{direct, quoted} {
			checkLogLine(t, arguments)
			if got := executor.Redact(json.RawMessage(arguments)); strings.Contains(got, secret) {
				t.Errorf("%s became %s", arguments, got)
			}
		}
	})
}

func checkLogLine(t *testing.T, arguments string) {
	t.Helper()
	got := executor.Redact(json.RawMessage(arguments))
	if len(got) > 1<<10+len("…") || !utf8.ValidString(got) {
		t.Errorf("%q became %d bytes: %q", arguments, len(got), got)
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
