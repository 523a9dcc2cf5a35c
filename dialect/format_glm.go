package dialect

import (
	"strings"

	"helve/message"
)

var glmBody = taggedPairs("", nil, []string{"</tool_call>"}, []string{"<tool_call>"})

var glmMarkers = []marker{glmBody.marker("<tool_call>")}

var glm45 = Dialect{
	name:      "glm-4.5",
	purpose:   "GLM 4.5 and 4.6",
	models:    []string{"glm-4.5", "glm-4.6"},
	reasoning: defaultReasoning,
	markers:   glmMarkers,
	write:     writeInLines,
	result:    resultInLines,
	role:      message.RoleUser,
	listing:   glmTools,
}

var glm47 = Dialect{
	name:      "glm-4.7",
	purpose:   "GLM 4.7 and 5",
	models:    []string{"glm-4.7", "glm-5"},
	reasoning: defaultReasoning,
	markers:   glmMarkers,
	write:     writeInOneLine,
	result:    resultInOneLine,
	role:      message.RoleUser,
	listing:   glmTools,
}

var ling3 = Dialect{
	name:      "ling3",
	purpose:   "Ling 3",
	models:    []string{"ling-3"},
	reasoning: defaultReasoning,
	markers:   glmMarkers,
	write:     writeInOneLine,
	result:    resultInOneLine,
	role:      message.RoleUser,
	listing:   glmTools,
}

var poolsideV1 = Dialect{
	name:      "poolside-v1",
	purpose:   "Poolside Laguna",
	models:    []string{"laguna", "poolside"},
	reasoning: defaultReasoning,
	markers:   glmMarkers,
	openers: func(d *Decoder) []marker {
		if d.tools == nil || d.options.AnyName {
			return nil // any JSON with a name would call
		}
		return []marker{{text: "{", where: lineStart, open: bareBody.open("{")}}
	},
	write:  writeInLines,
	result: resultInLines,
	role:   message.RoleUser,
}

func writeInLines(calls []message.ToolCall) string {
	return inLines(calls, func(b *strings.Builder, c message.ToolCall) {
		b.WriteString("<tool_call>")
		writePairs(b, c, "\n", "</tool_call>")
	})
}

func writeInOneLine(calls []message.ToolCall) string {
	var b strings.Builder
	for _, c := range calls {
		b.WriteString("<tool_call>")
		writePairs(&b, c, "", "</tool_call>")
	}
	return b.String()
}

func resultInLines(r message.ToolResult, name string) string {
	return "<tool_response>\n" + r.Text() + "\n</tool_response>"
}

func resultInOneLine(r message.ToolResult, name string) string {
	return "<tool_response>" + r.Text() + "</tool_response>"
}
