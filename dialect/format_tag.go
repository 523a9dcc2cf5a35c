package dialect

import (
	"strings"

	"helve/message"
)

// tag is requirement document 001: an element a call, an empty element a
// parameter.
var tag = Dialect{
	name:      "tag",
	purpose:   "any model, by prompt: <tool_action> elements (requirement document 001)",
	markers:   []marker{{text: tagOpener, open: openTag}},
	reasoning: defaultReasoning,
	write: func(calls []message.ToolCall) string {
		return inLines(calls, writeTag)
	},
	result: func(r message.ToolResult, name string) string { return r.Text() },
	role:   message.RoleTool,
	notes: map[Language]string{
		English: `Inside a value write & as &amp;, < as &lt; and " as &quot;, and write lists and objects as JSON.`,
		Chinese: `值里的 & 写作 &amp;，< 写作 &lt;，" 写作 &quot;；列表和对象写成 JSON。`,
	},
}

func writeTag(b *strings.Builder, c message.ToolCall) {
	b.WriteString(tagOpener + ` name="` + escapeAttribute(c.Name) + `">`)
	for name, value := range members(string(c.Arguments)) {
		if value[0] == '"' {
			value = unquote(value)
		}
		tag := "<" + name + " "
		if !isElementName(name) {
			tag = `<param name="` + escapeAttribute(name) + `" `
		}
		b.WriteString("\n  " + tag + `value="` + escapeAttribute(value) + `" />`)
	}
	b.WriteString("\n</tool_action>")
}

// isElementName reports whether a parameter can be written as an element of its
// name.
func isElementName(name string) bool {
	if name == "" || name == "param" || name == tagOpener[1:] || strings.IndexByte("-.0123456789", name[0]) >= 0 {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return r < 0x80 && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z') && r != '_' && r != '-' && r != '.'
	})
}

var attributeEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func escapeAttribute(s string) string { return attributeEscaper.Replace(s) }
