package main

import (
	"strings"
	"testing"
)

// TestTheWholeCallIsShown: nothing of what a person approves can be hidden.
func TestTheWholeCallIsShown(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ arguments, want string }{
		{`{"password":"hunter2","sql":"DROP TABLE users"}`, "  {\n    \"password\": \"hunter2\",\n    \"sql\": \"DROP TABLE users\"\n  }"},
		{`{"a":"` + strings.Repeat("x", 5000) + `; rm -rf /"}`, "; rm -rf /"},
		{"{\"a\":\"safe \u202egnihton\u202c\u200b\"}", `safe \u{202E}gnihton\u{202C}\u{200B}`},
		{"not JSON \x1b[2J\x07", `not JSON \u{1B}[2J\u{7}`},
		{"{\"a\":\"中文 é\u00a0!\"}", "中文 é\\u{A0}!"},
	} {
		if got := wholly([]byte(test.arguments)); !strings.Contains(got, test.want) {
			t.Errorf("%.60s: got %s", test.arguments, got)
		}
	}
}
