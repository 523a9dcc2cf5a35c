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
			pythonNotation.write(b, value)
		} else {
			b.WriteString("**{")
			writePythonString(b, name)
			b.WriteString(": ")
			pythonNotation.write(b, value)
			b.WriteByte('}')
		}
		comma = ", "
	}
	b.WriteByte(')')
}

func isPythonName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 || !isWord(byte(r)) })
}

var pythonNotation = notation{
	key: writePythonString, text: writePythonString, colon: ": ", comma: ", ",
	words: map[string]string{"true": "True", "false": "False", "null": "None"},
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
