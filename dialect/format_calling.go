package dialect

import (
	"strings"

	"helve/message"
)

// Calls as a transcript has them: [Calling tool: f({"a": 1})].

var (
	callingBody     = jsonBody{header: nameBefore("("), shape: "{", closers: []string{")]", ")"}}
	callingBareBody = jsonBody{header: nameBefore("("), shape: "{", closers: []string{")"}}
)

var callingTool = Dialect{
	name:      "calling-tool",
	purpose:   "models that imitate a transcript",
	reasoning: defaultReasoning,
	markers:   []marker{callingBody.marker("[Calling tool:"), callingBareBody.marker("Calling tool:")},
	weak:      true,
	write: func(calls []message.ToolCall) string {
		return inLines(calls, func(b *strings.Builder, c message.ToolCall) {
			b.WriteString("[Calling tool: " + c.Name + "(" + string(c.Arguments) + ")]")
		})
	},
	result: func(r message.ToolResult, name string) string { return "[Tool result: " + name + "]\n" + r.Text() },
	role:   message.RoleUser,
}
