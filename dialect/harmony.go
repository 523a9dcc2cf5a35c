package dialect

import (
	"errors"
	"slices"
	"strings"
)

// maxFrameHeader bounds the header of a message.
const maxFrameHeader = 256

// frameScanner reads the header of a message of the harmony format, and what the
// header says: a call's JSON, or reasoning. Text for the user is left to the
// decoder, which streams it and knows code from markup.
type frameScanner struct {
	d    *Decoder
	body scanner // of the message, behind the header
}

func openFrame(d *Decoder) scanner { return &frameScanner{d: d} }

func (f *frameScanner) scan(s string, eof bool) step {
	if f.body != nil {
		return f.body.scan(s, eof)
	}
	h, v := readFrameHeader(s, eof)
	switch {
	case v == more:
		return step{}
	case v == fail && h.recipient != "":
		return step{verdict: fail, n: h.n, err: errors.New("the header of the message does not end"), name: h.recipient}
	case v == fail:
		return step{verdict: fail, n: h.n}
	case h.recipient != "":
		f.body = &jsonScanner{body: &harmonyBody, d: f.d, phase: beforeValue, at: h.n, head: header{name: h.recipient}}
		return f.body.scan(s, eof)
	case h.channel != "analysis":
		return step{verdict: done, n: h.n, kind: Control}
	case f.d.options.Reasoning == ReasoningNone:
		return step{verdict: done, n: h.n, kind: Text}
	}
	f.body = newThought()
	return step{verdict: part, n: h.n, kind: Control}
}

// frameHeader is what the header of a message says.
type frameHeader struct {
	channel   string
	recipient string // the tool that is called, or ""
	n         int    // the header's length
}

var (
	frameTokens   = []string{"<|start|>", "<|channel|>", "<|constrain|>", "<|message|>", "<|end|>", "<|call|>", "<|return|>"}
	frameChannels = []string{"analysis", "commentary", "final"}
)

// readFrameHeader reads up to <|message|>. Channel and recipient come in either
// order and more than once, and words that mean nothing stand in between. What
// can't be a header is found out as soon as it shows: prose names the tokens too.
func readFrameHeader(s string, eof bool) (h frameHeader, v verdict) {
	expect := "" // the token in front of the next word
	for at := 0; at < len(s); {
		h.n = at
		switch c := s[at]; {
		case c == '\n' || at > maxFrameHeader:
			return h, fail
		case isSpace(c):
			at++
			continue
		case c == '{' && h.recipient != "": // <|message|> is missing
			return h, done
		}
		switch n, v := matchAny(s[at:], frameTokens, eof); v {
		case more:
			return h, more
		case done:
			expect = s[at : at+n]
			at += n
			switch {
			case expect == "<|message|>":
				h.n = at
				return h, done
			case expect == "<|start|>" && at > n, slices.Contains(harmonyEnds, expect):
				return h, fail
			}
			continue
		}
		end := at + 1
		for end < len(s) && strings.IndexByte(" \t\r\n<{", s[end]) < 0 {
			end++
		}
		word := s[at:end]
		whole := end < len(s)
		if end > maxFrameHeader || !h.takes(word, expect, whole) {
			return h, fail
		}
		if !whole {
			break
		}
		expect = ""
		at = end
	}
	if eof {
		return frameHeader{recipient: h.recipient, n: len(s)}, fail
	}
	return h, more
}

// takes adds a word to the header that stands behind the token expect, or behind
// another word. It reports whether it may stand there; a word that is not whole
// is only looked at.
func (h *frameHeader) takes(word, expect string, whole bool) bool {
	to := strings.LastIndex(word, "to=")
	switch {
	case expect == "<|start|>":
		return word == "assistant" || !whole && strings.HasPrefix("assistant", word)
	case expect == "<|channel|>":
		if whole {
			h.channel = word
			return slices.Contains(frameChannels, word)
		}
		return slices.ContainsFunc(frameChannels, func(c string) bool { return strings.HasPrefix(c, word) })
	case to >= 0 && whole:
		h.recipient = word[to+len("to="):]
		if h.recipient == "assistant" || h.recipient == "user" {
			h.recipient = ""
		}
		return true
	}
	return to >= 0 || !whole || h.channel != ""
}
