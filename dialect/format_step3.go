package dialect

import "helve/message"

var step3Params = paramBody{
	functions:  []string{"steptml:invoke"},
	parameters: []string{"steptml:parameter"},
	openers:    []string{"<｜tool_call_begin｜>", "<｜tool_calls_begin｜>"},
	closers:    []string{"<｜tool_call_end｜>", "<｜tool_calls_end｜>"},
}

// step3Call is what is around each call, within what is around them all.
var step3Call = section{closers: step3Params.closers[:1], inner: step3Params.inner(), next: step3Params.openers}

var step3Calls = section{
	closers: step3Params.closers[1:],
	inner: []marker{
		step3Call.marker("<｜tool_call_begin｜>"),
		step3Call.marker("<｜tool_call_begin｜>function<｜tool_sep｜>"),
	},
	next: step3Params.openers[1:],
}

var step3 = Dialect{
	name:      "step3",
	purpose:   "Step-3",
	models:    []string{"step3", "step-3"},
	reasoning: defaultReasoning,
	markers:   []marker{step3Calls.marker("<｜tool_calls_begin｜>")},
	write: (&paramWriter{
		body: &step3Params, opener: "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>",
		closer: "<｜tool_call_end｜><｜tool_calls_end｜>", each: true,
	}).calls,
	result: hermes.result,
	role:   message.RoleUser,
}
