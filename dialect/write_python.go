package dialect

import (
	"fmt"
	"strings"

	"helve/message"
)

// writePython writes a call as Python would: f(a='x', b=[1, None]).
func writePython(b *strings.Builder, c message.ToolCall) {
	b.WriteString(c.Name + "(")
	comma := ""
	for name, value := range members(string(c.Arguments)) {
		b.WriteString(comma)
		if isPythonName(name) {
			b.WriteString(name + "=")
			writePythonValue(b, value)
		} else {
			b.WriteString("**{")
			writePythonString(b, name)
			b.WriteString(": ")
			writePythonValue(b, value)
			b.WriteByte('}')
		}
		comma = ", "
	}
	b.WriteByte(')')
}

func isPythonName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 || !isWord(byte(r)) })
}

// writePythonValue writes a JSON value as a literal.
func writePythonValue(b *strings.Builder, value string) {
	comma := ""
	switch value[0] {
	case '{':
		b.WriteByte('{')
		for key, v := range members(value) {
			b.WriteString(comma)
			writePythonString(b, key)
			b.WriteString(": ")
			writePythonValue(b, v)
			comma = ", "
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for v := range elements(value) {
			b.WriteString(comma)
			writePythonValue(b, v)
			comma = ", "
		}
		b.WriteByte(']')
	case '"':
		writePythonString(b, unquote(value))
	case 't':
		b.WriteString("True")
	case 'f':
		b.WriteString("False")
	case 'n':
		b.WriteString("None")
	default:
		b.WriteString(value)
	}
}

// writePythonString writes text in the quotes that Python's repr would take.
func writePythonString(b *strings.Builder, text string) {
	quote := byte('\'')
	if strings.IndexByte(text, '\'') >= 0 && strings.IndexByte(text, '"') < 0 {
		quote = '"'
	}
	b.WriteByte(quote)
	for i := range len(text) {
		switch c := text[i]; {
		case c == quote || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte(quote)
}
