package schema

import (
	"unicode/utf8"

	"helve/internal/jsontext"
)

// The scan functions read one JSON token of RFC 8259 each. They are shared by
// the parser and the acceptor, so that both agree on what JSON is. All take
// the position to start at and return the position after the token, or -1.

// skipSpace returns the position of the first byte at or after i that is not
// JSON white space. It may be len(b).
func skipSpace(b []byte, i int) int {
	for i < len(b) {
		switch b[i] {
		case ' ', '\t', '\n', '\r':
			i++
		default:
			return i
		}
	}
	return i
}

// stringForm says what a scanned string holds, to spare its reader a second
// look.
type stringForm uint8

const (
	hasEscape  stringForm = 1 << iota // a backslash
	hasUnicode                        // bytes above 0x7F, or a \u escape
)

// scanString scans a string from its opening quote at b[i]. Unlike
// encoding/json it refuses invalid UTF-8: two keys that differ only in broken
// bytes would become one key.
func scanString(b []byte, i int) (end int, form stringForm) {
	start := i
	for i = jsontext.SkipPlain(b, i+1); i < len(b); i = jsontext.SkipPlain(b, i+1) {
		c := b[i]
		switch {
		case c == '"':
			if form&hasUnicode != 0 && !utf8.Valid(b[start:i]) {
				return -1, form
			}
			return i + 1, form
		case c == '\\':
			form |= hasEscape
			i++
			if i >= len(b) {
				return -1, form
			}
			switch b[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				if i+4 >= len(b) || !isHex(b[i+1]) || !isHex(b[i+2]) || !isHex(b[i+3]) || !isHex(b[i+4]) {
					return -1, form
				}
				form |= hasUnicode
				i += 4
			default:
				return -1, form
			}
		case c < 0x20:
			return -1, form
		case c >= utf8.RuneSelf:
			form |= hasUnicode
		}
	}
	return -1, form
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// scanNumber scans a number. plain reports that it has neither a fraction nor
// an exponent.
func scanNumber(b []byte, i int) (end int, plain bool) {
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch {
	case i >= len(b):
		return -1, false
	case b[i] == '0':
		i++
	case '1' <= b[i] && b[i] <= '9':
		i = skipDigits(b, i)
	default:
		return -1, false
	}
	plain = true
	if i < len(b) && b[i] == '.' {
		plain = false
		from := i + 1
		if i = skipDigits(b, from); i == from {
			return -1, false
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		plain = false
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		from := i
		if i = skipDigits(b, from); i == from {
			return -1, false
		}
	}
	return i, plain
}

func skipDigits(b []byte, i int) int {
	for i < len(b) && '0' <= b[i] && b[i] <= '9' {
		i++
	}
	return i
}

// scanWord scans one of the words true, false and null.
func scanWord(b []byte, i int, word string) int {
	end := i + len(word)
	if end > len(b) || string(b[i:end]) != word {
		return -1
	}
	return end
}
