package dialect

import (
	"slices"
	"strings"

	"helve/message"
)

var (
	harmonyEnds = []string{"<|end|>", "<|call|>", "<|return|>"}
	harmonyNext = []string{"<|start|>assistant", "<|channel|>analysis", "<|channel|>commentary", "<|channel|>final"}
)

// harmonyBody is a call's message. Between calls the model likes to write the
// word commentary.
var harmonyBody = jsonBody{
	shape:   "{",
	closers: append([]string{"<|call|>commentary"}, harmonyEnds...),
	loose:   true,
}

// harmonyMarkers begin and end messages. The prompt may have ended within a
// header, in front of the recipient.
var harmonyMarkers = slices.Concat([]marker{
	{text: "<|start|>", open: openFrame},
	{text: "<|channel|>", open: openFrame},
	{text: "<|message|>", open: openFrame},
	{text: "to=", open: openFrame, where: answerStart},
}, closing(harmonyEnds))

// newThought reads the body of a message on the analysis channel.
func newThought() scanner { return newPassage(Reasoning, harmonyEnds, harmonyNext) }

var harmony = Dialect{
	name:    "harmony",
	purpose: "gpt-oss",
	models:  []string{"gpt-oss"},
	markers: harmonyMarkers,
	start: func(d *Decoder) scanner {
		if d.options.Reasoning == ReasoningOpen {
			return newThought()
		}
		return nil
	},
	spelling: func(d *Decoder, name string) string { return strings.TrimPrefix(name, "functions.") },
	write:    writeHarmony,
	result:   resultOfHarmony,
	role:     message.RoleUser,
	listing:  harmonyTools,
}

func writeHarmony(calls []message.ToolCall) string {
	var b strings.Builder
	for i, c := range calls {
		if i > 0 {
			b.WriteString("<|start|>assistant")
		}
		b.WriteString("<|channel|>commentary to=functions." + c.Name + " <|constrain|>json<|message|>" + string(c.Arguments) + "<|call|>")
	}
	return b.String()
}

func resultOfHarmony(r message.ToolResult, name string) string {
	return "<|start|>functions." + name + " to=assistant<|channel|>commentary<|message|>" + r.Text() + "<|end|>"
}

// harmonyTextFallback is for servers that drop the special tokens: what is left
// of the headers are their words. That is a guess, and made at the start only.
var harmonyTextFallback = Dialect{
	name:     "harmony-text-fallback",
	purpose:  "gpt-oss behind a server that strips its special tokens",
	markers:  harmonyMarkers,
	start:    func(d *Decoder) scanner { return &strippedScanner{d: d} },
	spelling: harmony.spelling,
	write:    writeHarmony,
	result:   resultOfHarmony,
	role:     message.RoleUser,
	listing:  harmonyTools,
}

// strippedScanner reads an analysis that begins with that word, up to the words
// that are left of the next header.
type strippedScanner struct {
	d    *Decoder
	body scanner
}

func (p *strippedScanner) scan(s string, eof bool) step {
	const channel = "analysis"
	switch {
	case p.body != nil:
		return p.body.scan(s, eof)
	case p.d.options.Reasoning == ReasoningNone:
		return step{verdict: fail}
	case p.d.options.Reasoning == ReasoningOpen:
		p.body = newStrippedThought()
		return p.body.scan(s, eof)
	case !eof && len(s) <= len(channel) && strings.HasPrefix(channel, s):
		return step{}
	case !strings.HasPrefix(s, channel) || len(s) > len(channel) && 'a' <= s[len(channel)] && s[len(channel)] <= 'z':
		return step{verdict: fail}
	}
	p.body = newStrippedThought()
	return step{verdict: part, n: len(channel), kind: Control}
}

func newStrippedThought() scanner {
	return newPassage(Reasoning, append([]string{"assistantfinal", "assistantcommentary"}, harmonyEnds...), harmonyNext)
}
