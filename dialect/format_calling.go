package dialect

import (
	"slices"
	"strings"

	"helve/message"
)

// Calls as a transcript has them: [Calling tool: f({"a": 1})], or with keys.

var (
	callingBody     = jsonBody{header: nameBefore("("), shape: "{", closers: []string{")]", ")"}}
	callingBareBody = jsonBody{header: nameBefore("("), shape: "{", closers: []string{")"}}
)

// callingMarkers are what models fall back to that forget their own form in a long
// conversation.
var callingMarkers = []marker{callingBody.marker("[Calling tool:"), keyedCall}

var callingTool = Dialect{
	name:      "calling-tool",
	purpose:   "models that imitate a transcript",
	reasoning: defaultReasoning,
	markers:   append(slices.Clone(callingMarkers), callingBareBody.marker("Calling tool:")),
	weak:      true,
	write: func(calls []message.ToolCall) string {
		return inLines(calls, func(b *strings.Builder, c message.ToolCall) {
			b.WriteString("[Calling tool: " + c.Name + "(" + string(c.Arguments) + ")]")
		})
	},
	result: func(r message.ToolResult, name string) string { return "[Tool result: " + name + "]\n" + r.Text() },
	role:   message.RoleUser,
}
