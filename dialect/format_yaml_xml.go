package dialect

import (
	"fmt"
	"strings"

	"helve/message"
)

var yamlXML = Dialect{
	name:      "yaml-xml",
	purpose:   "any model, by prompt: an element for each tool, with the arguments in YAML",
	markers:   []marker{hermesBody.marker("<tool_call>")}, // what many models fall back to
	openers:   func(d *Decoder) []marker { return elementOpeners(d, openYAML) },
	reasoning: defaultReasoning,
	weak:      true,
	write: func(calls []message.ToolCall) string {
		return inLines(calls, func(b *strings.Builder, c message.ToolCall) {
			b.WriteString("<" + c.Name + ">\n")
			for name, value := range members(string(c.Arguments)) {
				if isPythonName(name) {
					b.WriteString(name)
				} else {
					writeYAMLString(b, name)
				}
				b.WriteString(": ")
				yamlNotation.write(b, value)
				b.WriteByte('\n')
			}
			b.WriteString("</" + c.Name + ">")
		})
	},
	result: func(r message.ToolResult, name string) string {
		return "<tool_response>\n" + r.Text() + "\n</tool_response>"
	},
	role: message.RoleUser,
}

// yamlNotation writes values on one line. JSON is YAML nearly everywhere: only
// strings are written anew.
var yamlNotation = notation{key: writeYAMLString, text: writeYAMLString, colon: ": ", comma: ", "}

// writeYAMLString writes text as JSON does, with more escapes: for the characters
// that YAML wants escaped, and in closing tags, which must not end the body. \/
// won't do for these: older YAML lacks it.
func writeYAMLString(b *strings.Builder, text string) {
	for _, r := range strings.ReplaceAll(quote(text), "</", `<\x2F`) {
		if 0x7f <= r && r < 0xa0 || r == '\ufeff' || r == '\ufffe' || r == '\uffff' {
			fmt.Fprintf(b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
}
