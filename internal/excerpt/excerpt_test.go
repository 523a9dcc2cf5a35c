package excerpt_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"helve/internal/excerpt"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		s    string
		most int
		want string
	}{
		{"", 0, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "abc…"},
		{"aé", 2, "a…"},
		{"a北京", 5, "a北…"},
		{"\xbf\xbf\xbf\xbf\xbf\xbf", 5, "\xbf\xbf\xbf\xbf\xbf…"},
		{"🙂", 3, "…"},
		{"abc", -1, "…"},
	} {
		if got := excerpt.Of(tt.s, tt.most); got != tt.want {
			t.Errorf("Of(%q, %d) = %q, want %q", tt.s, tt.most, got, tt.want)
		}
	}
}

func FuzzHead(f *testing.F) {
	f.Add("a北京", 3)
	f.Fuzz(func(t *testing.T, s string, most int) {
		head := excerpt.Head(s, most)
		if len(head) > max(most, 0) || !strings.HasPrefix(s, head) || utf8.ValidString(s) && !utf8.ValidString(head) {
			t.Errorf("Head(%q, %d) = %q", s, most, head)
		}
	})
}
