package jsontext

import (
	"strings"
	"testing"
	"unicode/utf8"
)

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
					got := SkipPlain(s, 0)
					if inBytes := SkipPlain([]byte(s), 0); inBytes != got {
						t.Fatalf("%q: %d and %d", s, got, inBytes)
					}
					if want == 1 && got != n || want == 0 && got < n+1 {
						t.Fatalf("%q: %d", s, got)
					}
				}
			}
		}
	}
}
