package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"

	"helve/dialect"
)

// eventPrinter prints the events of a decoder as lines of JSON.
type eventPrinter struct {
	w     *bufio.Writer
	json  *json.Encoder
	calls int
	err   error

	kind dialect.Kind // of cut
	cut  string       // the beginning of a character, whose end is to come
}

func newEventPrinter(w io.Writer) *eventPrinter {
	p := &eventPrinter{w: bufio.NewWriter(w)}
	p.json = json.NewEncoder(p.w)
	p.json.SetEscapeHTML(false)
	return p
}

func (p *eventPrinter) events(events []dialect.Event) {
	for _, e := range events {
		switch e.Kind {
		case dialect.Text, dialect.Reply:
			p.text(dialect.Text, e.Text)
		case dialect.Reasoning:
			p.text(e.Kind, e.Text)
		case dialect.ToolCall:
			p.endText()
			p.calls++
			p.line(struct {
				Type      string          `json:"type"`
				ID        string          `json:"id"`
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			}{e.Kind.String(), dialect.CallID(e.Call, p.calls), e.Call.Name, bytes.ToValidUTF8(e.Call.Arguments, []byte("\uFFFD"))})
		case dialect.Invalid:
			p.line(struct {
				Type  string `json:"type"`
				Name  string `json:"name"`
				Raw   string `json:"raw"`
				Error string `json:"error"`
			}{e.Kind.String(), e.Call.Name, e.Text, e.Call.Err.Error()})
		}
	}
}

// text prints s but for the bytes at its end that begin a character: in two
// strings of JSON its halves would be lost.
func (p *eventPrinter) text(kind dialect.Kind, s string) {
	if kind != p.kind {
		p.endText()
		p.kind = kind
	}
	s = p.cut + s
	whole := len(s) - begun(s)
	p.cut = s[whole:]
	if whole > 0 {
		p.line(textLine{kind.String(), s[:whole]})
	}
}

// endText prints what was kept for a character that is never completed.
func (p *eventPrinter) endText() {
	if p.cut != "" {
		p.line(textLine{p.kind.String(), p.cut})
		p.cut = ""
	}
}

// begun returns how many bytes at the end of s are a character's beginning.
func begun(s string) int {
	for n := 1; n < utf8.UTFMax && n <= len(s); n++ {
		if tail := s[len(s)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRuneInString(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

func (p *eventPrinter) line(v any) {
	if err := p.json.Encode(v); err != nil && p.err == nil {
		p.err = &failure{exitUnexpected, "output", err, ""}
	}
}

func (p *eventPrinter) flush() error {
	if err := p.w.Flush(); err != nil && p.err == nil {
		p.err = &failure{exitUnexpected, "output", err, ""}
	}
	return p.err
}

func (p *eventPrinter) close() error {
	p.endText()
	return p.flush()
}
