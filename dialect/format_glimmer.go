package dialect

import (
	"errors"
	"strings"

	"helve/message"
)

var glimmerParams = paramBody{
	functions:  []string{"atem:invoke"},
	parameters: []string{"atem:parameter"},
	openers:    []string{"<atem:function_calls>"},
	closers:    []string{"</atem:function_calls>"},
}

var glimmerSection = section{closers: glimmerParams.closers, inner: glimmerParams.inner(), next: glimmerParams.openers}

var glimmer = Dialect{
	name:    "glimmer",
	purpose: "Muse Glimmer",
	models:  []string{"muse-glimmer", "glimmer"},
	start:   func(d *Decoder) scanner { return &glimmerFrame{d: d, first: true} },
	markers: []marker{
		{text: glimmerStart, open: func(d *Decoder) scanner { return &glimmerFrame{d: d, at: len(glimmerStart)} }},
		{text: "<|eot|>"},
		{text: "<|eom|>"},
		glimmerSection.marker("<atem:function_calls>"),
		glimmerSection.bare("<atem:invoke "),
	},
	spelling: glimmerName,
	write: (&paramWriter{
		body: &glimmerParams, opener: "<atem:function_calls>\n", closer: "\n</atem:function_calls>", line: "\n",
	}).calls,
	result: hermes.result,
	role:   message.RoleUser,
}

// glimmerName drops a marker that got into the name, and the namespace where
// the tool is declared without one.
func glimmerName(d *Decoder, name string) string {
	name = strings.ReplaceAll(name, glimmerMessage, "")
	if _, declared := d.tools[name]; !declared && d.tools != nil {
		return name[strings.LastIndexByte(name, '.')+1:]
	}
	return name
}

const (
	glimmerStart   = "<|start|>assistant"
	glimmerMessage = "<|message|>"
)

// glimmerFrame reads messages: <|start|>assistant to=user<|message|>…<|eot|>. Only
// what goes to a tool, or to nobody in particular, may call; that is left to the
// decoder. What goes to the user is text, and to the model itself reasoning. The
// prompt ends with the first <|start|>assistant.
type glimmerFrame struct {
	d     *Decoder
	first bool // the answer begins here
	phase framePhase
	at    int  // what is looked at next
	kind  Kind // of what the message holds
}

type framePhase uint8

const (
	inFrameHeader framePhase = iota
	inFrame
	behindFrame
)

func (g *glimmerFrame) scan(s string, eof bool) step {
	switch g.phase {
	case inFrame:
		return g.stream(s, eof)
	case behindFrame:
		n, v := matchAny(s, []string{glimmerStart}, eof)
		switch v {
		case more:
			return step{}
		case fail:
			return step{verdict: done}
		}
		g.at = n
		g.phase = inFrameHeader
	}
	return g.header(s, eof)
}

// header reads " to=user<|message|>".
func (g *glimmerFrame) header(s string, eof bool) step {
	if g.first {
		if _, v := matchAny(s, []string{" to=", "to=", glimmerMessage}, eof); v == more {
			return step{}
		} else if v == fail {
			return step{verdict: fail} // no frame at all
		}
	}
	end := strings.IndexByte(s[g.at:], '<')
	if end < 0 {
		if len(s) > maxHeader {
			return step{verdict: fail, n: len(s), err: errors.New("the header of the message has no end")}
		}
		return step{}
	}
	n, v := matchAny(s[g.at+end:], []string{glimmerMessage}, eof)
	switch v {
	case more:
		return step{}
	case fail:
		return step{verdict: fail, n: max(g.at+end, 1), err: errors.New("the header of the message has no end")}
	}
	_, to, _ := strings.Cut(s[g.at:g.at+end], "to=")
	st := step{verdict: part, n: g.at + end + n, kind: Control}
	g.first = false
	g.phase = inFrame
	switch strings.TrimSpace(to) {
	case "user":
		g.kind = Text
	case "self":
		g.kind = Reasoning
		if g.d.options.Reasoning == ReasoningNone {
			g.kind = Text
		}
	default:
		st.verdict = done
	}
	return st
}

// stream passes on what the message holds, up to its end.
func (g *glimmerFrame) stream(s string, eof bool) step {
	if s == "" {
		return step{verdict: done} // cut, but no less to read
	}
	for at := 0; ; at++ {
		next := strings.IndexByte(s[at:], '<')
		if next < 0 {
			return step{verdict: part, n: len(s), kind: g.kind}
		}
		at += next
		n, v := matchAny(s[at:], []string{"<|eot|>", "<|eom|>", glimmerStart}, eof)
		switch {
		case v == fail:
			continue
		case at > 0:
			return step{verdict: part, n: at, kind: g.kind}
		case v == more:
			return step{}
		case n == len(glimmerStart):
			g.at = n
			g.phase = inFrameHeader
			return g.header(s, eof)
		}
		g.phase = behindFrame
		return step{verdict: part, n: n, kind: Control}
	}
}
