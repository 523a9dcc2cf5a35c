package dialect

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A decision is a JSON object that either calls or replies:
//
//	{"tool": "name", "arguments": {…}}
//	{"tool": null, "reply": "…"}
//
// bare or in a fence of its own. The reply is passed on while it arrives, where it
// comes next; in any other order the object is read when it is whole.

var decisionKeys = jsonKeys{
	name:      []string{"tool", "name"},
	arguments: []string{"arguments", "parameters"},
	id:        []string{"id"},
	other:     []string{"reply"},
	required:  true,
	enough:    "tool",
}

var (
	decisionBody   = jsonBody{shape: "{[", bare: true, keys: &decisionKeys, loose: true, closers: []string{"}", "]"}, reply: replyOf}
	decisionFenced = jsonBody{shape: "{[", bare: true, keys: &decisionKeys, closers: []string{"```"}, reply: replyOf}
)

type decisionScanner struct {
	d     *Decoder
	phase decisionPhase
	json  *jsonScanner // reads any decision but an early reply
	tail  jsonExtent   // what the object holds behind the reply
	fence bool
	at    int
}

type decisionPhase uint8

const (
	decisionHead  decisionPhase = iota
	decisionReply               // in the reply's text
	decisionTail                // behind it, up to the object's end
	decisionFence               // behind the object
)

func openDecision(d *Decoder) scanner { return &decisionScanner{d: d} }

func (c *decisionScanner) scan(s string, eof bool) step {
	switch {
	case c.json != nil:
		return c.json.scan(s, eof)
	case c.phase == decisionHead:
		return c.head(s, eof)
	case c.phase == decisionReply:
		return c.reply(s, eof)
	case c.phase == decisionTail:
		return c.rest(s, eof)
	}
	return c.behind(s, eof)
}

// head reads as far as the reply, if it comes next.
func (c *decisionScanner) head(s string, eof bool) step {
	view, atEnd := window(s, eof)
	h := words{s: view, eof: atEnd || len(view) == maxHeader}
	if h.take("```") {
		c.fence = true
		_ = h.take("json") || h.take("JSON")
		h.space()
	}
	start := h.at
	if h.take("{") && h.space() && h.take(`"tool"`) && h.space() && h.take(":") && h.space() && h.take("null") &&
		h.space() && h.take(",") && h.space() && h.take(`"reply"`) && h.space() && h.take(":") && h.space() && h.take(`"`) {
		c.phase = decisionReply
		return step{verdict: part, n: h.at, kind: Control}
	}
	if h.short {
		return step{}
	}
	c.json = &jsonScanner{body: &decisionBody, d: c.d, at: start}
	if c.fence {
		c.json.body = &decisionFenced
	}
	return c.json.scan(s, eof)
}

// words reads fixed words from the front of a text.
type words struct {
	s     string
	at    int
	eof   bool
	short bool // the text ended within a word
}

func (w *words) take(word string) bool {
	rest := w.s[w.at:]
	if strings.HasPrefix(rest, word) {
		w.at += len(word)
		return true
	}
	w.short = w.short || !w.eof && strings.HasPrefix(word, rest)
	return false
}

func (w *words) space() bool {
	w.at = skipSpace(w.s, w.at)
	return true
}

// replyOf is the reply of a decision against calling.
func replyOf(object string) (text string, ok bool) {
	null := false
	for key, v := range members(object) {
		switch {
		case key == "tool":
			null = v == "null"
		case key == "reply" && v[0] == '"':
			text, ok = unquote(v), true
		}
	}
	return text, null && ok
}

// reply passes on the text of the string that the answer is in the middle of.
func (c *decisionScanner) reply(s string, eof bool) step {
	var text strings.Builder
	n := 0
	for n < len(s) {
		run := n
		for n < len(s) && s[n] != '"' && s[n] != '\\' {
			n++
		}
		text.WriteString(s[run:n])
		if n == len(s) {
			break
		}
		if s[n] == '"' {
			ends, sure := endsString(s[n+1:], eof)
			switch {
			case !sure:
				return c.said(n, text.String())
			case ends:
				c.phase = decisionTail
				c.tail = jsonExtent{depth: 1}
				return c.said(n+1, text.String())
			}
			text.WriteByte('"') // it should have been escaped
			n++
			continue
		}
		r, size := unescape(s[n:])
		if size == 0 && !eof {
			return c.said(n, text.String())
		}
		if size == 0 {
			r, size = '\\', 1
		}
		text.WriteRune(r)
		n += size
	}
	if n == 0 && eof {
		return step{verdict: done}
	}
	return c.said(n, text.String())
}

func (c *decisionScanner) said(n int, text string) step {
	if n == 0 {
		return step{}
	}
	return step{verdict: part, n: n, kind: Control, reply: text}
}

// endsString says whether a quote ends its string, by what follows it: the object's
// end with no quote behind it, or a comma and another key. White space without end
// follows an end.
func endsString(behind string, eof bool) (ends, sure bool) {
	if len(behind) > maxHeader {
		behind, eof = behind[:maxHeader], true
	}
	at := skipSpace(behind, 0)
	if at < len(behind) && behind[at] == ',' {
		if at = skipSpace(behind, at+1); at < len(behind) {
			return behind[at] == '"', true
		}
	}
	if at == len(behind) {
		return eof, eof
	}
	if behind[at] != '}' {
		return false, true
	}
	if at = skipSpace(behind, at+1); at == len(behind) {
		return eof, eof
	}
	return behind[at] != '"', true
}

// unescape reads one escape of a JSON string; size is 0 where more must come. An
// escape that JSON has not stands for itself.
func unescape(s string) (r rune, size int) {
	if len(s) < 2 {
		return 0, 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, s[1]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), 2
	}
	if s[1] != 'u' {
		return '\\', 1
	}
	r, size = unescapeUnit(s)
	if size == 0 || !utf16.IsSurrogate(r) {
		return r, size
	}
	low, lowSize := unescapeUnit(s[size:])
	if lowSize == 0 && len(s) < 2*size && strings.HasPrefix(`\u`, s[size:min(len(s), size+2)]) {
		return 0, 0 // the other half may follow
	}
	if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
		return both, size + lowSize
	}
	return utf8.RuneError, size
}

// unescapeUnit reads \uXXXX.
func unescapeUnit(s string) (rune, int) {
	if !strings.HasPrefix(s, `\u`) {
		return 0, 0
	}
	r := rune(0)
	for i := 2; i < 6; i++ {
		if i >= len(s) {
			return 0, 0
		}
		digit := strings.IndexByte("0123456789abcdef", s[i]|0x20)
		if s[i] < '0' || digit < 0 {
			return '\\', 1
		}
		r = r<<4 | rune(digit)
	}
	return r, 6
}

// rest goes over what else the object holds.
func (c *decisionScanner) rest(s string, eof bool) step {
	if c.tail.scan(s) == extentOpen && !eof {
		return step{}
	}
	c.phase = decisionFence
	if n := c.tail.at; n > 0 {
		return step{verdict: part, n: n, kind: Control}
	}
	return c.behind(s, eof)
}

// behind takes the fence's end with the object.
func (c *decisionScanner) behind(s string, eof bool) step {
	if !c.fence {
		return step{verdict: done}
	}
	c.at = skipSpace(s, c.at)
	if c.at == len(s) && !eof {
		return step{}
	}
	n, v := matchAny(s[c.at:], []string{"```"}, eof)
	switch v {
	case more:
		return step{}
	case done:
		return step{verdict: done, n: c.at + n, kind: Control}
	}
	return step{verdict: done}
}
