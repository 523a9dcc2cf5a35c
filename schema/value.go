package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

const (
	maxBytes  = 16 << 20 // of one document
	maxDepth  = 128      // of nested arrays and objects
	maxValues = 1 << 18  // in one document that needs the full validator
	maxDigits = 1000     // of a number, written out in full
)

// SyntaxError says that a document is not JSON at all.
type SyntaxError struct {
	Offset  int // in bytes, where reading stopped
	Message string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not valid JSON: %s at byte %d", e.Message, e.Offset)
}

// value is a parsed JSON value that remembers its own bytes. Order, numbers
// and the spelling of strings survive, because what is not changed is written
// back as it was read.
type value struct {
	kind    types  // one bit; a number is typeInteger or typeFraction by its value
	raw     []byte // the value's bytes in its source
	text    string // of a string, decoded
	members []member
	elems   []*value
	changed bool // this or something inside was edited; a container's raw is then out of date
}

// member is one key of an object.
type member struct {
	key   string
	value *value
}

func (v *value) get(key string) *value {
	for i := range v.members {
		if v.members[i].key == key {
			return v.members[i].value
		}
	}
	return nil
}

// parse reads one JSON document. The error is a *SyntaxError, or a
// *ValidationError when the document is JSON but over a limit.
func parse(src []byte) (*value, error) {
	if len(src) > maxBytes {
		return nil, overLimit("", fmt.Sprintf("is larger than %d MiB", maxBytes>>20))
	}
	p := parser{src: src}
	v, err := p.value(skipSpace(src, 0))
	if err != nil {
		return nil, err
	}
	if end := skipSpace(src, p.pos); end < len(src) {
		return nil, p.fail(end, "text after the value")
	}
	return v, nil
}

type parser struct {
	src    []byte
	pos    int // after the value that was read last
	depth  int
	values int
}

func (p *parser) fail(at int, message string) error {
	if at >= len(p.src) {
		at, message = len(p.src), "unexpected end"
	}
	return &SyntaxError{Offset: at, Message: message}
}

func (p *parser) value(i int) (*value, error) {
	if p.values++; p.values > maxValues {
		return nil, overLimit("", fmt.Sprintf("has more than %d values", maxValues))
	}
	if i >= len(p.src) {
		return nil, p.fail(i, "")
	}
	switch c := p.src[i]; {
	case c == '{' || c == '[':
		if p.depth++; p.depth > maxDepth {
			return nil, overLimit("", fmt.Sprintf("is nested deeper than %d levels", maxDepth))
		}
		read := p.object
		if c == '[' {
			read = p.array
		}
		v, err := read(i)
		p.depth--
		return v, err
	case c == '"':
		return p.string(i)
	case c == '-' || '0' <= c && c <= '9':
		return p.number(i)
	case c == 't':
		return p.word(i, "true", typeBoolean)
	case c == 'f':
		return p.word(i, "false", typeBoolean)
	case c == 'n':
		return p.word(i, "null", typeNull)
	}
	return nil, p.fail(i, "unexpected character "+strconv.QuoteRune(p.runeAt(i)))
}

func (p *parser) runeAt(i int) rune {
	r, _ := utf8.DecodeRune(p.src[i:])
	return r
}

func (p *parser) word(i int, word string, kind types) (*value, error) {
	end := scanWord(p.src, i, word)
	if end < 0 {
		return nil, p.fail(i, "unknown word")
	}
	p.pos = end
	return &value{kind: kind, raw: p.src[i:end]}, nil
}

func (p *parser) number(i int) (*value, error) {
	end, plain := scanNumber(p.src, i)
	if end < 0 {
		return nil, p.fail(i, "malformed number")
	}
	p.pos = end
	v := &value{kind: typeInteger, raw: p.src[i:end]}
	if plain {
		return v, nil
	}
	if _, whole := wholeNumber(string(v.raw)); !whole {
		v.kind = typeFraction
	}
	return v, nil
}

func (p *parser) string(i int) (*value, error) {
	end, form := scanString(p.src, i)
	if end < 0 {
		return nil, p.fail(i, "malformed or unfinished string")
	}
	p.pos = end
	v := &value{kind: typeString, raw: p.src[i:end]}
	if form&hasEscape == 0 {
		v.text = string(v.raw[1 : len(v.raw)-1])
		return v, nil
	}
	if err := json.Unmarshal(v.raw, &v.text); err != nil {
		return nil, p.fail(i, "malformed string")
	}
	return v, nil
}

func (p *parser) array(i int) (*value, error) {
	v := &value{kind: typeArray}
	at := skipSpace(p.src, i+1)
	for at < len(p.src) && p.src[at] != ']' {
		if len(v.elems) > 0 {
			if p.src[at] != ',' {
				return nil, p.fail(at, "expected , or ]")
			}
			at = skipSpace(p.src, at+1)
		}
		e, err := p.value(at)
		if err != nil {
			return nil, err
		}
		v.elems = append(v.elems, e)
		at = skipSpace(p.src, p.pos)
	}
	if at >= len(p.src) {
		return nil, p.fail(at, "")
	}
	p.pos = at + 1
	v.raw = p.src[i:p.pos]
	return v, nil
}

func (p *parser) object(i int) (*value, error) {
	v := &value{kind: typeObject}
	at := skipSpace(p.src, i+1)
	for at < len(p.src) && p.src[at] != '}' {
		if len(v.members) > 0 {
			if p.src[at] != ',' {
				return nil, p.fail(at, "expected , or }")
			}
			at = skipSpace(p.src, at+1)
		}
		if at >= len(p.src) || p.src[at] != '"' {
			return nil, p.fail(at, "expected a quoted key")
		}
		key, err := p.string(at)
		if err != nil {
			return nil, err
		}
		at = skipSpace(p.src, p.pos)
		if at >= len(p.src) || p.src[at] != ':' {
			return nil, p.fail(at, "expected :")
		}
		e, err := p.value(skipSpace(p.src, at+1))
		if err != nil {
			return nil, err
		}
		v.members = append(v.members, member{key: key.text, value: e})
		at = skipSpace(p.src, p.pos)
	}
	if at >= len(p.src) {
		return nil, p.fail(at, "")
	}
	p.pos = at + 1
	v.raw = p.src[i:p.pos]
	return v, nil
}

// appendJSON writes v. What was not changed keeps its bytes, white space
// included; what was changed is written compactly.
func (v *value) appendJSON(dst []byte) []byte {
	if !v.changed || v.kind&(typeArray|typeObject) == 0 {
		return append(dst, v.raw...)
	}
	return v.appendContainer(dst, (*value).appendJSON)
}

// appendCompact writes v in canonical form: no white space, strings with the
// least escapes, numbers as they were written, keys in their order.
func (v *value) appendCompact(dst []byte) []byte {
	switch v.kind {
	case typeString:
		return appendString(dst, v.text)
	case typeArray, typeObject:
		return v.appendContainer(dst, (*value).appendCompact)
	}
	return append(dst, v.raw...)
}

func (v *value) appendContainer(dst []byte, write func(*value, []byte) []byte) []byte {
	if v.kind == typeArray {
		dst = append(dst, '[')
		for i, e := range v.elems {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = write(e, dst)
		}
		return append(dst, ']')
	}
	dst = append(dst, '{')
	for i, m := range v.members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, m.key)
		dst = append(dst, ':')
		dst = write(m.value, dst)
	}
	return append(dst, '}')
}

// appendString quotes s as JSON without the HTML escapes of encoding/json.
func appendString(dst []byte, s string) []byte {
	if !needsEscape(s) {
		dst = append(dst, '"')
		dst = append(dst, s...)
		return append(dst, '"')
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil { // a string always encodes
		panic(err)
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// needsEscape is true for more than JSON demands; the encoder decides then.
func needsEscape(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= 0x7F {
			return true
		}
	}
	return false
}

// plain converts v to the form that the full validator reads.
func (v *value) plain() any {
	switch v.kind {
	case typeNull:
		return nil
	case typeBoolean:
		return v.raw[0] == 't'
	case typeString:
		return v.text
	case typeArray:
		out := make([]any, len(v.elems))
		for i, e := range v.elems {
			out[i] = e.plain()
		}
		return out
	case typeObject:
		out := make(map[string]any, len(v.members))
		for _, m := range v.members {
			out[m.key] = m.value.plain()
		}
		return out
	}
	return json.Number(v.raw)
}
