package dialect

import (
	"encoding/json"
	"unicode/utf8"

	"helve/internal/jsontext"
)

// quote writes s as a JSON string, without the escapes that are for HTML only.
func quote(s string) string { return string(jsonString(s)) }

// jsonString is s as a JSON string.
func jsonString(s string) json.RawMessage {
	return appendQuoted(make([]byte, 0, len(s)+len(s)/16+2), s)
}

// appendQuoted writes s as encoding/json does, several times faster where s is a
// long text: most of it is copied as it is.
func appendQuoted(out []byte, s string) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	for at := 0; at < len(s); {
		n := jsontext.SkipPlain(s, at)
		out = append(out, s[at:n]...)
		if at = n; at == len(s) {
			break
		}
		c := s[at]
		if c < utf8.RuneSelf {
			if short := shortEscape(c); short != 0 {
				out = append(out, '\\', short)
			} else {
				out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			at++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[at:])
		switch {
		case r == utf8.RuneError && n == 1:
			out = append(out, `\ufffd`...)
		case r == '\u2028' || r == '\u2029': // end a line in JavaScript
			out = append(out, '\\', 'u', '2', '0', '2', hex[r&15])
		default:
			out = append(out, s[at:at+n]...)
		}
		at += n
	}
	return append(out, '"')
}

// shortEscape is the letter behind the backslash that stands for c, or 0.
func shortEscape(c byte) byte {
	switch c {
	case '"', '\\':
		return c
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	}
	return 0
}
