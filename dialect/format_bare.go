package dialect

import (
	"strings"

	"helve/message"
)

// JSON and nothing around it, but perhaps a code fence.

var (
	bareBody   = jsonBody{shape: "{[", bare: true, keys: &bareKeys, loose: true, closers: []string{"}", "]"}}
	fencedBody = jsonBody{shape: "{[", bare: true, keys: &bareKeys, closers: []string{"```"}}
	bareArray  = jsonBody{shape: "[", bare: true, keys: &bareKeys, loose: true, closers: []string{"]"}, unclosed: 1}
	xlamBody   = jsonBody{shape: "["}
)

// fences are the forms of a fence that a call may stand in.
var fences = []marker{
	{text: "```json", where: lineStart, open: fencedBody.open("```json")},
	{text: "```JSON", where: lineStart, open: fencedBody.open("```JSON")},
	{text: "```", where: lineStart, open: fencedBody.open("```")},
}

var jsonRaw = Dialect{
	name:      "json-raw",
	purpose:   "any model that answers with the JSON of a call",
	reasoning: defaultReasoning,
	markers:   append([]marker{bareBody.marker("{"), bareArray.marker("[")}, fences...),
	weak:      true,
	write:     writeBare("arguments", "\n"),
	result:    resultAsJSON,
	role:      message.RoleUser,
}

var jsonArray = Dialect{
	name:      "json-array",
	purpose:   "any model that answers with an array of calls",
	reasoning: defaultReasoning,
	markers:   append([]marker{bareArray.marker("[")}, fences...),
	weak:      true,
	write:     writeArray("", ""),
	result:    resultAsJSON,
	role:      message.RoleUser,
}

var xlam = Dialect{
	name:    "xlam",
	purpose: "Salesforce xLAM",
	models:  []string{"xlam", "llama-xlam"},
	markers: append([]marker{
		bareArray.marker("["),
		xlamBody.marker("[TOOL_CALLS]"),
		hermesBody.marker("<tool_call>"),
	}, fences...),
	weak:    true,
	write:   writeArray("", ""),
	result:  resultAsJSON,
	role:    message.RoleUser,
	listing: pythonicTools,
}

var (
	llama3Body   = jsonBody{shape: "{", bare: true, keys: &bareKeys, loose: true, closers: []string{";", "}"}}
	llama3Tagged = jsonBody{shape: "{", loose: true, closers: []string{";", "}"}}
)

var llama3JSON = Dialect{
	name:    "llama3-json",
	purpose: "Llama 3.1, 3.2 and 3.3",
	models:  []string{"llama-3", "llama3", "meta-llama-3"},
	markers: append([]marker{
		llama3Body.marker("{"),
		llama3Tagged.marker("<|python_tag|>"),
		{text: "<|eom_id|>"},
		{text: "<|eot_id|>"},
	}, fences...),
	weak:    true,
	write:   writeBare("parameters", "; "),
	result:  resultAsJSON,
	role:    message.RoleUser,
	listing: llamaTools,
	stop:    []string{"<|eom_id|>", "<|eot_id|>"},
}

// writeBare returns a function that writes calls as objects.
func writeBare(argumentsKey, between string) func([]message.ToolCall) string {
	return func(calls []message.ToolCall) string {
		var b strings.Builder
		for i, c := range calls {
			if i > 0 {
				b.WriteString(between)
			}
			writeCallJSON(&b, "name", argumentsKey, c)
		}
		return b.String()
	}
}

// resultAsJSON writes a result for models that were trained on JSON alone.
func resultAsJSON(r message.ToolResult, name string) string {
	return `{"name": ` + quote(name) + `, "output": ` + quote(r.Text()) + "}"
}
