package dialect

import (
	"strconv"
	"strings"

	"helve/message"
)

var cohereKeys = jsonKeys{
	name:      []string{"tool_name", "name"},
	arguments: []string{"parameters", "arguments"},
	id:        []string{"tool_call_id"},
}

// directAnswers are the names of the tool that stands for no tool.
var directAnswers = []string{"direct_answer", "directly_answer", "directly-answer"}

var cohereBody = jsonBody{
	shape:   "[{",
	closers: []string{"<|END_ACTION|>"},
	next:    []string{"<|START_ACTION|>"},
	keys:    &cohereKeys,
	answers: directAnswers,
}

var cohere = Dialect{
	name:      "cohere",
	purpose:   "Command R7B and Command A",
	models:    []string{"command-r7b", "command-a", "c4ai-command-r7b", "c4ai-command-a"},
	reasoning: []span{{"<|START_THINKING|>", "<|END_THINKING|>"}},
	markers: []marker{
		cohereBody.marker("<|START_ACTION|>"),
		{text: "<|START_RESPONSE|>"},
		{text: "<|END_RESPONSE|>"},
		{text: "<|START_TEXT|>"},
		{text: "<|END_TEXT|>"},
		{text: "<|CHATBOT_TOKEN|>"},
		{text: "<|START_OF_TURN_TOKEN|>"},
		{text: "<|END_OF_TURN_TOKEN|>"},
	},
	write: func(calls []message.ToolCall) string {
		var b strings.Builder
		b.WriteString("<|START_ACTION|>[\n")
		for i, c := range calls {
			if i > 0 {
				b.WriteString(",\n")
			}
			id := c.ID
			if id == "" {
				id = strconv.Itoa(i)
			}
			b.WriteString(`    {"tool_call_id": ` + quote(id) + `, "tool_name": ` + quote(c.Name) + `, "parameters": ` + string(c.Arguments) + "}")
		}
		b.WriteString("\n]<|END_ACTION|>")
		return b.String()
	},
	result: func(r message.ToolResult, _ string) string {
		return "<|START_TOOL_RESULT|>[\n    {\n        \"tool_call_id\": " + quote(r.CallID) + ",\n        \"results\": {\n            \"0\": " +
			quote(r.Text()) + "\n        },\n        \"is_error\": " + strconv.FormatBool(r.IsError) + "\n    }\n]<|END_TOOL_RESULT|>"
	},
	role:    message.RoleSystem,
	listing: cohereTools,
	stop:    []string{"<|END_OF_TURN_TOKEN|>"},
}

var commandRBody = jsonBody{shape: "[{", closers: []string{"```"}, keys: &cohereKeys, answers: directAnswers}

var cohereRPlus = Dialect{
	name:    "cohere-r-plus",
	purpose: "Command R and R+",
	models:  []string{"command-r", "c4ai-command-r"},
	markers: []marker{
		commandRBody.marker("Action:\n```json"),
		commandRBody.marker("Action: ```json"),
		{text: "<|CHATBOT_TOKEN|>"},
		{text: "<|START_OF_TURN_TOKEN|>"},
		{text: "<|END_OF_TURN_TOKEN|>"},
	},
	write: func(calls []message.ToolCall) string {
		return "Action:\n```json\n" + inArray(calls, func(b *strings.Builder, c message.ToolCall) {
			writeCallJSON(b, "tool_name", "parameters", c)
		}) + "\n```"
	},
	result:  resultInTags("results"),
	role:    message.RoleSystem,
	listing: cohereTools,
	stop:    []string{"<|END_OF_TURN_TOKEN|>"},
}
