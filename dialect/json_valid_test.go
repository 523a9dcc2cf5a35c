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
