package gen

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"
	"time"

	"helve/internal/nearest"
	"helve/tool"
)

const (
	prefix          = "//helve:"
	toolDirective   = "tool"
	schemaDirective = "schema"
)

// directive is one line such as //helve:tool name=search read_only.
type directive struct {
	pos  token.Pos
	name string
	rest string
}

// directives returns those in a doc comment.
func directives(doc *ast.CommentGroup) []directive {
	if doc == nil {
		return nil
	}
	var found []directive
	for _, c := range doc.List {
		if text, ok := strings.CutPrefix(c.Text, prefix); ok {
			name, rest, _ := strings.Cut(text, " ")
			found = append(found, directive{c.Slash, strings.TrimSpace(name), strings.TrimSpace(rest)})
		}
	}
	return found
}

// settings are what the line of a tool says.
type settings struct {
	name    string
	options []option // in a fixed order
}

// option is one as a value, and as Go without its package.
type option struct {
	apply tool.Option
	text  string
}

// The options are named as the fields of a tool's definition in a file are.
var flags = []struct {
	word string
	option
}{
	{"read_only", option{tool.ReadOnly(), "ReadOnly()"}},
	{"idempotent", option{tool.Idempotent(), "Idempotent()"}},
	{"sequential", option{tool.Sequential(), "Sequential()"}},
	{"return_direct", option{tool.ReturnDirect(), "ReturnDirect()"}},
}

var words = []string{"name", "read_only", "idempotent", "sequential", "return_direct", "timeout"}

// settings reads the options of //helve:tool.
func (p *program) settings(d directive) settings {
	given := map[string]string{}
	at := d.pos
	for part := range strings.FieldsSeq(d.rest) {
		word, value, hasValue := strings.Cut(part, "=")
		_, twice := given[word]
		wantsValue := word == "name" || word == "timeout"
		switch {
		case !contains(words, word):
			p.problem(at, "%s", unknown("option", word, words))
		case twice:
			p.problem(at, "option %s is given twice", word)
		case wantsValue && value == "":
			p.problem(at, "option %s wants a value: %s", word, map[string]string{"name": "name=search", "timeout": "timeout=30s"}[word])
		case !wantsValue && hasValue:
			p.problem(at, "option %s takes no value: leave out %q", word, "="+value)
		}
		given[word] = value
	}
	s := settings{name: given["name"]}
	for _, f := range flags {
		if _, ok := given[f.word]; ok {
			s.options = append(s.options, f.option)
		}
	}
	if text := given["timeout"]; text != "" {
		timeout, err := time.ParseDuration(text)
		if err != nil || timeout <= 0 {
			p.problem(at, "timeout=%s is no time: write a number with a unit, such as 30s or 2m", text)
		}
		s.options = append(s.options, option{tool.Timeout(timeout), "Timeout(" + strconv.FormatInt(int64(timeout), 10) + ")"})
	}
	return s
}

// misplaced reports the directives that nothing reads: a typing mistake, or a line
// that stands above no function.
func (p *program) misplaced(f *ast.File, read map[token.Pos]bool) {
	for _, group := range f.Comments {
		for _, d := range directives(group) {
			switch {
			case read[d.pos]:
			case d.name == toolDirective:
				p.problem(d.pos, "//helve:tool stands above no function: put it on the last line of a function's doc comment, without an empty line between")
			case d.name == schemaDirective:
				p.problem(d.pos, "//helve:schema stands above no type: put it on the last line of a type's doc comment")
			default:
				p.problem(d.pos, "%s", unknown("directive", prefix+d.name, []string{prefix + toolDirective, prefix + schemaDirective}))
			}
		}
	}
}

func unknown(what, name string, known []string) string {
	text := fmt.Sprintf("unknown %s %s", what, name)
	if near := nearest.Name(name, known); near != "" {
		return text + ": did you mean " + near + "?"
	}
	return text + ": there are " + strings.Join(known, ", ")
}

func contains(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}
