package dialect

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"helve/schema"
	"helve/tool"
)

var pythonSyntax = literals{brackets: "()[]{}", triple: true, words: ".+-*"}

// readPython returns the arguments of a call in Python, as JSON. They are read
// and never evaluated: what is not a literal is an error, and so is an argument
// without a name.
func readPython(text string, def *tool.Definition) (json.RawMessage, error) {
	return readPythonWith(text, def, false)
}

// readLoosePython takes words without quotes for text, and the arguments as one
// dict, which LFM2 writes as well.
func readLoosePython(text string, def *tool.Definition) (json.RawMessage, error) {
	return readPythonWith(text, def, true)
}

func readPythonWith(text string, def *tool.Definition, loose bool) (json.RawMessage, error) {
	p := python{literalReader{in: text, at: 1, out: make([]byte, 0, len(text)), parameters: parametersOf(def)}, loose}
	if err := p.arguments(); err != nil {
		return nil, err
	}
	return p.out, nil
}

// python reads arguments in Python.
type python struct {
	literalReader
	loose bool
}

func (p *python) arguments() error {
	p.space()
	if p.loose && p.peek() == '{' {
		if err := p.value(schema.Property{}, false); err != nil {
			return err
		}
		p.space()
		if !p.next(')') {
			return p.unexpected()
		}
		return nil
	}
	p.out = append(p.out, '{')
	if _, _, err := p.items(')', p.argument); err != nil {
		return err
	}
	p.out = append(p.out, '}')
	return nil
}

// argument reads name=value, or the names and values of **{…}.
func (p *python) argument() error {
	if strings.HasPrefix(p.in[p.at:], "**{") {
		p.at += len("**{")
		if n, _, err := p.items('}', p.member); err != nil || n > 0 {
			return err
		}
		return p.unexpected()
	}
	start := p.at
	for isWord(p.peek()) || p.peek() == '-' {
		p.at++
	}
	name := p.in[start:p.at]
	p.space()
	if name == "" || !p.next('=') {
		return errors.New("an argument has no name")
	}
	p.key(name)
	p.space()
	property, known := p.parameters[name]
	return p.value(property, known)
}

// value reads a value, for the parameter whose property it is, if known.
func (p *python) value(property schema.Property, known bool) error {
	switch c := p.peek(); {
	case c == '[':
		return p.list(']')
	case c == '(':
		return p.list(')')
	case c == '{':
		p.at++
		p.out = append(p.out, '{')
		_, _, err := p.items('}', p.member)
		p.out = append(p.out, '}')
		return err
	case p.atString():
		return p.string()
	}
	word := p.word()
	value, ok := wordValue(property, known, word)
	switch {
	case ok:
	case p.loose && word != "" && isWord(word[0]):
		value = jsonString(word)
	default:
		return p.unknown(word)
	}
	p.out = append(p.out, value...)
	return nil
}

func (p *python) any() error { return p.value(schema.Property{}, false) }

// list reads a list or a tuple. One value in parentheses is that value.
func (p *python) list(closer byte) error {
	p.at++
	start := len(p.out)
	p.out = append(p.out, '[')
	n, comma, err := p.items(closer, p.any)
	if closer == ')' && n == 1 && !comma {
		p.out[start] = ' '
		return err
	}
	p.out = append(p.out, ']')
	return err
}

// member reads a key and a value of a dict.
func (p *python) member() error {
	if p.atString() {
		if err := p.string(); err != nil {
			return err
		}
	} else {
		word := p.word()
		key := jsonLiteral(word)
		if key == "" {
			if !p.loose || word == "" {
				return p.unknown(word)
			}
			key = word
		}
		p.out = append(p.out, quote(key)...)
	}
	p.space()
	if !p.next(':') {
		return p.unexpected()
	}
	p.out = append(p.out, ':')
	p.space()
	return p.any()
}

// word reads a number, or a word without quotes.
func (p *python) word() string {
	start := p.at
	for isWord(p.peek()) || strings.IndexByte(".+-", p.peek()) >= 0 {
		p.at++
	}
	return p.in[start:p.at]
}

func (p *python) unknown(word string) error {
	if word == "" {
		return p.unexpected()
	}
	return fmt.Errorf("%.40q is not a literal", word)
}

// atString reports whether a string begins here.
func (p *python) atString() bool {
	c := p.peek()
	if strings.IndexByte("rRuU", c) >= 0 && p.at+1 < len(p.in) {
		c = p.in[p.at+1]
	}
	return c == '"' || c == '\''
}

// string reads strings that stand side by side: they are one.
func (p *python) string() error {
	var text strings.Builder
	for p.atString() {
		if err := p.oneString(&text); err != nil {
			return err
		}
		p.space()
	}
	p.out = append(p.out, quote(text.String())...)
	return nil
}

func (p *python) oneString(text *strings.Builder) error {
	raw := false
	if c := p.peek(); c != '"' && c != '\'' {
		raw = c|0x20 == 'r'
		p.at++
	}
	closer := p.in[p.at : p.at+1]
	if triple := strings.Repeat(closer, 3); strings.HasPrefix(p.in[p.at:], triple) {
		closer = triple
	}
	p.at += len(closer)
	for {
		n := strings.IndexAny(p.in[p.at:], closer[:1]+`\`)
		if n < 0 {
			return errors.New("a string does not end")
		}
		text.WriteString(p.in[p.at : p.at+n])
		p.at += n
		switch {
		case strings.HasPrefix(p.in[p.at:], closer):
			p.at += len(closer)
			return nil
		case p.peek() != '\\':
			text.WriteByte(p.peek())
			p.at++
		case p.at+1 == len(p.in):
			return errors.New("a string does not end")
		case raw:
			text.WriteString(p.in[p.at : p.at+2])
			p.at += 2
		default:
			if err := p.escape(text); err != nil {
				return err
			}
		}
	}
}

var pythonEscapes = map[byte]string{
	'\n': "", '\\': `\`, '\'': "'", '"': `"`, 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

// escape reads a backslash and what it escapes. Where that is nothing, the
// backslash means itself, as in Python.
func (p *python) escape(text *strings.Builder) error {
	c := p.in[p.at+1]
	p.at += 2
	if plain, ok := pythonEscapes[c]; ok {
		text.WriteString(plain)
		return nil
	}
	switch c {
	case 'x', 'u', 'U':
		r, err := p.code(map[byte]int{'x': 2, 'u': 4, 'U': 8}[c])
		if err != nil {
			return err
		}
		if utf16.IsSurrogate(r) && strings.HasPrefix(p.in[p.at:], `\u`) { // JSON's way
			p.at += 2
			low, err := p.code(4)
			if err != nil {
				return err
			}
			r = utf16.DecodeRune(r, low)
		}
		text.WriteRune(r)
		return nil
	case 'N':
		return errors.New(`a string names a character: \N{…}`)
	}
	if c < '0' || c > '7' {
		p.at-- // c may be the first byte of a longer rune
		text.WriteByte('\\')
		return nil
	}
	end := p.at
	for end < len(p.in) && end < p.at+2 && '0' <= p.in[end] && p.in[end] <= '7' {
		end++
	}
	r, err := strconv.ParseUint(p.in[p.at-1:end], 8, 16)
	p.at = end
	text.WriteRune(rune(r))
	return err
}

// code reads n hexadecimal digits.
func (p *python) code(n int) (rune, error) {
	if p.at+n <= len(p.in) {
		digits := p.in[p.at : p.at+n]
		if r, err := strconv.ParseUint(digits, 16, 31); err == nil && r <= utf8.MaxRune && digits[0] != '+' {
			p.at += n
			return rune(r), nil
		}
	}
	return 0, errors.New("a string has an escape without its digits")
}
