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
func readToolName(s, _ string) (callTag, verdict) {
	const begin, end, parameters, closer = "<tool_name>", "</tool_name>", "<parameters>", "</invoke>"
	bounded := s[:min(len(s), maxHeader)]
	name, rest, ok := strings.Cut(bounded[len(begin):], end)
	name = strings.TrimSpace(name)
	n := len(bounded) - len(rest)
	switch {
	case !ok && len(bounded) < maxHeader:
		return callTag{}, more
	case !ok || name == "" || strings.Contains(name, "<"):
		return callTag{n: len(begin)}, fail
	}
	at := skipSpace(rest, 0)
	switch k, v := matchAny(rest[at:], []string{parameters, closer}, false); {
	case v == more && len(bounded) < maxHeader:
		return callTag{}, more
	case v != done:
		return callTag{n: n}, fail
	case k == len(closer):
		return callTag{name: name, empty: true, n: n}, done
	}
	return callTag{name: name, n: n + at + len(parameters)}, done
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
