package dialect

import (
	"strings"

	"helve/message"
)

var xmlTagBody = elementBody{
	elementReader: elementReader{xml: true},
	head:          readToolTag,
	plain:         true,
}

// readToolTag reads <tool>, <tool/>, or <tool before a line with a parameter.
func readToolTag(s, tool string) (callTag, verdict) {
	t, v := openElement(s, tool)
	if v == fail {
		if _, n, ok := unendedElement(s, tool); ok && s[n] == '<' {
			return callTag{name: tool, unended: true, n: n}, done
		}
	}
	return callTag{name: tool, empty: t.kind == emptyTag, n: t.n}, v
}

var xmlTag = Dialect{
	name:    "xml-tag",
	purpose: "any model, by prompt: an element for each tool, as Cline and Roo had it",
	openers: func(d *Decoder) []marker {
		return elementOpeners(d, func(d *Decoder, tool string) scanner {
			return &elementScanner{body: &xmlTagBody, d: d, tool: tool, inLine: d.spot().inLine}
		})
	},
	reasoning: defaultReasoning,
	weak:      true,
	write: func(calls []message.ToolCall) string {
		return inLines(calls, func(b *strings.Builder, c message.ToolCall) {
			b.WriteString("<" + c.Name + ">")
			for name, value := range members(string(c.Arguments)) {
				b.WriteString("\n<" + name + ">")
				writeElementText(b, value)
				b.WriteString("</" + name + ">")
			}
			b.WriteString("\n</" + c.Name + ">")
		})
	},
	result: func(r message.ToolResult, name string) string {
		return "[" + name + "] Result:\n" + r.Text()
	},
	role: message.RoleUser,
}

var elementEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// writeElementText writes a JSON value as the text of an element: a string without
// its quotes, anything else as it is.
func writeElementText(b *strings.Builder, value string) {
	if value[0] == '"' {
		value = unquote(value)
	}
	b.WriteString(elementEscaper.Replace(value))
}
