package dialect

import (
	"strings"

	"helve/message"
)

// One call in each pair of markers, as Hermes 2 brought it up.

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
	write:     writeHermes,
	result:    resultInTags("tool_response"),
	listing:   hermesTools,
	role:      message.RoleUser,
}

var ernie45 = Dialect{
	name:      "ernie45",
	purpose:   "Ernie 4.5",
	models:    []string{"ernie-4.5", "ernie4.5", "ernie-45"},
	reasoning: defaultReasoning,
	markers:   []marker{hermesBody.marker("<tool_call>")},
	write:     writeHermes,
	result:    resultInTags("tool_output"),
	role:      message.RoleUser,
}

var granite4 = Dialect{
	name:      "granite4",
	purpose:   "Granite 4",
	models:    []string{"granite-4", "granite4"},
	reasoning: defaultReasoning,
	markers:   []marker{hermesBody.marker("<tool_call>")},
	write:     writeHermes,
	result:    resultInTags("tool_response"),
	role:      message.RoleUser,
	listing:   hermesTools,
}

var rekaEdge = Dialect{
	name:      "reka-edge",
	purpose:   "Reka Edge",
	models:    []string{"reka-edge"},
	reasoning: defaultReasoning,
	markers:   []marker{hermesBody.marker("<tool_call>")},
	write:     writeHermes,
	result:    resultInTags("tool_response"),
	role:      message.RoleUser,
}

var longcatBody = jsonBody{
	shape:   "{[",
	closers: []string{"</longcat_tool_call>"},
	next:    []string{"<longcat_tool_call>"},
}

var longcat = Dialect{
	name:      "longcat",
	purpose:   "LongCat Flash",
	models:    []string{"longcat"},
	reasoning: []span{{"<longcat_think>", "</longcat_think>"}, {"<think>", "</think>"}},
	markers:   []marker{longcatBody.marker("<longcat_tool_call>")},
	write: func(calls []message.ToolCall) string {
		return inLines(calls, func(b *strings.Builder, c message.ToolCall) {
			b.WriteString("<longcat_tool_call>")
			writeCallJSON(b, "name", "arguments", c)
			b.WriteString("</longcat_tool_call>")
		})
	},
	result: resultInTags("longcat_tool_response"),
	role:   message.RoleUser,
}

var internlm2Body = jsonBody{
	shape:   "{",
	closers: []string{"<|action_end|>"},
	next:    []string{"<|action_start|>"},
}

var internlm2 = Dialect{
	name:      "internlm2",
	purpose:   "InternLM 2 and 3",
	models:    []string{"internlm2", "internlm3", "internlm"},
	reasoning: defaultReasoning,
	markers:   []marker{internlm2Body.marker("<|action_start|><|plugin|>"), internlm2Body.marker("<|action_start|> <|plugin|>")},
	write: func(calls []message.ToolCall) string {
		return inLines(calls, func(b *strings.Builder, c message.ToolCall) {
			b.WriteString("<|action_start|><|plugin|>")
			writeCallJSON(b, "name", "parameters", c)
			b.WriteString("<|action_end|>")
		})
	},
	result: func(r message.ToolResult, _ string) string { return r.Text() },
	role:   message.RoleUser,
}

func writeHermes(calls []message.ToolCall) string {
	return inLines(calls, func(b *strings.Builder, c message.ToolCall) {
		b.WriteString("<tool_call>\n")
		writeCallJSON(b, "name", "arguments", c)
		b.WriteString("\n</tool_call>")
	})
}
