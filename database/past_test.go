package database

import (
	"strings"
	"testing"
	"unicode/utf8"

	"helve/tool"
)

func TestPast(t *testing.T) {
	t.Parallel()
	for prefix, want := range map[string]string{
		"a":                     "b",
		"user/":                 "user0",
		"搜":                     "搝",
		"\u007f":                "\u0080", // one byte more
		"a\ud7ff":               "a\ue000",
		"a\U0010ffff":           "b",
		"a\U0010ffff\U0010ffff": "b",
	} {
		if got := past(prefix); got != want {
			t.Errorf("past(%q): got %q, want %q", prefix, got, want)
		}
	}
}

// The keys from a prefix to what is past it are the keys with that prefix.
func FuzzPast(f *testing.F) {
	for _, s := range []string{"", "a", "ab", "b", "搜索", "\ud7ff", "\ue000", "\U0010ffff", "a\U0010ffff", "\u007f", "\u0080"} {
		f.Add(s, s+"x")
		f.Add(s, "a")
		f.Add(s, strings.Repeat("\U0010ffff", tool.MaxKeyBytes/utf8.UTFMax))
	}
	f.Fuzz(func(t *testing.T, prefix, key string) {
		if tool.CheckKey(key) != nil || prefix != "" && tool.CheckKey(prefix) != nil {
			return
		}
		for _, key := range []string{key, prefix + key} {
			if len(key) > tool.MaxKeyBytes {
				continue
			}
			between := prefix <= key && key < past(prefix)
			if between != strings.HasPrefix(key, prefix) {
				t.Errorf("prefix %q, key %q: between %t", prefix, key, between)
			}
		}
	})
}
