package dialect

import "helve/message"

// qwenParams is the grammar of functions and parameters that Qwen made popular.
// Its models take another word for "function" now and then.
var qwenParams = paramBody{
	functions:  []string{"function", "call", "tool", "invoke"},
	parameters: []string{"parameter"},
	openers:    []string{"<tool_call>"},
	closers:    []string{"</tool_call>"},
	framed:     true,
	quoted:     true,
	elements:   true,
}

var qwenSection = section{
	closers: qwenParams.closers,
	inner:   append(qwenParams.inner(), jsonInside),
	next:    qwenParams.openers,
}

// jsonInside begins a call that stands as JSON where tags were expected.
var jsonInside = marker{text: "{", open: (&jsonBody{shape: "{"}).open("{")}

var qwen3Coder = Dialect{
	name:       "qwen3-coder",
	purpose:    "Qwen3-Coder, Qwen 3.5 and 3.6, Nemotron 3",
	models:     []string{"qwen3-coder", "qwen3.5", "qwen3.6", "nemotron-3"},
	reasoning:  defaultReasoning,
	interrupts: true, // its models forget to end their reasoning
	markers: []marker{
		qwenSection.marker("<tool_call>"),
		qwenSection.bare("<function="),
	},
	write: (&paramWriter{
		body: &qwenParams, opener: "<tool_call>\n", closer: "\n</tool_call>", each: true,
		equals: true, line: "\n", frame: "\n",
	}).calls,
	result:  hermes.result,
	role:    message.RoleUser,
	listing: qwenCoderTools,
}
