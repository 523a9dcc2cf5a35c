package dialect

import (
	"errors"
	"fmt"
	"strings"

	"helve/message"
)

// All calls of an answer in one array, between a marker and a closing one.

var toolCallsBody = jsonBody{shape: "[{", closers: []string{"</tool_calls>"}, next: []string{"<tool_calls>"}}

var jamba = Dialect{
	name:      "jamba",
	purpose:   "Jamba",
	models:    []string{"jamba", "ai21-jamba"},
	reasoning: defaultReasoning,
	markers:   []marker{toolCallsBody.marker("<tool_calls>")},
	write:     writeArray("<tool_calls>", "</tool_calls>"),
	result:    resultInTags("tool_response"),
	role:      message.RoleUser,
}

var hunyuanA13B = Dialect{
	name:      "hunyuan-a13b",
	purpose:   "Hunyuan A13B",
	models:    []string{"hunyuan-a13b"},
	reasoning: defaultReasoning,
	markers: []marker{
		toolCallsBody.marker("<tool_calls>"),
		{text: "<answer>", where: answerStart}, // around all that is no reasoning
		{text: "</answer>"},
	},
	write:  writeArray("<tool_calls>", "</tool_calls>"),
	result: resultInTags("tool_response"),
	role:   message.RoleUser,
}

var apriel = Dialect{
	name:      "apriel",
	purpose:   "Apriel 1.5 and 1.6",
	models:    []string{"apriel"},
	reasoning: []span{{"Here are my reasoning steps:\n", "[BEGIN FINAL RESPONSE]"}},
	markers: []marker{
		toolCallsBody.marker("<tool_calls>"),
		{text: "[END FINAL RESPONSE]"},
	},
	write:  writeArray("<tool_calls>", "</tool_calls>"),
	result: resultInTags("tool_result"),
	role:   message.RoleUser,
}

var nemotronBody = jsonBody{shape: "[{", closers: []string{"</TOOLCALL>"}, next: []string{"<TOOLCALL>"}}

var nemotronNanoV2 = Dialect{
	name:      "nemotron-nano-v2",
	purpose:   "Nemotron Nano v2",
	models:    []string{"nemotron-nano-9b-v2", "nemotron-nano-12b-v2", "nvidia-nemotron-nano-9b-v2", "nvidia-nemotron-nano-12b-v2"},
	reasoning: defaultReasoning,
	markers:   []marker{nemotronBody.marker("<TOOLCALL>")},
	write:     writeArray("<TOOLCALL>", "</TOOLCALL>"),
	result: func(r message.ToolResult, _ string) string {
		return "<TOOL_RESPONSE>[" + r.Text() + "]</TOOL_RESPONSE>"
	},
	role:    message.RoleUser,
	listing: nemotronTools,
}

var apertusBody = jsonBody{
	shape:    "[",
	closers:  []string{"<|tools_suffix|>"},
	next:     []string{"<|tools_prefix|>"},
	unclosed: 2,
	elements: apertusCalls,
}

var apertus = Dialect{
	name:      "apertus",
	purpose:   "Apertus",
	models:    []string{"apertus"},
	reasoning: []span{{"<|inner_prefix|>", "<|inner_suffix|>"}},
	markers:   []marker{apertusBody.marker("<|tools_prefix|>")},
	write: func(calls []message.ToolCall) string {
		return "<|tools_prefix|>" + inArray(calls, func(b *strings.Builder, c message.ToolCall) {
			b.WriteString("{" + quote(c.Name) + ": " + string(c.Arguments) + "}")
		}) + "<|tools_suffix|>"
	},
	result: func(r message.ToolResult, _ string) string { return "[" + quote(r.Text()) + "]" },
	role:   message.RoleUser,
}

// apertusCalls reads [{"name": {arguments}}, …].
func apertusCalls(text string, closed bool) ([]Call, error) {
	value, repairs, err := readJSON(text, closed)
	if err != nil {
		return nil, err
	}
	var calls []Call
	for element := range elements(strings.TrimSpace(value)) {
		if element == "" || element[0] != '{' {
			return nil, errors.New("an element of the array is not an object")
		}
		for name, value := range members(element) {
			call := Call{Name: strings.TrimSpace(name), Repairs: repairs}
			if call.Name == "" {
				return nil, errors.New("a call has no name")
			}
			if err := call.setArguments(value); err != nil {
				return nil, fmt.Errorf("%q %w", call.Name, err)
			}
			calls = append(calls, call)
			repairs = nil
		}
	}
	return calls, nil
}
