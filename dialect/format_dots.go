package dialect

import "helve/message"

var dotsParams = paramBody{
	functions:  []string{"invoke"},
	parameters: []string{"parameter"},
	openers:    []string{"<dots_function_call>"},
	closers:    []string{"</dots_function_call>"},
}

var dotsSection = section{
	closers: dotsParams.closers,
	inner:   append(dotsParams.inner(), jsonInside),
	next:    dotsParams.openers,
}

var dots = Dialect{
	name:      "dots",
	purpose:   "dots.llm",
	models:    []string{"dots"},
	reasoning: defaultReasoning,
	markers:   []marker{dotsSection.marker("<dots_function_call>")},
	write: (&paramWriter{
		body: &dotsParams, opener: "<dots_function_call>", closer: "</dots_function_call>", each: true,
	}).calls,
	result: hermes.result,
	role:   message.RoleUser,
}
