package jsonc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// deepest is how far values may lie in one another.
const deepest = 200

// Parse reads one value. The error is of type *[Error].
func Parse(data []byte) (*Value, error) {
	p := &parser{data: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), line: 1}
	v, err := p.document()
	if err != nil {
		return nil, err // not a nil *Error in an error
	}
	return v, nil
}

type parser struct {
	data  []byte
	at    int
	line  int
	start int // of the line
	depth int
}

func (p *parser) document() (*Value, *Error) {
	v, err := p.value("a value")
	if err != nil {
		return nil, err
	}
	if err := p.skip(); err != nil {
		return nil, err
	}
	if p.at < len(p.data) {
		return nil, p.errorf("the file goes on behind its end: is a bracket closed too early?")
	}
	return v, nil
}

func (p *parser) place() Place {
	return Place{p.line, 1 + utf8.RuneCount(p.data[p.start:p.at])}
}

func (p *parser) errorf(format string, args ...any) *Error {
	return &Error{p.place(), fmt.Sprintf(format, args...)}
}

// skip goes over blanks and comments.
func (p *parser) skip() *Error {
	for p.at < len(p.data) {
		rest := p.data[p.at:]
		switch {
		case rest[0] == '\n':
			p.at++
			p.line, p.start = p.line+1, p.at
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r':
			p.at++
		case bytes.HasPrefix(rest, []byte("//")):
			if end := bytes.IndexByte(rest, '\n'); end >= 0 {
				p.at += end
			} else {
				p.at = len(p.data)
			}
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				return p.errorf("this comment has no end: write */")
			}
			comment := rest[:end+4]
			if n := bytes.Count(comment, []byte("\n")); n > 0 {
				p.line, p.start = p.line+n, p.at+bytes.LastIndexByte(comment, '\n')+1
			}
			p.at += len(comment)
		default:
			return nil
		}
	}
	return nil
}

// next goes to the next byte that means something, and returns it; 0 is the end.
func (p *parser) next() (byte, *Error) {
	if err := p.skip(); err != nil || p.at == len(p.data) {
		return 0, err
	}
	return p.data[p.at], nil
}

func (p *parser) value(wanted string) (*Value, *Error) {
	c, err := p.next()
	if err != nil {
		return nil, err
	}
	v := &Value{Place: p.place()}
	switch {
	case c == 0 && p.at == len(p.data):
		return nil, p.errorf("the file ends where %s is due", wanted)
	case c == '{':
		v.Kind = Object
		err = p.inside('}', func() *Error { return p.member(v) })
	case c == '[':
		v.Kind = Array
		err = p.inside(']', func() *Error {
			element, err := p.value("a value")
			v.Elements = append(v.Elements, element)
			return err
		})
	case c == '"':
		v.Kind = String
		v.Text, err = p.text()
	default:
		err = p.word(v, wanted)
	}
	return v, err
}

// inside reads what stands in brackets, one after the other by one.
func (p *parser) inside(closing byte, one func() *Error) *Error {
	if p.depth++; p.depth > deepest {
		return p.errorf("more than %d values lie in one another here", deepest)
	}
	defer func() { p.depth-- }()
	opened := p.place()
	p.at++
	for {
		c, err := p.next()
		if err != nil {
			return err
		}
		switch {
		case c == closing:
			p.at++
			return nil
		case p.at == len(p.data):
			return &Error{opened, "this bracket is not closed"}
		}
		if err := one(); err != nil {
			return err
		}
		switch c, err = p.next(); {
		case err != nil:
			return err
		case c == ',':
			p.at++
		case c != closing && p.at < len(p.data):
			return p.errorf("a comma or %q is due here", closing)
		}
	}
}

func (p *parser) member(in *Value) *Error {
	c, err := p.next()
	if err != nil {
		return err
	}
	if c != '"' {
		return p.errorf("a name in double quotes is due here")
	}
	m := Member{Place: p.place()}
	if m.Name, err = p.text(); err != nil {
		return err
	}
	if c, err = p.next(); err != nil {
		return err
	}
	if c != ':' {
		return p.errorf("a colon is due here, behind the name %.40q", m.Name)
	}
	p.at++
	m.Value, err = p.value("the value of " + m.Name)
	in.Members = append(in.Members, m)
	return err
}

// text reads what stands in double quotes.
func (p *parser) text() (string, *Error) {
	rest := p.data[p.at:]
	end := 1
	for end < len(rest) && rest[end] != '"' && rest[end] != '\n' {
		if rest[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(rest) || rest[end] != '"' {
		return "", p.errorf("this text has no end: a double quote is missing on its line")
	}
	literal := rest[:end+1]
	if !utf8.Valid(literal) {
		return "", p.errorf("this text is not UTF-8: save the file as UTF-8")
	}
	var s string
	if json.Unmarshal(literal, &s) != nil {
		return "", p.errorf(`this text has a control character, or a \ that means nothing: write \\ for the character itself`)
	}
	p.at += len(literal)
	return s, nil
}

// word reads a number, true, false or null.
func (p *parser) word(v *Value, wanted string) *Error {
	rest := p.data[p.at:]
	end := bytes.IndexAny(rest, " \t\r\n,:{}[]\"/")
	if end < 0 {
		end = len(rest)
	}
	v.Text = string(rest[:end])
	switch {
	case v.Text == "true" || v.Text == "false":
		v.Kind = Bool
	case v.Text == "null":
		v.Kind = Null
	case end > 0 && strings.ContainsRune("-0123456789", rune(v.Text[0])) && json.Valid(rest[:end]):
		v.Kind = Number
	case end == 0:
		return p.errorf("%s is due here, not %q", wanted, rest[0])
	default:
		return p.errorf("%s is due here: text stands in double quotes", wanted)
	}
	p.at += end
	return nil
}
