package dialect

import (
	"errors"
	"slices"
	"strings"

	"helve/message"
)

// deepseekSpellings are the ways in which models write one of DeepSeek's tokens,
// the true one first: its bars are U+FF5C, and U+2581 stands for its spaces.
func deepseekSpellings(words string) []string {
	var all []string
	for _, form := range []struct{ open, space, end string }{
		{"<｜", "▁", "｜>"}, {"<｜", "_", "｜>"}, {"<｜", `\_`, "｜>"}, {"<｜", " ", "｜>"},
		{"<|", "▁", "|>"}, {"<|", "_", "|>"}, {"<|", `\_`, "|>"},
	} {
		all = append(all, form.open+strings.ReplaceAll(words, " ", form.space)+form.end)
	}
	return all
}

var (
	deepseekSectionBegin = deepseekSpellings("tool calls begin")
	deepseekSectionEnd   = deepseekSpellings("tool calls end")
	deepseekCallBegin    = deepseekSpellings("tool call begin")
	deepseekCallEnd      = deepseekSpellings("tool call end")
	deepseekSeparator    = deepseekSpellings("tool sep")
	deepseekAnswerEnd    = closing([]string{"<｜end▁of▁sentence｜>", "<|end▁of▁sentence|>"})
)

// deepseekMarkers are those of calls with the given body: of a section, and of a
// call that stands alone.
func deepseekMarkers(body *jsonBody) []marker {
	calls := each(deepseekCallBegin, body.marker)
	sec := section{
		closers:   deepseekSectionEnd,
		inner:     slices.Concat(calls, each(deepseekSectionBegin, passed)), // some begin it twice
		emptyText: true,
	}
	return slices.Concat(each(deepseekSectionBegin, sec.marker), calls)
}

// each makes markers of all spellings.
func each(texts []string, spell func(string) marker) []marker {
	var all []marker
	for _, text := range texts {
		all = append(all, spell(text))
	}
	return all
}

// passed is a marker that means nothing within a section.
func passed(text string) marker {
	return marker{text: text, open: func(*Decoder) scanner { return passing(len(text)) }}
}

type passing int

func (p passing) scan(string, bool) step { return step{verdict: done, n: int(p), kind: Control} }

// deepseekV3Body is a call's JSON within a fence of its own.
var deepseekV3Body = jsonBody{
	header:  deepseekV3Header,
	shape:   "{",
	closers: fenced(deepseekCallEnd),
	stop:    "```<｜",
	next:    slices.Concat(deepseekCallBegin, deepseekSectionEnd),
}

// fenced are what ends a call in a fence: the fence alone does, too.
func fenced(ends []string) []string {
	all := []string{"```"}
	for _, end := range ends {
		all = append(all, end, "```"+end, "```\n"+end)
	}
	return all
}

// deepseekV3Header reads function<sep>name and the fence's opening. The word
// "function" tells V3 from V3.1, which has the name in its place.
func deepseekV3Header(d *Decoder, s string, eof bool) (header, verdict) {
	kind, at, n, v := d.readName(s, deepseekSeparator, eof)
	if v == done && kind != "function" {
		v = fail
	}
	if v != done {
		return header{n: at, err: errors.New(`no "function" and separator follow the marker`)}, v
	}
	behind := at + n
	name, at, n, v := d.readName(s[behind:], []string{"```json", "```", "{"}, eof)
	switch {
	case v == fail:
		return header{n: behind + at, err: errors.New("no JSON follows the name")}, fail
	case v == done && s[behind+at] == '{':
		n = 0
	}
	return header{name: name, n: behind + at + n}, v
}

var deepseekV31Body = jsonBody{
	header:  deepseekV31Header,
	shape:   "{",
	closers: deepseekCallEnd,
	next:    slices.Concat(deepseekCallBegin, deepseekSectionEnd),
}

func deepseekV31Header(d *Decoder, s string, eof bool) (header, verdict) {
	name, at, n, v := d.readName(s, deepseekSeparator, eof)
	return header{name: name, n: at + n, err: errors.New("no name and separator follow the marker")}, v
}

var deepseekV3 = Dialect{
	name:      "deepseek-v3",
	purpose:   "DeepSeek V3, R1, R1-0528, their distills, and Cogito",
	models:    []string{"deepseek-v3", "deepseek-r1", "deepseek-chat-v3", "cogito"},
	reasoning: defaultReasoning,
	// The distills of R1 keep the format of what they were made of.
	markers: slices.Concat(deepseekMarkers(&deepseekV3Body), []marker{hermesBody.marker("<tool_call>")}, deepseekAnswerEnd),
	write: func(calls []message.ToolCall) string {
		return "<｜tool▁calls▁begin｜>" + inLines(calls, func(b *strings.Builder, c message.ToolCall) {
			b.WriteString("<｜tool▁call▁begin｜>function<｜tool▁sep｜>" + c.Name + "\n```json\n" + string(c.Arguments) + "\n```<｜tool▁call▁end｜>")
		}) + "<｜tool▁calls▁end｜>"
	},
	result: func(r message.ToolResult, name string) string {
		return "<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>" + r.Text() + "<｜tool▁output▁end｜><｜tool▁outputs▁end｜>"
	},
	role:    message.RoleUser,
	listing: deepseekTools,
}

var deepseekV31 = Dialect{
	name:      "deepseek-v3.1",
	purpose:   "DeepSeek V3.1 and V3.1-Terminus",
	models:    []string{"deepseek-v3.1", "deepseek-chat-v3.1"},
	reasoning: defaultReasoning,
	// The model invents results and goes on. What is between their markers is text.
	markers: slices.Concat(deepseekMarkers(&deepseekV31Body), deepseekAnswerEnd,
		closing([]string{"<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>"})),
	write: func(calls []message.ToolCall) string {
		var b strings.Builder
		b.WriteString("<｜tool▁calls▁begin｜>")
		for _, c := range calls {
			b.WriteString("<｜tool▁call▁begin｜>" + c.Name + "<｜tool▁sep｜>" + string(c.Arguments) + "<｜tool▁call▁end｜>")
		}
		b.WriteString("<｜tool▁calls▁end｜>")
		return b.String()
	},
	result: func(r message.ToolResult, name string) string {
		return "<｜tool▁output▁begin｜>" + r.Text() + "<｜tool▁output▁end｜>"
	},
	role:    message.RoleUser,
	listing: deepseekTools,
}
