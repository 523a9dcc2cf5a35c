package dialect

import "helve/message"

var seedParams = paramBody{
	functions:  []string{"function"},
	parameters: []string{"parameter"},
	openers:    []string{"<seed:tool_call>"},
	closers:    []string{"</seed:tool_call>"},
	framed:     true,
}

var seedSection = section{closers: seedParams.closers, inner: seedParams.inner(), next: seedParams.openers}

var seedOSS = Dialect{
	name:      "seed-oss",
	purpose:   "Seed-OSS",
	models:    []string{"seed-oss"},
	reasoning: []span{{"<seed:think>", "</seed:think>"}},
	markers: []marker{
		seedSection.marker("<seed:tool_call>"),
		seedSection.bare("<function="),
	},
	write: (&paramWriter{
		body: &seedParams, opener: "<seed:tool_call>\n", closer: "\n</seed:tool_call>", each: true,
		equals: true, line: "\n",
	}).calls,
	result: hermes.result,
	role:   message.RoleUser,
}
