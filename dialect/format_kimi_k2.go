package dialect

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"helve/message"
)

var kimiK2SectionEnd = []string{"<|tool_calls_section_end|>", "<|tool_call_section_end|>"}

var kimiK2Body = jsonBody{
	header:  kimiK2Header,
	shape:   "{",
	closers: []string{"<|tool_call_end|>"},
	next:    slices.Concat([]string{"<|tool_call_begin|>"}, kimiK2SectionEnd),
}

var kimiK2Section = section{closers: kimiK2SectionEnd, inner: []marker{kimiK2Call}}

var kimiK2Call = kimiK2Body.marker("<|tool_call_begin|>")

// kimiK2Header reads a call's id, which has the name in it: functions.name:0.
func kimiK2Header(d *Decoder, s string, eof bool) (header, verdict) {
	id, at, n, v := d.readName(s, []string{"<|tool_call_argument_begin|>"}, eof)
	return header{name: id, id: id, n: at + n, err: errors.New("no id of a call follows the marker")}, v
}

// kimiK2Name takes the name out of an id.
func kimiK2Name(d *Decoder, id string) string {
	name := id
	if i := strings.LastIndexByte(id, ':'); i > 0 && strings.Trim(id[i+1:], "0123456789") == "" {
		name = id[:i]
	}
	if _, ok := d.tools[name]; ok {
		return name
	}
	return strings.TrimPrefix(name, "functions.")
}

var kimiK2 = Dialect{
	name:       "kimi-k2",
	purpose:    "Kimi K2, K2-Thinking and K2.5",
	models:     []string{"kimi-k2", "kimi-k2.5"},
	reasoning:  defaultReasoning,
	interrupts: true,
	spelling:   kimiK2Name,
	markers: []marker{
		kimiK2Section.marker("<|tool_calls_section_begin|>"),
		kimiK2Section.marker("<|tool_call_section_begin|>"),
		kimiK2Call,
	},
	write: func(calls []message.ToolCall) string {
		var b strings.Builder
		b.WriteString("<|tool_calls_section_begin|>")
		for i, c := range calls {
			b.WriteString("<|tool_call_begin|>functions." + c.Name + ":" + strconv.Itoa(i) + "<|tool_call_argument_begin|>" + string(c.Arguments) + "<|tool_call_end|>")
		}
		b.WriteString("<|tool_calls_section_end|>")
		return b.String()
	},
	result: func(r message.ToolResult, name string) string {
		return "## Return of functions." + name + "\n" + r.Text()
	},
	role:    message.RoleUser,
	listing: kimiTools,
}
