package dialect

import "helve/message"

var lfm2Body = literalBody{
	literals: &pythonSyntax,
	bracket:  '(',
	list:     true,
	closers:  lfm2JSON.closers,
	json:     &lfm2JSON,
	read:     readLoosePython,
}

// lfm2JSON is what LFM2 writes between the same markers where it was prompted for
// JSON.
var lfm2JSON = jsonBody{shape: "{[", closers: []string{"<|tool_call_end|>"}, next: []string{lfm2Opener}}

// lfm2Bare is what smaller models make of it: the list without the markers, or
// an imitation of a transcript, [Calling tool: f({"a": 1})].
var lfm2Bare = literalBody{
	literals: &pythonSyntax,
	bracket:  '(',
	lead:     "Calling tool:",
	anyLead:  true,
	list:     true,
	bare:     true,
	read:     readLoosePython,
}

const lfm2Opener = "<|tool_call_start|>"

var lfm2 = Dialect{
	name:      "lfm2",
	purpose:   "Liquid LFM2 and LFM2.5",
	models:    []string{"lfm2", "lfm-2"},
	reasoning: defaultReasoning,
	markers:   []marker{lfm2Body.marker(lfm2Opener), lfm2Bare.marker("[")},
	write: func(calls []message.ToolCall) string {
		return lfm2Opener + writePythonList(calls) + "<|tool_call_end|>"
	},
	result: func(r message.ToolResult, _ string) string {
		return "<|tool_response_start|>" + r.Text() + "<|tool_response_end|>"
	},
	role:    message.RoleTool,
	listing: lfm2Tools,
}
