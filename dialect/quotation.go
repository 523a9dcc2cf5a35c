package dialect

import (
	"strings"

	"helve/message"
)

// quotations knows what tools have told in a conversation. A call that stands
// there word for word is quoted, not made: a model that shows a file or a page
// must not run what somebody wrote into it. It is no wall, since a model may change
// a byte, but what happens by accident does not happen. Short calls, such as
// [now()], stand in many a text and are not asked about.
type quotations struct {
	messages []message.Message
	told     []string // the results, without what quoting may change; made when first needed
	last     bool     // what was said of the last call
}

// has reports whether a call with these bytes is a quotation. Calls that share
// their bytes come one after the other, and only the first has them.
func (q *quotations) has(raw string) bool {
	if raw == "" {
		return q.last
	}
	call := unquoted(raw)
	if q.last = false; len(call) < shortestQuotation {
		return false
	}
	if q.told == nil {
		q.told = []string{}
		for _, m := range q.messages {
			if r, ok := m.ToolResult(); ok {
				q.told = append(q.told, unquoted(r.Text()))
			}
		}
	}
	for _, text := range q.told {
		q.last = q.last || strings.Contains(text, call)
	}
	return q.last
}

const shortestQuotation = 24

// unquoted takes out what quoting puts in and models change: white space, and the
// escapes of JSON.
func unquoted(s string) string {
	return strings.Join(strings.Fields(jsonEscapes.Replace(s)), "")
}

var jsonEscapes = strings.NewReplacer(`\n`, "", `\t`, "", `\r`, "", `\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\`, "")
