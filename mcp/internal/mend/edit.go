package mend

import (
	"bytes"
	"encoding/json"

	"helve/internal/jsontext"
)

// unless is value, or nil, which is to leave it out.
func unless(out bool, value []byte) []byte {
	if out {
		return nil
	}
	return value
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
