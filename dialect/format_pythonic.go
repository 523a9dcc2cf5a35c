package dialect

import (
	"helve/message"
)

// bareList is calls in Python without a marker: [f(a=1), g()].
var bareList = literalBody{literals: &pythonSyntax, bracket: '(', list: true, bare: true, read: readPython}

var pythonic = Dialect{
	name:    "pythonic",
	purpose: "Llama 3.2, ToolACE, and many small models that write Python",
	models:  []string{"llama-3.2", "llama3.2", "toolace"},
	weak:    true,
	markers: []marker{bareList.marker("[")},
	write:   writePythonList,
	result:  plainResult,
	role:    message.RoleTool,
	listing: pythonicTools,
}

var llama4Body = literalBody{
	literals: &pythonSyntax,
	bracket:  '(',
	list:     true,
	closers:  []string{"<|python_end|>"},
	loose:    true,
	read:     readPython,
}

var llama4Pythonic = Dialect{
	name:    "llama4-pythonic",
	purpose: "Llama 4",
	models:  []string{"llama-4", "llama4"},
	markers: []marker{llama4Body.marker("<|python_start|>"), bareList.marker("[")},
	write: func(calls []message.ToolCall) string {
		return "<|python_start|>" + writePythonList(calls) + "<|python_end|>"
	},
	result:  plainResult,
	role:    message.RoleTool,
	listing: pythonicTools,
}

var olmo3Body = literalBody{
	literals: &pythonSyntax,
	bracket:  '(',
	list:     true,
	closers:  []string{"</function_calls>"},
	read:     readPython,
}

var olmo3Pythonic = Dialect{
	name:      "olmo3-pythonic",
	purpose:   "OLMo 3",
	models:    []string{"olmo-3", "olmo3"},
	reasoning: defaultReasoning,
	markers:   []marker{olmo3Body.marker("<function_calls>")},
	write: func(calls []message.ToolCall) string {
		return "<function_calls>" + inLines(calls, writePython) + "</function_calls>"
	},
	result:  plainResult,
	role:    message.RoleTool,
	listing: olmoTools,
}

func plainResult(r message.ToolResult, _ string) string { return r.Text() }

// writePythonList writes the calls as one list.
func writePythonList(calls []message.ToolCall) string { return inArray(calls, writePython) }
