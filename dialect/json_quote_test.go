package dialect

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzQuote compares with encoding/json.
func FuzzQuote(f *testing.F) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for _, s := range []string{"", "x", `"`, "a\nb\\c\"d\te", "<&>", "Grüße 東京 😀", "\u2028\u2029\ufffd\x7f", "\xff\xe6\x9d", "long enough for eight at a time\n", string(all)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(s); err != nil {
			t.Fatal(err)
		}
		if got := quote(s) + "\n"; got != want.String() {
			t.Errorf("%q: %s, encoding/json says %s", s, got, want.String())
		}
	})
}
