package dialect

import (
	"strings"
	"unicode/utf8"

	"helve/internal/jsontext"
)

// validJSON reports whether s is one JSON value in UTF-8, with white space around
// it, that nests no deeper than maxDepth. It says what encoding/json does, several
// times faster: most of a call is one long string.
func validJSON(s string) bool {
	v := validator{s: s}
	v.at = skipSpace(s, 0)
	if !v.value(0) {
		return false
	}
	return skipSpace(s, v.at) == len(s)
}

type validator struct {
	s  string
	at int
}

func (v *validator) value(depth int) bool {
	if v.at == len(v.s) {
		return false
	}
	switch c := v.s[v.at]; {
	case c == '"':
		return v.string()
	case c == '{':
		return depth < maxDepth && v.members(depth+1)
	case c == '[':
		return depth < maxDepth && v.elements(depth+1)
	case c == '-' || c >= '0' && c <= '9':
		return v.number()
	}
	return v.word("true") || v.word("false") || v.word("null")
}

func (v *validator) word(w string) bool {
	if !strings.HasPrefix(v.s[v.at:], w) {
		return false
	}
	v.at += len(w)
	return true
}

// byte goes over c and the white space around it.
func (v *validator) byte(c byte) bool {
	v.at = skipSpace(v.s, v.at)
	if v.at == len(v.s) || v.s[v.at] != c {
		return false
	}
	v.at = skipSpace(v.s, v.at+1)
	return true
}

func (v *validator) members(depth int) bool {
	if v.byte('{'); v.closes('}') {
		return true
	}
	for {
		if v.at == len(v.s) || v.s[v.at] != '"' || !v.string() || !v.byte(':') || !v.value(depth) {
			return false
		}
		if !v.byte(',') {
			return v.closes('}')
		}
	}
}

func (v *validator) elements(depth int) bool {
	if v.byte('['); v.closes(']') {
		return true
	}
	for {
		if !v.value(depth) {
			return false
		}
		if !v.byte(',') {
			return v.closes(']')
		}
	}
}

func (v *validator) closes(c byte) bool {
	v.at = skipSpace(v.s, v.at)
	if v.at == len(v.s) || v.s[v.at] != c {
		return false
	}
	v.at++
	return true
}

func (v *validator) string() bool {
	s := v.s
	for at := jsontext.SkipPlain(s, v.at+1); at < len(s); at = jsontext.SkipPlain(s, at) {
		switch c := s[at]; {
		case c == '"':
			v.at = at + 1
			return true
		case c == '\\':
			n := escapeLen(s[at:])
			if n == 0 {
				return false
			}
			at += n
		case c < ' ':
			return false
		default:
			r, n := utf8.DecodeRuneInString(s[at:])
			if r == utf8.RuneError && n == 1 {
				return false
			}
			at += n
		}
	}
	return false
}

// escapeLen is the length of the escape that s begins with, or 0.
func escapeLen(s string) int {
	if len(s) < 2 {
		return 0
	}
	if s[1] != 'u' {
		if strings.IndexByte(`"\/bfnrt`, s[1]) < 0 {
			return 0
		}
		return 2
	}
	if len(s) < 6 || strings.Trim(s[2:6], "0123456789abcdefABCDEF") != "" {
		return 0
	}
	return 6
}

func (v *validator) number() bool {
	if v.s[v.at] == '-' {
		v.at++
	}
	if !v.word("0") && !v.digits() {
		return false
	}
	if v.word(".") && !v.digits() {
		return false
	}
	if v.word("e") || v.word("E") {
		if !v.word("+") {
			v.word("-")
		}
		return v.digits()
	}
	return true
}

func (v *validator) digits() bool {
	start := v.at
	for v.at < len(v.s) && v.s[v.at] >= '0' && v.s[v.at] <= '9' {
		v.at++
	}
	return v.at > start
}
