package gen

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readComment reads the doc comment of a function with parameters query, limit,
// from and to.
func readComment(t testing.TB, doc string) (string, map[string]string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a\n\n"+doc+"\nfunc Search() {}\n", parser.ParseComments)
	if err != nil {
		t.Skip(err) // the fuzzer wrote no comment
	}
	if len(f.Comments) == 0 {
		return "", map[string]string{}
	}
	d := readDoc(f.Comments[0], "Search", []string{"query", "limit", "from", "to"})
	parameters := map[string]string{}
	for name, said := range d.parameters {
		parameters[name] = said.text
	}
	return d.description, parameters
}

func TestReadDoc(t *testing.T) {
	t.Parallel()
	type params = map[string]string
	for name, test := range map[string]struct {
		doc         string
		description string
		parameters  params
	}{
		"a name and a verb":         {"// Search looks in the handbook.", "Looks in the handbook.", params{}},
		"a name and is":             {"// Search is the way to look.", "The way to look.", params{}},
		"another beginning":         {"// Look in the\n// handbook.", "Look in the handbook.", params{}},
		"paragraphs":                {"// Search looks.\n//\n// It is\n// slow.\n//\n//helve:tool", "Looks.\n\nIt is slow.", params{}},
		"Chinese":                   {"// 搜索内容。\n//\n// Args:\n//     query: 搜索关键词\n//     limit: 返回的结果数量", "搜索内容。", params{"query": "搜索关键词", "limit": "返回的结果数量"}},
		"sentences":                 {"// Search looks. query is what to look for; limit is how many. It is slow.", "Looks. It is slow.", params{"query": "What to look for.", "limit": "How many."}},
		"two in a sentence":         {"// Search looks. from and to are dates, both included.", "Looks.", params{"from": "Dates, both included.", "to": "Dates, both included."}},
		"a sentence about no such":  {"// Search looks. size is large.", "Looks. size is large.", params{}},
		"a paragraph of sentences":  {"// Search looks.\n//\n// query is a\n// SQL query.", "Looks.", params{"query": "A SQL query."}},
		"as gofmt writes it":        {"// Search looks.\n//\n// Args:\n//\n//\tquery: what to look for,\n//\t  and why: for fun\n//\tlimit (int): how many", "Looks.", params{"query": "what to look for, and why: for fun", "limit": "how many"}},
		"as a list":                 {"// Search looks.\n//\n// Parameters:\n//   - query: what\n//     to look for\n//   - limit: how many", "Looks.", params{"query": "what to look for", "limit": "how many"}},
		"returns are left out":      {"// Search looks.\n//\n// Args:\n//     query: what\n//\n// Returns:\n//     a text: any\n//\n// It is slow.", "Looks.\n\nIt is slow.", params{"query": "what"}},
		"returns before arguments":  {"// Search looks.\n//\n// Returns: a text\n//\n// Args:\n//     query: what", "Looks.", params{"query": "what"}},
		"a default beside the name": {"// Search looks.\n//\n// Args:\n//     limit (default 10): how many", "Looks.", params{"limit": "how many (default 10)"}},
		"a line at the margin":      {"// Search looks.\n//\n// Args:\n//     query: what\n// to look for", "Looks.", params{"query": "what to look for"}},
		"entries at the margin":     {"// Search looks.\n//\n// Args:\n// query: what\n// limit: how many", "Looks.", params{"query": "what", "limit": "how many"}},
		"the section wins":          {"// Search looks. query is a text.\n//\n// Args:\n//     query: what", "Looks.", params{"query": "what"}},
		"a block comment":           {"/*\nSearch looks.\n\nArgs:\n\tquery: what\n*/", "Looks.", params{"query": "what"}},
		"lists":                     {"// Search looks in a book.\n//   - one\n//   - two", "Looks in a book.\n  - one\n  - two", params{}},
		"nothing":                   {"//helve:tool", "", params{}},
	} {
		description, parameters := readComment(t, test.doc)
		if diff := cmp.Diff(test.description, description); diff != "" {
			t.Errorf("%s: description (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(test.parameters, parameters); diff != "" {
			t.Errorf("%s: parameters (-want +got):\n%s", name, diff)
		}
	}
}

// FuzzReadDoc: no comment makes a panic, what is said of a parameter was in the
// comment, and the same comment says the same again.
func FuzzReadDoc(f *testing.F) {
	f.Add("Search looks.\n\nArgs:\n  query: what (default 1)\n\nReturns:\n  x")
	f.Add("query is a; limit is b. from and to are c")
	f.Add("Args:\n- query: a\n\tb\n\n c:d")
	f.Fuzz(func(t *testing.T, text string) {
		var doc strings.Builder
		for line := range strings.Lines(text) {
			doc.WriteString("// " + strings.TrimRight(line, "\r\n") + "\n")
		}
		description, parameters := readComment(t, strings.TrimSuffix(doc.String(), "\n"))
		again, same := readComment(t, strings.TrimSuffix(doc.String(), "\n"))
		if description != again || !cmp.Equal(parameters, same) {
			t.Fatal("the same comment says something else")
		}
		for name, said := range parameters {
			if !strings.Contains(text, name) {
				t.Fatalf("parameter %q is not in the comment", name)
			}
			for word := range strings.FieldsSeq(said) {
				if word = strings.TrimRight(word, "."); !strings.Contains(strings.ToLower(text), strings.ToLower(word)) {
					t.Fatalf("%q of parameter %q is not in the comment", word, name)
				}
			}
		}
	})
}

func TestSnake(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"SearchHandbook": "search_handbook", "search": "search", "HTTPGet": "http_get", "GetURL": "get_url",
		"sqlQuery": "sql_query", "Get_Weather": "get_weather", "Add2Numbers": "add2_numbers", "A": "a", "ÄndereText": "ändere_text",
	} {
		if got := snake(name); got != want {
			t.Errorf("snake(%s) = %s, want %s", name, got, want)
		}
	}
}
