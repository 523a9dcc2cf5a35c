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
		{"````\n```\na", true}, {"````\n```\n````\na", false}, {"   ```\na", true}, {"```\n x ```\na", true},
		{"`\n```\na", true}, {"``\na", false}, {"a```b", true},

		// Blocks in lists and quotations, and amid a line.
		{"1. Do:\n\n    ```xml\n    a", true}, {"- ```xml\n  a", true}, {"  2) ```\na", true}, {"> ```\n> a", true}, {"> ```\n> a\n> ```\nb", false},
		{"So: ```\na", true}, {"So: ```xml\na", true}, {"So: ```a``` b", false}, {"So: ```a b``` c", false},
		{"So: ```\na\n``` b", true}, {"So: ```\na\n```\nb", false}, {"Use ``` to fence.\nb", false},
		{"Use ``` to fence.\n\n```xml\na", true}, {"a ````x```` b ``` c\n```\na", true},
		{"```md\n- ```\na", true}, {"```md\n1. ```\na", true}, {"```md\n> ```\na", true}, {"> ```\na\n```\nb", true}, {"```md\n> ```xml\n> a\n> ```\nb", true},

		// What has more behind it closes nothing.
		{"```markdown\n```xml\na", true}, {"```markdown\n```xml\n```\na", false}, {"```\na\n```  \nb", false}, {"```\na\n``` b\nc", true},
	} {
		for n := 1; n <= len(tt.text); n++ {
			c := newCode(true)
			for at := 0; at < len(tt.text); at += n {
				c.pass(tt.text[at:min(at+n, len(tt.text))])
			}
			if c.inside() != tt.inside {
				t.Errorf("%q in pieces of %d: inside is %v", tt.text, n, c.inside())
			}
		}
	}
}
