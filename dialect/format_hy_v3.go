package dialect

import (
	"strings"

	"helve/message"
)

// The open models of the family add a suffix to each tag, and close a call with a
// tag of its own.
var (
	hyV3Body = taggedPairs("", []string{"<tool_sep>"},
		[]string{"</tool_call>"},
		[]string{"<tool_call>", "</tool_calls>"})
	hyV3OpenBody = taggedPairs(":opensource", []string{"<tool_sep:opensource>"},
		[]string{"<end_of_tool_call:opensource>", "</tool_call:opensource>"},
		[]string{"<tool_call:opensource>", "</tool_calls:opensource>"})
)

var hyV3Call, hyV3OpenCall = hyV3Body.marker("<tool_call>"), hyV3OpenBody.marker("<tool_call:opensource>")

var (
	hyV3Section     = section{closers: []string{"</tool_calls>"}, inner: []marker{hyV3Call}}
	hyV3OpenSection = section{closers: []string{"</tool_calls:opensource>"}, inner: []marker{hyV3OpenCall}}
)

var hyV3 = Dialect{
	name:      "hy-v3",
	purpose:   "Hy 3 (Hunyuan 3)",
	models:    []string{"hy-v3", "hy3", "hunyuan-v3"},
	reasoning: defaultReasoning,
	markers: append([]marker{
		hyV3Section.marker("<tool_calls>"),
		hyV3OpenSection.marker("<tool_calls:opensource>"),
		hyV3Call,
		hyV3OpenCall,
	}, callingMarkers...),
	write: func(calls []message.ToolCall) string {
		var b strings.Builder
		b.WriteString("<tool_calls>")
		for _, c := range calls {
			b.WriteString("<tool_call>")
			writePairs(&b, c, "", "</tool_call>")
		}
		b.WriteString("</tool_calls>")
		return b.String()
	},
	result: resultInOneLine,
	role:   message.RoleUser,
}
