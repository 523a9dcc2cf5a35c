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
	w    *bufio.Writer
	json *json.Encoder
	err  error

	kind dialect.Kind // of text
	text []byte       // not printed yet; between feeds the beginning of a character

	calls  int
	number int             // of the last ID that was made up
	taken  map[string]bool // the calls' IDs
}

func newEventPrinter(w io.Writer) *eventPrinter {
	p := &eventPrinter{w: bufio.NewWriter(w), taken: map[string]bool{}}
	p.json = json.NewEncoder(p.w)
	p.json.SetEscapeHTML(false)
	return p
}

// events prints what a feed has settled. Adjacent text is one line, however many
// events it came in.
func (p *eventPrinter) events(events []dialect.Event) {
	for _, e := range events {
		switch e.Kind {
		case dialect.Text, dialect.Reply:
			p.add(dialect.Text, e.Text)
		case dialect.Reasoning:
			p.add(e.Kind, e.Text)
		case dialect.Control:
			p.printText()
		case dialect.ToolCall:
			p.endText()
			p.line(struct {
				Type      string          `json:"type"`
				ID        string          `json:"id"`
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			}{e.Kind.String(), p.id(e.Call), e.Call.Name, bytes.ToValidUTF8(e.Call.Arguments, []byte("\uFFFD"))})
		case dialect.Invalid:
			p.printText()
			p.line(struct {
				Type  string `json:"type"`
				Name  string `json:"name"`
				Raw   string `json:"raw"`
				Error string `json:"error"`
			}{e.Kind.String(), e.Call.Name, e.Text, e.Call.Err.Error()})
		}
	}
	p.printText()
}

// id is what the model wrote, where no other call has it, else the next free
// number. A number is tried once.
func (p *eventPrinter) id(c *dialect.Call) string {
	p.calls++
	p.number = max(p.number, p.calls)
	id := dialect.CallID(c, p.number)
	for ; p.taken[id]; p.number++ {
		id = dialect.CallID(&dialect.Call{}, p.number)
	}
	p.taken[id] = true
	return id
}

// add keeps text until what is adjacent to it is known.
func (p *eventPrinter) add(kind dialect.Kind, s string) {
	if kind != p.kind {
		p.endText()
		p.kind = kind
	}
	p.text = append(p.text, s...)
}

// printText prints the text but for the bytes at its end that begin a character:
// in two strings of JSON its halves would be lost.
func (p *eventPrinter) printText() {
	whole := len(p.text) - begun(p.text)
	if whole > 0 {
		p.line(textLine{p.kind.String(), string(p.text[:whole])})
		p.text = append(p.text[:0], p.text[whole:]...)
	}
}

// endText prints all of the text, a character that is never completed included.
func (p *eventPrinter) endText() {
	if len(p.text) > 0 {
		p.line(textLine{p.kind.String(), string(p.text)})
		p.text = p.text[:0]
	}
}

// begun returns how many bytes at the end of s are a character's beginning.
func begun(s []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(s); n++ {
		if tail := s[len(s)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
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
