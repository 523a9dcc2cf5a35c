package dialect

import "helve/message"

var minimaxParams = paramBody{
	functions:  []string{"invoke"},
	parameters: []string{"parameter"},
	openers:    []string{"<minimax:tool_call>"},
	closers:    []string{"</minimax:tool_call>"},
}

var minimaxSection = section{closers: minimaxParams.closers, inner: minimaxParams.inner(), next: minimaxParams.openers}

// minimaxJSON is how MiniMax M1 wrote its calls: one a line.
var minimaxJSON = section{
	closers: []string{"</tool_calls>"},
	inner:   []marker{jsonInside},
	next:    []string{"<tool_calls>"},
}

var minimaxM2 = Dialect{
	name:      "minimax-m2",
	purpose:   "MiniMax M2, M2.x and M1",
	models:    []string{"minimax-m2", "minimax-m1"},
	reasoning: defaultReasoning,
	markers: append([]marker{
		minimaxSection.marker("<minimax:tool_call>"),
		minimaxSection.bare("<invoke "),
		minimaxJSON.marker("<tool_calls>"),
	}, callingMarkers...),
	write: (&paramWriter{
		body: &minimaxParams, opener: "<minimax:tool_call>\n", closer: "\n</minimax:tool_call>", line: "\n",
	}).calls,
	result:  func(r message.ToolResult, _ string) string { return "<response>" + r.Text() + "</response>" },
	role:    message.RoleUser,
	listing: minimaxTools,
}
