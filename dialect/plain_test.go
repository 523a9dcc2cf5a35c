package dialect

import "testing"

// plainTexts are answers that no dialect may touch.
var plainTexts = []string{
	"", " ", "\n\n", "Hello.", "Grüße aus 東京 😀",
	"The list is [1, 2, 3], and the set {1, 2}.",
	"See [the docs](https://example.com/a?b=[c]) or [note: read this].",
	"An object such as {\"city\": \"Tokyo\", \"days\": 3} is JSON.",
	"{\"answer\": {\"name\": \"f\", \"arguments\": {}}}",
	"[{\"label\": \"a\", \"score\": 0.5}, {\"label\": \"b\"}]",
	"In Go: `func f() { return }`, in Python: `f(a=[1])`.",
	"```go\nfunc main() { fmt.Println(\"hi\") }\n```\nDone.",
	"```json\n{\"key\": [1, 2]}\n```\nDone.",
	"if a < b && c > d { x[i]++ }",
	"The <b>bold</b> tag, the <br/> tag and </p>.",
	"A > B >> C, a | b || c, #1, $5, 50 %, a_b*c*",
	"functools is a module of Python. Action: none. Tools: none.",
	"He said \"hi\" and {left", "it's [open", "<", "{", "[", "`", "```", "<|", "{\"", "[{\"",
}

// TestPlainText runs plain answers through every dialect, which must give them
// back as text: the ones above, and the public ones.
func TestPlainText(t *testing.T) {
	t.Parallel()
	t.Run("own", func(t *testing.T) {
		t.Parallel()
		for _, text := range plainTexts {
			staysPlain(t, text)
		}
	})
	t.Run("vectors", func(t *testing.T) {
		t.Parallel()
		for _, v := range readVectors(t, "plain-text") {
			staysPlain(t, v.Input)
		}
	})
}

func staysPlain(t *testing.T, text string) {
	t.Helper()
	for _, d := range dialects {
		for _, n := range []int{0, 1, 7} {
			for _, o := range []Options{{}, {Tools: roundTripTools}} {
				events := decodeIn(d, o, text, n)
				if textOf(events, Text) != text || len(events) > 1 {
					t.Errorf("%s, in chunks of %d: %q became %v", d.name, n, text, events)
				}
			}
		}
	}
}
