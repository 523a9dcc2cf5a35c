package dialect

import (
	"os"
	"strings"
	"testing"

	"helve/message"
)

// The formats that docs/dialects.md adds as examples. The page shows what stands
// between the marks.

// json from here …

var acmeBody = jsonBody{
	shape:   "{[",                     // one object, or an array of them
	closers: []string{"</acme:call>"}, // the marker that ends a call
	next:    []string{"<acme:call>"},  // a model may forget it before the next call
}

var acme = Dialect{
	name:      "acme",
	purpose:   "Acme 7B",
	models:    []string{"acme"},
	reasoning: defaultReasoning,
	markers:   []marker{acmeBody.marker("<acme:call>")},
	write: func(calls []message.ToolCall) string {
		return inLines(calls, func(b *strings.Builder, c message.ToolCall) {
			b.WriteString("<acme:call>")
			writeCallJSON(b, "name", "arguments", c)
			b.WriteString("</acme:call>")
		})
	},
	result: resultInTags("acme:result"),
	role:   message.RoleUser,
	stop:   []string{"<acme:result>"},
}

// … json to here.

// scanner from here …

// openBang reads !name(text)!, a call with one argument that is called text.
func openBang(d *Decoder) scanner { return &bangScanner{d: d, at: len("!")} }

type bangScanner struct {
	d    *Decoder
	at   int    // what is read next
	name string // once it is known
	text int    // where the text begins; 0: still in the name
}

func (b *bangScanner) scan(s string, eof bool) step {
	for ; b.at < len(s); b.at++ {
		switch c := s[b.at]; {
		case b.text > 0 && c == '!' && s[b.at-1] == ')':
			arguments := argumentsFor(b.d.tools[b.name])
			arguments.add("text", s[b.text:b.at-1])
			n := b.at + 1
			return step{verdict: done, n: n, calls: []found{{Call: Call{Name: b.name, Arguments: arguments.json()}, end: n}}}
		case b.text > 0:
		case c == '(' && b.at > 1:
			b.name, b.text = s[1:b.at], b.at+1
		case !b.d.inName(c) || b.at > maxHeader:
			return step{verdict: fail, n: b.at} // prose, as soon as that is certain
		}
	}
	return step{} // more, please
}

// … scanner to here.

var bang = Dialect{
	name: "bang", purpose: "an example", weak: true,
	markers: []marker{{text: "!", open: openBang}},
	write: func(calls []message.ToolCall) string {
		return inLines(calls, func(b *strings.Builder, c message.ToolCall) {
			b.WriteString("!" + c.Name + "(" + strings.Trim(string(c.Arguments), "{}") + ")!")
		})
	},
	result: resultInTags("result"),
	role:   message.RoleUser,
}

// TestThePageAboutAddingIsTrue compares docs/dialects.md with what is compiled
// here, and holds the examples to the promises.
func TestThePageAboutAddingIsTrue(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/dialects.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("adding_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, mark := range []string{"json", "scanner"} {
		_, code, _ := strings.Cut(string(source), "// "+mark+" from here …\n")
		code, _, ok := strings.Cut(code, "// … "+mark+" to here.")
		if !ok || !strings.Contains(string(page), strings.TrimSpace(code)) {
			t.Errorf("docs/dialects.md does not show the example %s as it is", mark)
		}
	}
	for _, d := range []*Dialect{&acme, &bang} {
		for _, input := range append(promiseInputs(d), "!read_file(a!b)! c!", "!", "!x", "a !b", "!read_file(a") {
			for i, o := range promiseOptions {
				keepsPromises(t, d, o, input, uint64(i))
			}
		}
	}
	bug := trace(decodeIn(&bang, Options{Tools: promiseTools}, "Hi! !read_file(a)! Bye!", 2))
	if want := `"Hi! " read_file{"text":"a"} " Bye!"`; bug != want {
		t.Errorf("%s, want %s", bug, want)
	}
}
