package schema

import (
	"encoding/json"
	"strings"
	"testing"
)

// foldKey must agree with encoding/json, which decides what a key fills.
func TestFoldKeyLikeEncodingJSON(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"key", "KEY", "Key", "\u212aey", "\u212aEY", "kéy", "keys", "ke", "k-y", "kEy "} {
		var into struct {
			V int `json:"key"`
		}
		doc, err := json.Marshal(map[string]int{key: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(doc, &into); err != nil {
			t.Fatal(err)
		}
		if got := foldKey(key) == foldKey("key"); got != (into.V == 1) {
			t.Errorf("%q: folded alike: %v, filled: %d", key, got, into.V)
		}
	}
}

func FuzzFoldKey(f *testing.F) {
	f.Add("secret", "\u017fECRET")
	f.Add("É", "é")
	f.Add("ß", "ss")
	f.Fuzz(func(t *testing.T, a, b string) {
		if got, want := foldKey(a) == foldKey(b), strings.EqualFold(a, b); got != want && strings.ToValidUTF8(a+b, "") == a+b {
			t.Errorf("%q and %q: %v, want %v", a, b, got, want)
		}
	})
}

func TestWholeNumber(t *testing.T) {
	t.Parallel()
	for lit, want := range map[string]string{
		"5": "5", "5.0": "5", "-5.00": "-5", "1e2": "100", "120e-1": "12", "0.0": "0", "-0": "0", "1.5e1": "15", "0e999": "0",
		"1.5": "", "1e-1": "", "1e1001": "", "1e99999999999999999999": "",
	} {
		if got, _ := wholeNumber(lit); got != want {
			t.Errorf("%s: got %q, want %q", lit, got, want)
		}
	}
}

// A comparison may answer "don't know", but never "inside" for what is outside.
func TestBounds(t *testing.T) {
	t.Parallel()
	bound := func(key, lit string) bound {
		v, err := parse([]byte(lit))
		if err != nil {
			t.Fatal(err)
		}
		b, ok := newBound(key, v)
		if !ok {
			t.Fatalf("%s %s is no bound", key, lit)
		}
		return b
	}
	for _, tt := range []struct {
		key, limit string
		n          int64
		want       bool
	}{
		{"minimum", "5", 5, true},
		{"minimum", "5", 4, false},
		{"exclusiveMinimum", "5", 5, false},
		{"maximum", "9007199254740992", 9007199254740993, false},
		{"maximum", "9007199254740993", 9007199254740993, true},
		{"exclusiveMaximum", "9007199254740993", 9007199254740992, true},
		{"maximum", "9007199254740992.5", 9007199254740993, false},
		{"minimum", "0.5", 1, true},
		{"minimum", "1e30", 1, false},
		{"maximum", "1e30", 1, true},
	} {
		if got := bound(tt.key, tt.limit).keepsInt(tt.n); got != tt.want {
			t.Errorf("%s %s keeps %d: %v", tt.key, tt.limit, tt.n, got)
		}
	}
	if bound("minimum", "0.1").keepsFloat(0.1) {
		t.Error("equal floats say nothing about the numbers")
	}
}
