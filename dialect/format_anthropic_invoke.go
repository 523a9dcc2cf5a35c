package dialect

import "helve/message"

var invokeParams = paramBody{
	functions:  []string{"invoke", "function"},
	parameters: []string{"parameter", "param"},
	openers:    []string{"<function_calls>", "<tool_call>"},
	closers:    []string{"</function_calls>", "</tool_call>"},
	framed:     true,
}

var invokeSection = section{closers: invokeParams.closers, inner: invokeParams.inner(), next: invokeParams.openers}

var anthropicInvoke = Dialect{
	name:      "anthropic-invoke",
	purpose:   "prompts in the style of Claude, and many models that were tuned on them",
	models:    []string{"claude"},
	reasoning: []span{{"<thinking>", "</thinking>"}, {"<think>", "</think>"}},
	markers: []marker{
		invokeSection.marker("<function_calls>"),
		invokeSection.marker("<tool_call>"),
		invokeSection.bare("<invoke "),
	},
	write: (&paramWriter{
		body: &invokeParams, opener: "<function_calls>\n", closer: "\n</function_calls>", line: "\n",
	}).calls,
	result: func(r message.ToolResult, name string) string {
		return "<function_results>\n<result>\n<tool_name>" + name + "</tool_name>\n<stdout>\n" + r.Text() +
			"\n</stdout>\n</result>\n</function_results>"
	},
	role:    message.RoleUser,
	listing: dsmlTools,
	stop:    []string{"</function_calls>"},
}
