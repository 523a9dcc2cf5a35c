package dialect

import (
	"strings"

	"helve/message"
)

// decision is requirement document 003: each answer is one JSON object that calls
// a tool or replies.
var decision = Dialect{
	name:    "decision",
	purpose: "any model, by prompt: each answer is one JSON decision (requirement document 003)",
	markers: []marker{
		{text: "{", open: openDecision},
		{text: "[", open: decisionBody.open("[")},
		{text: "```", where: lineStart, open: openDecision},
	},
	reasoning: defaultReasoning,
	write: func(calls []message.ToolCall) string {
		return inLines(calls, func(b *strings.Builder, c message.ToolCall) { writeCallJSON(b, "tool", "arguments", c) })
	},
	result: func(r message.ToolResult, name string) string {
		return "[Tool result for " + name + "]\n" + r.Text()
	},
	role:   message.RoleUser,
	reply:  func(text string) string { return `{"tool": null, "reply": ` + quote(text) + `}` },
	single: true,
	notes: map[Language]string{
		English: "Your whole answer is one such JSON object, with no text around it.",
		Chinese: "整个回答只能是一个这样的 JSON 对象，前后不要有其他文字。",
	},
}
