package dialect

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"helve/schema"
	"helve/tool"
)

// gemmaSyntax are Gemma's own: keys without quotes, and strings that stand as
// they are between two fences.
func gemmaSyntax(fence string) *literals { return &literals{brackets: "{}[]", fence: fence} }

// readGemma returns a function that reads arguments in Gemma's literals as JSON.
func readGemma(fence string) func(string, *tool.Definition) (json.RawMessage, error) {
	return func(text string, def *tool.Definition) (json.RawMessage, error) {
		g := gemma{in: text, out: make([]byte, 0, len(text)), fence: fence, parameters: parametersOf(def)}
		err := g.object(true)
		return g.out, err
	}
}

// gemma goes once through in, in which a [literalExtent] has matched the brackets
// and capped their depth, and writes JSON.
type gemma struct {
	in         string
	at         int
	out        []byte
	fence      string
	parameters map[string]schema.Property
}

func (g *gemma) space() { g.at = skipSpace(g.in, g.at) }

func (g *gemma) next(c byte) bool {
	if g.at < len(g.in) && g.in[g.at] == c {
		g.at++
		return true
	}
	return false
}

func (g *gemma) unexpected() error {
	if g.at >= len(g.in) {
		return errors.New("the arguments end too early")
	}
	r, _ := utf8.DecodeRuneInString(g.in[g.at:])
	return fmt.Errorf("unexpected %q in the arguments", r)
}

// object reads an object; top says that its keys are parameters.
func (g *gemma) object(top bool) error {
	return g.container('}', func() error {
		key, err := g.key()
		if err != nil {
			return err
		}
		g.out = append(append(g.out, quote(key)...), ':')
		if top {
			p, known := g.parameters[key]
			return g.value(p, known)
		}
		return g.any()
	})
}

func (g *gemma) any() error { return g.value(schema.Property{}, false) }

// container reads items with commas between them, and the brackets around.
func (g *gemma) container(closer byte, item func() error) error {
	g.out = append(g.out, g.in[g.at])
	g.at++
	for first := true; ; first = false {
		g.space()
		if g.next(closer) {
			break
		}
		if !first {
			g.out = append(g.out, ',')
		}
		if err := item(); err != nil {
			return err
		}
		g.space()
		if g.next(',') {
			continue
		}
		if !g.next(closer) {
			return g.unexpected()
		}
		break
	}
	g.out = append(g.out, closer)
	return nil
}

// key reads a key and its colon.
func (g *gemma) key() (string, error) {
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
	return unquote(strings.TrimSpace(string(list[1 : len(list)-1]))), true, nil
}
