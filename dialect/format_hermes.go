package dialect

import (
	"strings"

	"helve/message"
)

var hermesBody = jsonBody{
	shape:   "{[",
	closers: []string{"</tool_call>", "</think>"}, // models of the Qwen family take the one for the other
	next:    []string{"<tool_call>"},
}

var hermes = Dialect{
	name:      "hermes",
	purpose:   "Qwen 2.5 and 3, QwQ, Hermes 2 and 3, and many that were tuned like them",
	models:    []string{"qwen2.5", "qwen2", "qwen3", "qwq", "hermes"},
	reasoning: defaultReasoning,
	markers:   []marker{hermesBody.marker("<tool_call>")},
	write: func(calls []message.ToolCall) string {
		return inLines(calls, func(b *strings.Builder, c message.ToolCall) {
			b.WriteString("<tool_call>\n")
			writeCallJSON(b, "name", "arguments", c)
			b.WriteString("\n</tool_call>")
		})
	},
	result: func(r message.ToolResult, name string) string {
		return "<tool_response>\n" + r.Text() + "\n</tool_response>"
	},
	role:    message.RoleUser,
	listing: hermesTools,
	stop:    nil,
}
