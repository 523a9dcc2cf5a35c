package dialect

import (
	"errors"
	"slices"
	"strings"

	"helve/message"
)

// taggedPairs is the body of a call whose keys and values stand between tags:
//
//	name <arg_key>k</arg_key> <arg_value>v</arg_value> …
//
// suffix is part of each tag's name. The arguments may also be JSON, with or
// without the name in front of it.
func taggedPairs(suffix string, separators, closers, next []string) *pairBody {
	key, value := "<arg_key"+suffix+">", "<arg_value"+suffix+">"
	return &pairBody{
		header:  pairName(separators, key, closers),
		key:     taggedKey(key, "</arg_key"+suffix+">", value),
		ends:    []string{"</arg_value" + suffix + ">"},
		closers: closers,
		next:    next,
		json:    &jsonBody{shape: "{[", closers: closers, next: next},
	}
}

// pairName returns a function that reads a name up to the first key, the end of
// the call or JSON. A separator is part of what it reads.
func pairName(separators []string, key string, closers []string) func(*Decoder, string, bool) (header, verdict) {
	ends := slices.Concat(separators, closers, []string{key, "{", `\n`})
	return func(d *Decoder, s string, eof bool) (header, verdict) {
		at := skipSpace(s, 0)
		if at < len(s) && (s[at] == '{' || s[at] == '[') {
			return header{n: at}, done
		}
		name, at, n, v := d.readName(s, ends, eof)
		if v != done {
			return header{n: at, err: errors.New("no name of a tool follows the marker")}, v
		}
		if !slices.Contains(separators, s[at:at+n]) {
			n = 0
		}
		return header{name: name, n: at + n}, done
	}
}

// taggedKey returns a function that reads a key between tags, and the tag that
// opens its value. Models forget tags; one of the three may be missing.
func taggedKey(open, closer, value string) func(string, bool) (pairKey, verdict) {
	return func(s string, eof bool) (pairKey, verdict) {
		n, opened := matchAny(s, []string{open}, eof)
		if opened == more {
			return pairKey{}, more
		}
		length := strings.IndexByte(s[n:], '<')
		switch {
		case length > maxHeader || length < 0 && (eof || len(s)-n > maxHeader):
			return pairKey{}, fail
		case length < 0:
			return pairKey{}, more
		}
		name := strings.TrimSpace(s[n : n+length])
		if name == "" || strings.IndexByte(name, '\n') >= 0 {
			return pairKey{}, fail
		}
		n += length
		width, closed := matchAny(s[n:], []string{closer}, eof)
		switch {
		case closed == more:
			return pairKey{}, more
		case opened == fail && closed == fail:
			return pairKey{}, fail
		}
		rest, v := gap(s, n+width, eof)
		if v != done {
			return pairKey{}, v
		}
		width, v = matchAny(rest, []string{value}, eof)
		if v == more || v == fail && (opened == fail || closed == fail) {
			return pairKey{}, v
		}
		return pairKey{name: name, loose: v == fail, n: len(s) - len(rest) + width}, done
	}
}

// writePairs writes a call as name, pairs and closer, with between in between, or
// as name and JSON where a value would be taken for tags.
func writePairs(b *strings.Builder, c message.ToolCall, between, closer string) {
	arguments := string(c.Arguments)
	b.WriteString(c.Name)
	if !fitsPairs(arguments) {
		b.WriteString("\n" + arguments + closer)
		return
	}
	b.WriteString(between)
	for key, value := range members(arguments) {
		if value[0] == '"' {
			value = unquote(value)
		}
		b.WriteString("<arg_key>" + key + "</arg_key>" + between + "<arg_value>" + value + "</arg_value>" + between)
	}
	b.WriteString(closer)
}

// fitsPairs reports whether keys and values can stand between tags.
func fitsPairs(object string) bool {
	for key, value := range members(object) {
		if value[0] == '"' {
			value = unquote(value)
		}
		if key == "" || key != strings.TrimSpace(key) || strings.ContainsAny(key, "<\n") || strings.Contains(value, "arg_") || strings.Contains(value, "tool_call") {
			return false
		}
	}
	return true
}
