package dialect

import "helve/message"

// step3p5Params are those of Qwen3-Coder, but quotes belong to the value.
var step3p5Params = paramBody{
	functions:  []string{"function"},
	parameters: []string{"parameter"},
	openers:    []string{"<tool_call>"},
	closers:    []string{"</tool_call>"},
	framed:     true,
}

var step3p5Section = section{
	closers: step3p5Params.closers,
	inner:   step3p5Params.inner(),
	next:    step3p5Params.openers,
}

var step3p5 = Dialect{
	name:      "step3p5",
	purpose:   "Step 3.5",
	models:    []string{"step-3.5", "step3.5", "step3p5"},
	reasoning: defaultReasoning,
	markers: []marker{
		step3p5Section.marker("<tool_call>"),
		step3p5Section.bare("<function="),
	},
	write: (&paramWriter{
		body: &step3p5Params, opener: "<tool_call>\n", closer: "\n</tool_call>", each: true,
		equals: true, line: "\n", frame: "\n",
	}).calls,
	result: hermes.result,
	role:   message.RoleUser,
}
