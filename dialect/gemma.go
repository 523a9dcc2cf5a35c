package dialect

import (
	"encoding/json"
	"errors"
	"strings"

	"helve/schema"
	"helve/tool"
)

// gemmaSyntax is Gemma's own: keys without quotes, and strings that stand as
// they are between two fences.
func gemmaSyntax(fence string) *literals { return &literals{brackets: "{}[]", fence: fence} }

// readGemma returns a function that reads arguments in Gemma's literals as JSON.
func readGemma(fence string) func(string, *tool.Definition) (json.RawMessage, error) {
	return func(text string, def *tool.Definition) (json.RawMessage, error) {
		g := gemma{literalReader{in: text, out: make([]byte, 0, len(text)), parameters: parametersOf(def)}, fence}
		if err := g.object(true); err != nil {
			return nil, err
		}
		return g.out, nil
	}
}

// gemma reads arguments in Gemma's literals.
type gemma struct {
	literalReader
	fence string
}

// object reads an object; top says that its keys are parameters.
func (g *gemma) object(top bool) error {
	return g.container('}', func() error {
		name, err := g.name()
		if err != nil {
			return err
		}
		g.key(name)
		if top {
			p, known := g.parameters[name]
			return g.value(p, known)
		}
		return g.any()
	})
}

func (g *gemma) any() error { return g.value(schema.Property{}, false) }

// container reads what is between an opener, which is next, and its closer.
func (g *gemma) container(closer byte, item func() error) error {
	g.out = append(g.out, g.in[g.at])
	g.at++
	_, _, err := g.items(closer, item)
	g.out = append(g.out, closer)
	return err
}

// name reads a key and its colon.
func (g *gemma) name() (string, error) {
	text, quoted, err := g.quoted()
	if !quoted {
		start := g.at
		for g.at < len(g.in) && strings.IndexByte(":,{}[]", g.in[g.at]) < 0 {
			g.at++
		}
		text = strings.TrimSpace(g.in[start:g.at])
	}
	g.space()
	if err == nil && (!quoted && text == "" || !g.next(':')) {
		err = g.unexpected()
	}
	return text, err
}

// value reads a value, for the parameter whose property it is, if known.
func (g *gemma) value(p schema.Property, known bool) error {
	g.space()
	text, quoted, err := g.quoted()
	switch {
	case err != nil:
		return err
	case quoted:
		g.out = append(g.out, quote(text)...)
		return nil
	case g.at == len(g.in):
		return g.unexpected()
	case g.in[g.at] == '{':
		return g.object(false)
	case g.in[g.at] == '[':
		return g.container(']', g.any)
	}
	start := g.at
	for g.at < len(g.in) && strings.IndexByte(",{}[]", g.in[g.at]) < 0 {
		g.at++
	}
	word := strings.TrimSpace(g.in[start:g.at])
	if word == "" {
		return g.unexpected()
	}
	value, ok := wordValue(p, known, word)
	if !ok {
		value = jsonString(word)
	}
	g.out = append(g.out, value...)
	return nil
}

// quoted reads a string between fences or quotes, if there is one.
func (g *gemma) quoted() (text string, ok bool, err error) {
	rest := g.in[g.at:]
	if inner, fenced := strings.CutPrefix(rest, g.fence); fenced {
		text, _, ok = strings.Cut(inner, g.fence)
		if !ok {
			return "", true, errors.New("a string does not end")
		}
		g.at += len(text) + 2*len(g.fence)
		return text, true, nil
	}
	if rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return "", false, nil
	}
	end := 1
	for end < len(rest) && rest[end] != rest[0] {
		if rest[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(rest) {
		return "", true, errors.New("a string does not end")
	}
	list, _, err := readJSON("["+rest[:end+1]+"]", false)
	if err != nil {
		return "", true, err
	}
	g.at += end + 1
	return unquote(strings.TrimSpace(list[1 : len(list)-1])), true, nil
}
