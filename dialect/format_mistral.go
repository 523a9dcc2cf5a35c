package dialect

import (
	"errors"
	"strings"

	"helve/message"
)

// Up to version 10 of Mistral's tokenizer a JSON array follows the marker; from
// 11 on each call has a marker of its own, and its name stands before the JSON.
var mistralBody = jsonBody{header: mistralHeader, shape: "{[", stop: "[TOOL_CALLS]"}

func mistralHeader(d *Decoder, s string, eof bool) (header, verdict) {
	at := skipSpace(s, 0)
	if at == len(s) {
		return header{}, more
	}
	switch _, v := matchAny(s[at:], mistralMarkers, eof); {
	case v == more:
		return header{}, more
	case v == done:
		return header{n: at, err: errors.New("no name follows the marker")}, fail
	case s[at] == '[' || s[at] == '{':
		return header{n: at}, done
	}
	name, at, n, v := d.readName(s, []string{"[ARGS]", "[CALL_ID]", "{"}, eof)
	switch {
	case v != done:
		return header{n: at, err: errors.New("no name follows the marker")}, v
	case s[at] == '{':
		return header{name: name, n: at}, done
	case n == len("[ARGS]"):
		return header{name: name, n: at + n}, done
	}
	behind := at + n
	id, at, n, v := d.readName(s[behind:], []string{"[ARGS]"}, eof)
	if v == fail {
		return header{n: behind + at, err: errors.New("no [ARGS] follows the call's id")}, fail
	}
	return header{name: name, id: id, n: behind + at + n}, v
}

var mistralMarkers = []string{"[TOOL_CALLS]", "[ARGS]", "[CALL_ID]"}

var mistral = Dialect{
	name:      "mistral",
	purpose:   "Mistral 7B v0.3, Nemo, Small, Large, Ministral, Magistral and Devstral",
	models:    []string{"mistral", "open-mistral", "mixtral", "open-mixtral", "ministral", "magistral", "devstral", "codestral", "pixtral"},
	reasoning: []span{{"[THINK]", "[/THINK]"}},
	markers:   []marker{mistralBody.marker("[TOOL_CALLS]")},
	write: func(calls []message.ToolCall) string {
		var b strings.Builder
		for _, c := range calls {
			b.WriteString("[TOOL_CALLS]" + c.Name + "[ARGS]" + string(c.Arguments))
		}
		return b.String()
	},
	result: func(r message.ToolResult, name string) string {
		return "[TOOL_RESULTS]" + r.Text() + "[/TOOL_RESULTS]"
	},
	role:    message.RoleUser,
	listing: mistralTools,
}
