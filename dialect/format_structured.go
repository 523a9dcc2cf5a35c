package dialect

import (
	"strings"

	"helve/message"
)

// structured is requirement document 004: the call is a JSON object of its own.
// JSON without these keys is the answer.
var structured = Dialect{
	name:    "structured",
	purpose: "any model, by prompt: one JSON object a call (requirement document 004)",
	markers: []marker{
		{text: "{", open: openDecision},
		{text: "```", where: lineStart, open: openDecision},
	},
	reasoning: defaultReasoning,
	write: func(calls []message.ToolCall) string {
		return inLines(calls, func(b *strings.Builder, c message.ToolCall) { writeCallJSON(b, "name", "parameters", c) })
	},
	result: func(r message.ToolResult, name string) string {
		return "[Tool result for " + name + "]\n" + r.Text()
	},
	role: message.RoleUser,
}
