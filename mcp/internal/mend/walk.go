package mend

import (
	"bytes"
	"encoding/json"

	"helve/internal/jsontext"
)

// The functions of this file go over JSON that nobody has checked yet. In what is not
// JSON they stop early, or find nonsense; they never read past the end, and what was
// mended of it is thrown away in the end.

// first is the first byte of a value, 0 where there is none.
func first(value []byte) byte {
	if len(value) == 0 {
		return 0
	}
	return value[0]
}

// same says whether two values are the same bytes at the same place.
func same(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// unless is value, or nil, which is to leave it out.
func unless(out bool, value []byte) []byte {
	if out {
		return nil
	}
	return value
}

// cursor goes over the members of an object or the elements of a list.
type cursor struct {
	b  []byte
	at int // behind the last value
}

// member returns the next key, without its quotes, and value.
func (c *cursor) member() (key, value []byte, ok bool) {
	start := skipTo(c.b, c.at, '"')
	end := skipString(c.b, start)
	if end < 0 {
		return nil, nil, false
	}
	key = c.b[start+1 : end-1]
	if bytes.IndexByte(key, '\\') >= 0 {
		key = []byte(unquote(c.b[start:end]))
	}
	colon := skipTo(c.b, end, ':')
	if colon < 0 {
		return nil, nil, false
	}
	value, ok = c.value(colon + 1)
	return key, value, ok
}

// element returns the next element of a list.
func (c *cursor) element() ([]byte, bool) { return c.value(c.at) }

func (c *cursor) value(from int) ([]byte, bool) {
	for from < len(c.b) && (isSpace(c.b[from]) || c.b[from] == ',') {
		from++
	}
	end := skipValue(c.b, from)
	if end <= from {
		return nil, false
	}
	c.at = end
	return c.b[from:end], true
}

// skipTo returns the place of the next c, with nothing but blanks and commas before it,
// or -1.
func skipTo(b []byte, i int, c byte) int {
	for ; i < len(b); i++ {
		if b[i] == c {
			return i
		}
		if !isSpace(b[i]) && b[i] != ',' {
			return -1
		}
	}
	return -1
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// endsWord says whether c can't stand in a number, or in true, false and null.
func endsWord(c byte) bool {
	switch c {
	case ',', ':', ']', '}', '"', '[', '{':
		return true
	}
	return isSpace(c)
}

// skipString returns the place behind the string that begins at i, or -1.
func skipString(b []byte, i int) int {
	if i < 0 || i >= len(b) || b[i] != '"' {
		return -1
	}
	for i = jsontext.SkipPlain(b, i+1); i < len(b); i = jsontext.SkipPlain(b, i+1) {
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return -1
}

// skipValue returns the place behind the value that begins at i, or -1. It does not
// recur, however deep the value is.
func skipValue(b []byte, i int) int {
	for depth := 0; i < len(b); {
		switch b[i] {
		case '"':
			if i = skipString(b, i); i < 0 {
				return -1
			}
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			if depth--; depth < 0 {
				return -1
			}
			i++
		case ',', ':', ' ', '\t', '\n', '\r':
			i++
			continue
		default:
			for i < len(b) && !endsWord(b[i]) {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
	return -1
}

// deeper says whether brackets are nested more than most deep in b.
func deeper(b []byte, most int) bool {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			end := skipString(b, i)
			if end < 0 {
				return false
			}
			i = end - 1
		case '{', '[':
			if depth++; depth > most {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}

// last returns the value of the last member of that name, which is the one that counts,
// or nil.
func last(object []byte, name string) []byte {
	if first(object) != '{' {
		return nil
	}
	var found []byte
	c := cursor{object, 1}
	for key, value, ok := c.member(); ok; key, value, ok = c.member() {
		if string(key) == name {
			found = value
		}
	}
	return found
}

// edit returns object with the values that change makes of its own. nil leaves a member
// out. Where change changes nothing, it is object itself, and nothing is allocated.
func edit(object []byte, change func(key, value []byte) []byte) []byte {
	if first(object) != '{' {
		return object
	}
	var out []byte
	c := cursor{object, 1}
	for {
		before := c.at
		key, value, ok := c.member()
		if !ok {
			break
		}
		changed := change(key, value)
		switch {
		case out != nil:
		case same(changed, value):
			continue
		default:
			out = append(make([]byte, 0, len(object)+len(changed)), object[:before]...)
		}
		if changed != nil {
			out = appendMember(out, key, changed)
		}
	}
	if out == nil {
		return object
	}
	return append(out, '}')
}

// appendMember adds a member to an object that is not closed yet.
func appendMember(out, key, value []byte) []byte {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	out = appendQuoted(out, key)
	return append(append(out, ':'), value...)
}

// set returns object with one member of that name, the last.
func set(object []byte, name string, value []byte) []byte {
	object = edit(object, func(key, v []byte) []byte { return unless(string(key) == name, v) })
	end := bytes.LastIndexByte(object, '}')
	out := append(make([]byte, 0, len(object)+len(name)+len(value)+8), bytes.TrimRight(object[:max(end, 1)], " \t\r\n")...)
	return append(appendMember(out, []byte(name), value), '}')
}

// editList is edit for a list. What is no list is returned as it is.
func editList(list []byte, change func(value []byte) []byte) []byte {
	if first(list) != '[' {
		return list
	}
	var out []byte
	c := cursor{list, 1}
	for {
		before := c.at
		value, ok := c.element()
		if !ok {
			break
		}
		changed := change(value)
		switch {
		case out != nil:
		case same(changed, value):
			continue
		default:
			out = append(make([]byte, 0, len(list)+len(changed)), list[:before]...)
		}
		if changed == nil {
			continue
		}
		if out[len(out)-1] != '[' {
			out = append(out, ',')
		}
		out = append(out, changed...)
	}
	if out == nil {
		return list
	}
	return append(out, ']')
}

// quote is s as a JSON string, with the least escapes.
func quote(s []byte) []byte { return appendQuoted(make([]byte, 0, len(s)+len(s)/8+2), s) }

func appendQuoted(out, s []byte) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	for i := 0; i < len(s); {
		plain := jsontext.SkipPlain(s, i)
		out = append(out, s[i:plain]...)
		if i = plain; i == len(s) {
			break
		}
		switch c := s[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c < ' ':
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			out = append(out, c)
		}
		i++
	}
	return append(out, '"')
}

// unquote is the text of a JSON string, "" where it is none.
func unquote(value []byte) string {
	var s string
	if json.Unmarshal(value, &s) != nil {
		return ""
	}
	return s
}
