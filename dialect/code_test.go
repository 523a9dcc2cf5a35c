package dialect

import "testing"

// TestCode says which backticks open and close what.
func TestCode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text   string
		inside bool // at its end
	}{
		{"a", false}, {"`a", true}, {"`a`b", false}, {"``a`b", true}, {"``a`b``c", false},
		{"`a\nb", false}, {"a ` b\n```\nc", true}, {"```\na", true}, {"```go\na\n```\nb", false},
		{"````\n```\na", true}, {"````\n```\n````\na", false}, {"   ```\na", true}, {"    ```\na", false},
		{"x ```\na", false}, {"```\n x ```\na", true}, {"`\n```\na", true}, {"``\na", false}, {"a```b", true},
	} {
		for n := 1; n <= len(tt.text); n++ {
			c := code{on: true}
			for at := 0; at < len(tt.text); at += n {
				c.pass(tt.text[at:min(at+n, len(tt.text))])
			}
			if c.inside() != tt.inside {
				t.Errorf("%q in pieces of %d: inside is %v", tt.text, n, c.inside())
			}
		}
	}
}
