package dialect

import (
	"strings"

	"helve/message"
)

// Both key styles of the documents are read.
var structuredKeys = jsonKeys{
	name:      []string{"name", "tool"},
	arguments: []string{"parameters", "arguments"},
	id:        []string{"id"},
	required:  true,
}

var (
	structuredBody   = jsonBody{shape: "{[", bare: true, keys: &structuredKeys, loose: true, closers: []string{"}", "]"}}
	structuredFenced = jsonBody{shape: "{[", bare: true, keys: &structuredKeys, closers: []string{"```"}}
)

// structured is requirement document 004: the call is a JSON object of its own.
// JSON without these keys is the answer.
var structured = Dialect{
	name:    "structured",
	purpose: "any model, by prompt: one JSON object a call (requirement document 004)",
	markers: []marker{
		structuredBody.marker("{"),
		structuredBody.marker("["),
		{text: "```json", where: lineStart, open: structuredFenced.open("```json")},
		{text: "```JSON", where: lineStart, open: structuredFenced.open("```JSON")},
		{text: "```", where: lineStart, open: structuredFenced.open("```")},
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
