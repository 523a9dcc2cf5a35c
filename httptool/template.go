package httptool

import (
	"encoding/json"
	"regexp"
	"strings"

	"helve/internal/jsonobject"
)

// arguments are the values of a call by their names.
type arguments map[string]json.RawMessage

// template is text with arguments in it.
type template struct{ pieces []piece }

// piece is literal text or an argument.
type piece struct {
	text     string
	argument string
	explode  bool // {name*}
}

// placeholder is {{name}}, which is text, or {name} or {name*}. Any other brace is
// text too, so that JSON and GraphQL can be written as they are.
var placeholder = regexp.MustCompile(`\{\{[A-Za-z_][\w.-]*\*?\}\}|\{([A-Za-z_][\w.-]*)(\*?)\}`)

func parseTemplate(s string) template {
	var t template
	end := 0
	for _, m := range placeholder.FindAllStringSubmatchIndex(s, -1) {
		if m[0] > end {
			t.pieces = append(t.pieces, piece{text: s[end:m[0]]})
		}
		if m[2] < 0 {
			t.pieces = append(t.pieces, piece{text: s[m[0]+1 : m[1]-1]})
		} else {
			t.pieces = append(t.pieces, piece{argument: s[m[2]:m[3]], explode: m[4] < m[5]})
		}
		end = m[1]
	}
	if end < len(s) {
		t.pieces = append(t.pieces, piece{text: s[end:]})
	}
	return t
}

// alone returns the argument of a template that is one and nothing else.
func (t template) alone() (piece, bool) {
	if len(t.pieces) == 1 && t.pieces[0].argument != "" {
		return t.pieces[0], true
	}
	return piece{}, false
}

// expand returns the text, each argument through escape. It reports false where
// an argument is missing or null.
func (t template) expand(args arguments, escape func(string) string) (string, bool) {
	var b strings.Builder
	for _, p := range t.pieces {
		if p.argument == "" {
			b.WriteString(p.text)
			continue
		}
		value, ok := args[p.argument]
		if !ok || jsonobject.IsNull(value) {
			return "", false
		}
		b.WriteString(listText(value, escape))
	}
	return b.String(), true
}

// listText writes a list a,b,c, each through escape, and anything else as
// scalarText does.
func listText(raw json.RawMessage, escape func(string) string) string {
	if !jsonobject.IsList(raw) {
		return escape(scalarText(raw))
	}
	texts := elements(raw)
	for i := range texts {
		texts[i] = escape(texts[i])
	}
	return strings.Join(texts, ",")
}

// elements are the texts of a list, and of anything else its one text.
func elements(raw json.RawMessage) []string {
	var list []json.RawMessage
	if !jsonobject.IsList(raw) || json.Unmarshal(raw, &list) != nil {
		return []string{scalarText(raw)}
	}
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = scalarText(e)
	}
	return texts
}

// scalarText is a string's text, and anything else as it is in JSON, without
// blanks.
func scalarText(raw json.RawMessage) string {
	var s string
	if jsonobject.IsString(raw) && json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(jsonobject.Compact(raw))
}

func asIs(s string) string { return s }

func (t template) hasArguments() bool {
	for _, p := range t.pieces {
		if p.argument != "" {
			return true
		}
	}
	return false
}

// literal is the text of a template without arguments.
func (t template) literal() string {
	text, _ := t.expand(nil, asIs)
	return text
}
