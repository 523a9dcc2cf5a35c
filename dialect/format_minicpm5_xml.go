package dialect

import "helve/message"

var minicpmParams = xmlParams{functions: []string{"function"}, parameters: []string{"param"}}

var minicpm5XML = Dialect{
	name:      "minicpm5-xml",
	purpose:   "MiniCPM5",
	models:    []string{"minicpm5"},
	reasoning: defaultReasoning,
	markers: []marker{
		minicpmParams.marker("<function "),
		minicpmParams.marker("<functionname="), // a slip of its small models
	},
	write: (&paramWriter{
		body: &paramBody{functions: minicpmParams.functions, parameters: minicpmParams.parameters},
		text: escapeXML,
	}).calls,
	result: hermes.result,
	role:   message.RoleUser,
}
