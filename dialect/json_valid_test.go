package dialect

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzValidJSON compares with encoding/json, which lets invalid UTF-8 pass and
// nests deeper.
func FuzzValidJSON(f *testing.F) {
	for _, s := range []string{"", " ", "{}", "[]", ` {"a" : [1, -2.5e+3, true,false,null, "\u00e9\"x"]} `, "01", "-", "1.", "1e", "1e+", `"\x"`, `"\u12G4"`, "\"a\nb\"", "{,}", "[1,]", `{"a":}`, `{"a"}`, "tru", "\"\xff\"", "[[[[", "{}x", "- 1", "\v1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.Count(s, "[")+strings.Count(s, "{") > maxDepth {
			return
		}
		if got, want := validJSON(s), json.Valid([]byte(s)) && utf8.ValidString(s); got != want {
			t.Errorf("%q: %v, encoding/json says %v", s, got, want)
		}
	})
}

// TestSkipPlain puts every byte at every place of a word of eight, behind each kind
// of neighbor.
func TestSkipPlain(t *testing.T) {
	for c := range 256 {
		want := 0
		if c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			want = 1
		}
		for n := range 20 {
			for _, before := range []string{"x", " ", "!", "#", "[", "]", "~", "\x7f"} {
				for _, behind := range []string{"", "x", strings.Repeat("x", 20), strings.Repeat("\x00", 20), strings.Repeat("\"", 20)} {
					s := strings.Repeat(before, n) + string([]byte{byte(c)}) + behind
					got := skipPlain(s, 0)
					if want == 1 && got != n || want == 0 && got < n+1 {
						t.Fatalf("%q: %d", s, got)
					}
				}
			}
		}
	}
}
