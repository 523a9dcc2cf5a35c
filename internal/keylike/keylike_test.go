package keylike_test

import (
	"testing"

	"helve/internal/keylike"
)

func TestText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"NTk3ZDQ4ZGItYzI1Nw": true, "0a1b2c3d-4e5f-6789-abcd-ef0123456789": true, "schlüssel1234567": true,
		"": false, "0123456789012345": false, "abcdefghijklmnop": false, "abcdefgh1234567": false,
		"in 16 or more words": false, "two1234567\nlines1234567": false,
	} {
		if got := keylike.Text(text); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}
