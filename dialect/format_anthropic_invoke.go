package dialect

import (
	"strings"

	"helve/message"
)

var invokeParams = paramBody{
	functions:  []string{"invoke", "function"},
	parameters: []string{"parameter", "param"},
	openers:    []string{"<function_calls>", "<tool_call>"},
	closers:    []string{"</function_calls>", "</tool_call>"},
	framed:     true,
}

var invokeSection = section{
	closers: invokeParams.closers,
	inner:   append(invokeParams.inner(), earlyInvoke.marker("<invoke>")),
	next:    invokeParams.openers,
}

// earlyInvoke is how the first prompts of this kind had a call:
//
//	<invoke><tool_name>NAME</tool_name><parameters><KEY>VALUE</KEY></parameters></invoke>
var earlyInvoke = section{
	closers: []string{"</invoke>"},
	inner: []marker{{text: "<tool_name>", open: func(d *Decoder) scanner {
		return &elementScanner{body: &earlyInvokeBody, d: d}
	}}},
	next: append([]string{"<invoke>"}, invokeParams.closers...),
}

var earlyInvokeBody = elementBody{head: readToolName, closer: "parameters"}

// readToolName reads what stands in front of the elements. Where there are none,
// the name is the whole call.
func readToolName(s, _ string) (name string, empty bool, n int, v verdict) {
	const begin, end, parameters, closer = "<tool_name>", "</tool_name>", "<parameters>", "</invoke>"
	bounded := s[:min(len(s), maxHeader)]
	name, rest, ok := strings.Cut(bounded[len(begin):], end)
	name = strings.TrimSpace(name)
	switch {
	case !ok && len(bounded) < maxHeader:
		return "", false, 0, more
	case !ok || name == "" || strings.Contains(name, "<"):
		return "", false, len(begin), fail
	}
	n = len(bounded) - len(rest)
	at := skipSpace(rest, 0)
	switch k, v := matchAny(rest[at:], []string{parameters, closer}, false); {
	case v == more && len(bounded) < maxHeader:
		return "", false, 0, more
	case v != done:
		return "", false, n, fail
	case k == len(closer):
		return name, true, n, done
	}
	return name, false, n + at + len(parameters), done
}

var anthropicInvoke = Dialect{
	name:      "anthropic-invoke",
	purpose:   "prompts in the style of Claude, and many models that were tuned on them",
	models:    []string{"claude"},
	reasoning: []span{{"<thinking>", "</thinking>"}, {"<think>", "</think>"}},
	markers: []marker{
		invokeSection.marker("<function_calls>"),
		invokeSection.marker("<tool_call>"),
		invokeSection.bare("<invoke "),
		earlyInvoke.marker("<invoke>"),
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
