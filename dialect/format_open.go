package dialect

import (
	"strings"

	"helve/message"
)

// A marker and JSON behind it that nothing has to close: the call is complete when
// its JSON is.

var granite3Body = jsonBody{shape: "["}

var granite3 = Dialect{
	name:      "granite3",
	purpose:   "Granite 3",
	models:    []string{"granite-3", "granite3"},
	reasoning: defaultReasoning,
	markers:   []marker{granite3Body.marker("<|tool_call|>"), granite3Body.marker("<tool_call>")},
	write:     writeArray("<|tool_call|>", ""),
	result:    resultInTags("tool_response"),
	role:      message.RoleUser,
	listing:   graniteTools,
}

var granite20BBody = jsonBody{shape: "{"}

var granite20B = Dialect{
	name:    "granite-20b-fc",
	purpose: "Granite 20B Function Calling",
	models:  []string{"granite-20b-functioncalling", "granite-20b-fc"},
	markers: []marker{granite20BBody.marker("<function_call>")},
	write: func(calls []message.ToolCall) string {
		return inLines(calls, func(b *strings.Builder, c message.ToolCall) {
			b.WriteString("<function_call> ")
			writeCallJSON(b, "name", "arguments", c)
		})
	},
	result:  resultInTags("function_response"),
	role:    message.RoleUser,
	listing: graniteTools,
}

var functoolsBody = jsonBody{shape: "["}

// phi4MiniBody is the form that the template of Phi-4-mini asks for where it lists
// tools.
var phi4MiniBody = jsonBody{shape: "{[", closers: []string{"<|/tool_call|>"}, next: []string{"<|tool_call|>"}}

var phi4Mini = Dialect{
	name:    "phi4-mini",
	purpose: "Phi-4-mini",
	models:  []string{"phi-4-mini", "phi4-mini"},
	markers: []marker{functoolsBody.marker("functools["), phi4MiniBody.marker("<|tool_call|>")},
	write:   writeArray("functools", ""),
	result:  func(r message.ToolResult, _ string) string { return "<|tool_response|>" + quote(r.Text()) },
	role:    message.RoleUser,
	listing: phiTools,
}

var firefunctionV2 = Dialect{
	name:    "firefunction-v2",
	purpose: "Firefunction v2",
	models:  []string{"firefunction", "llama-3-firefunction"},
	markers: []marker{functoolsBody.marker("functools[")},
	write:   writeArray(" functools", ""),
	result:  resultInTags("tool_response"),
	role:    message.RoleUser,
}

var gigachat3Body = jsonBody{
	shape:   "{",
	closers: []string{"</s>"},
	loose:   true,
	keys: &jsonKeys{
		name:      []string{"name"},
		arguments: []string{"arguments"},
		required:  true,
		object:    true,
	},
}

var gigachat3 = Dialect{
	name:    "gigachat3",
	purpose: "GigaChat 3",
	models:  []string{"gigachat3", "gigachat-3"},
	markers: []marker{
		gigachat3Body.marker("<|message_sep|>\n\nfunction call<|role_sep|>\n"),
		gigachat3Body.marker("<|function_call|>"), // since 3.1
	},
	write: func(calls []message.ToolCall) string {
		var b strings.Builder
		for _, c := range calls {
			b.WriteString("<|message_sep|>\n\nfunction call<|role_sep|>\n")
			writeCallJSON(&b, "name", "arguments", c)
		}
		return b.String()
	},
	result: func(r message.ToolResult, _ string) string { return r.Text() },
	role:   message.RoleUser,
}
