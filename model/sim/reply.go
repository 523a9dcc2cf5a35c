package sim

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// reply is one answer, whole. How it travels is the stream's business.
type reply struct {
	reasoning, text string
	calls           []call
	finish          string     // "" means stop or tool_calls, as fits
	usage           *wireUsage // nil means counted
}

// finishReason is what the last chunk says.
func (r *reply) finishReason() string {
	switch {
	case r.finish != "":
		return r.finish
	case len(r.calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

// shorten keeps the reply within what the request allows: at most one call
// unless parallel calls are wanted, text up to a stop sequence, and maxTokens.
func (r *reply) shorten(req *request) {
	if !req.parallel && len(r.calls) > 1 {
		r.calls = r.calls[:1]
	}
	for _, stop := range req.stop {
		if i := strings.Index(r.text, stop); i >= 0 && stop != "" {
			r.text = r.text[:i]
		}
	}
	if req.maxTokens > 0 {
		r.cutAt(req.maxTokens)
	}
}

// cutAt ends the reply after n tokens, as a model does that runs into its limit:
// in the middle of a call, if it must.
func (r *reply) cutAt(n int) {
	if r.tokens() <= n {
		return
	}
	r.finish = "length"
	keep := func(s string) string {
		p := pieces(s)
		p = p[:min(n, len(p))]
		n -= len(p)
		return strings.Join(p, "")
	}
	r.reasoning = keep(r.reasoning)
	r.text = keep(r.text)
	for i := range r.calls {
		if n <= 0 {
			r.calls = r.calls[:i]
			return
		}
		n-- // the name
		r.calls[i].arguments = keep(r.calls[i].arguments)
	}
}

// tokens counts what the offline model calls a token: a piece, or a call's name.
func (r *reply) tokens() int {
	n := len(pieces(r.reasoning)) + len(pieces(r.text))
	for _, c := range r.calls {
		n += 1 + len(pieces(c.arguments))
	}
	return n
}

func (r *reply) countUsage(req *request) wireUsage {
	if r.usage != nil {
		return *r.usage
	}
	out := r.tokens()
	return wireUsage{req.inputTokens, out, req.inputTokens + out}
}

// maxPieces bounds the pieces of one text, so that ten megabytes of arguments
// do not become a million chunks.
const maxPieces = 2000

// pieces cuts s into word-sized pieces, on the borders of runes.
func pieces(s string) []string {
	const word = 12 // bytes
	size := max(word, len(s)/maxPieces)
	var out []string
	for len(s) > 0 {
		n := pieceEnd(s, size, size == word)
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

// pieceEnd is the end of the first piece: size bytes, or less where byWord cuts
// it before the space after a word.
func pieceEnd(s string, size int, byWord bool) int {
	inWord := false
	for i, c := range s[:min(len(s), size+utf8.UTFMax)] {
		space := byWord && unicode.IsSpace(c)
		if i >= size || space && inWord {
			return i
		}
		inWord = inWord || !space
	}
	return len(s)
}

// countTokens estimates the tokens of what the model reads.
func countTokens(s string) int {
	if s == "" {
		return 0
	}
	return 1 + utf8.RuneCountInString(s)/4
}
