package dialect

import "helve/message"

// dsmlParams are those of DeepSeek V3.2 and V4, which differ in the marker around
// the calls.
var dsmlParams = paramBody{
	functions:  []string{"｜DSML｜invoke"},
	parameters: []string{"｜DSML｜parameter"},
	openers:    []string{"<｜DSML｜function_calls>", "<｜DSML｜tool_calls>"},
	closers:    []string{"</｜DSML｜function_calls>", "</｜DSML｜tool_calls>"},
	object:     true,
	wrapped:    true,
}

var dsmlSection = section{closers: dsmlParams.closers, inner: dsmlParams.inner(), next: dsmlParams.openers}

var deepseekDSML = Dialect{
	name:      "deepseek-dsml",
	purpose:   "DeepSeek V3.2 and V4",
	models:    []string{"deepseek-v3.2", "deepseek-v4"},
	reasoning: defaultReasoning,
	markers: []marker{
		dsmlSection.marker("<｜DSML｜function_calls>"),
		dsmlSection.marker("<｜DSML｜tool_calls>"),
		dsmlSection.bare("<｜DSML｜invoke "),
	},
	write: (&paramWriter{
		body: &dsmlParams, opener: "<｜DSML｜tool_calls>\n", closer: "\n</｜DSML｜tool_calls>", line: "\n", typed: true,
	}).calls,
	result: func(r message.ToolResult, _ string) string {
		return "<function_results>\n<result>" + r.Text() + "</result>\n</function_results>"
	},
	role:    message.RoleUser,
	listing: dsmlTools,
}
