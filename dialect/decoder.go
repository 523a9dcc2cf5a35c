package dialect

import (
	"slices"
	"strings"

	"helve/tool"
)

// Decoder takes an answer apart while it arrives. However the answer is cut into
// chunks, the events are the same but for cuts in text. It belongs to one
// goroutine and to one answer.
type Decoder struct {
	dialect *Dialect
	options Options
	tools   map[string]*tool.Definition
	events  []Event
	plain   [1]Event // the same where it is a short piece of text

	matcher *matcher // of what may stand in text
	later   *matcher // the same without what may stand at the answer's start alone
	seek    seeker   // of the matcher, in the text that run works on
	code    code
	begun   bool // there was more than white space
	fast    bool // plain text may take the short way

	span     int // of the dialect's reasoning; -1: not in reasoning; len: in any of them
	reasoner *matcher
	thought  bool     // there was more than white space in the reasoning
	paused   int      // the span that the open scanner interrupted; -1: none
	calls    []marker // that may begin a call

	scanner scanner         // of the markup that is open, or nil
	opener  int             // length of its marker
	body    strings.Builder // its bytes, where it came in several chunks
	held    string          // what may be the beginning of a marker
}

// NewDecoder returns a decoder for one answer.
func (d *Dialect) NewDecoder(options Options) *Decoder {
	if options.MaxCall <= 0 {
		options.MaxCall = DefaultMaxCall
	}
	dec := &Decoder{dialect: d, options: options, span: -1, paused: -1}
	dec.code = newCode(!options.CallsInCode)
	if options.Tools != nil {
		dec.tools = make(map[string]*tool.Definition, len(options.Tools))
		for i := range options.Tools {
			dec.tools[options.Tools[i].Name] = &options.Tools[i]
		}
	}
	markers := d.markers
	if d.openers != nil {
		markers = append(markers[:len(markers):len(markers)], d.openers(dec)...)
	}
	dec.calls = markers
	if options.Reasoning != ReasoningNone {
		markers = markers[:len(markers):len(markers)]
		for i := range d.reasoning {
			span := d.reasoning[i]
			markers = append(markers, marker{text: span.open, span: i + 1}, marker{text: span.close, where: answerStart})
		}
	}
	also := ""
	if dec.code.on {
		also = "`"
	}
	dec.matcher = newMatcher(markers, also)
	dec.later = dec.matcher
	if later := slices.DeleteFunc(slices.Clone(markers), func(mk marker) bool { return mk.where == answerStart }); len(later) < len(markers) {
		dec.later = newMatcher(later, also)
	}
	if options.Reasoning == ReasoningOpen && len(d.reasoning) > 0 {
		dec.reason(len(d.reasoning))
	}
	if d.start != nil {
		dec.scanner = d.start(dec)
	}
	return dec
}

// Feed takes the next piece of the answer, of any length, and returns what it
// settles. The slice is for reading, until the next call.
func (d *Decoder) Feed(chunk string) []Event {
	if d.fast && len(chunk) <= shortText {
		var seen byteClass
		class := &d.matcher.class
		for i := 0; i < len(chunk); i++ {
			seen |= class[chunk[i]]
		}
		if chunk != "" && (seen&stops == 0 || d.matcher.first(chunk, 0) == len(chunk)) {
			if seen&newLine != 0 || d.code.margin {
				d.code.line(chunk)
			}
			d.plain[0].Text = chunk
			return d.plain[:]
		}
	}
	d.events = d.events[:0]
	if d.body.Len() > 0 && d.body.Len()+len(chunk) < d.options.MaxCall {
		if s, ok := d.scanner.(skipper); ok && s.skip(d.body.Len(), chunk) {
			d.add(chunk)
			return d.events
		}
	}
	if chunk != "" {
		d.run(chunk, false)
	}
	return d.events
}

// End says that the answer is over and returns the rest. What is open and not
// complete comes out as text, with an Invalid that says so.
func (d *Decoder) End() []Event {
	d.events = d.events[:0]
	d.run("", true)
	return d.events
}

// run works on in, ahead of which it puts what was kept.
func (d *Decoder) run(in string, eof bool) {
	switch {
	case d.scanner != nil && d.body.Len() > 0:
		d.add(in)
		in = d.body.String()
	case d.held != "":
		in = d.rejoin(in)
	}
	at := 0
	for at >= 0 && (at < len(in) || eof && d.scanner != nil) {
		switch {
		case d.scanner != nil:
			at = d.scan(in, at, eof)
		case d.span >= 0:
			at = d.inReasoning(in, at, eof)
		default:
			at = d.inText(in, at, eof)
		}
	}
	if at == len(in) {
		d.body.Reset()
	}
	if d.seek.m != nil {
		d.seek = seeker{}
	}
	d.fast = d.scanner == nil && d.held == "" && d.span < 0 && d.begun && !d.code.inside() && d.code.run == 0
}

// rejoin puts what was held in front of in, or lets it go where in shows that it
// is no marker. The latter is so common, with "<" and "a", that it copies nothing.
func (d *Decoder) rejoin(in string) string {
	held := d.held
	d.held = ""
	if in == "" {
		return held
	}
	m, at := d.matcher, d.spot()
	if d.span >= 0 {
		m, at = d.reasoner, spot{begun: d.thought}
	}
	mayStill := func(s string, next byte) bool { // or s is a shorter marker already
		for i := range m.markers {
			t := m.markers[i].text
			if !at.allows(m.markers[i].where) {
				continue
			}
			if len(t) > len(s) && t[:len(s)] == s && t[len(s)] == next || strings.HasPrefix(s, t) {
				return true
			}
		}
		return false
	}
	again := mayStill(held, in[0])
	for i := 1; i < len(held) && !again; i++ {
		again = m.class[held[i]]&stops != 0
	}
	if again || held[0] == '`' {
		return held + in
	}
	if d.span >= 0 {
		d.thought = true
		d.emit(Reasoning, held)
	} else {
		d.text(held)
	}
	return in
}

// inText releases text up to what may be markup, and opens it.
func (d *Decoder) inText(in string, at int, eof bool) int {
	start := at
	if d.seek.m == nil {
		if d.begun && d.matcher != d.later {
			d.matcher = d.later
		}
		d.seek = d.matcher.seek(in)
	}
	for at < len(in) {
		d.code.settle(in[at])
		if d.code.inside() {
			n := d.code.skip(in[at:])
			d.begin(in[at : at+n])
			at += n
			continue
		}
		stop := d.seek.next(at)
		d.code.line(in[at:stop])
		d.begin(in[at:stop])
		if at = stop; at == len(in) {
			break
		}
		mk, held := d.matcher.match(in[at:], eof, d.spot())
		switch {
		case held:
			d.emit(Text, in[start:at])
			d.held = in[at:]
			return len(in)
		case mk != nil:
			d.emit(Text, in[start:at])
			return d.enter(mk, in, at)
		case in[at] == '`' && d.code.on:
			at += d.code.ticks(in[at:])
		default:
			d.code.line(in[at : at+1])
			at++
		}
		d.begun = true
	}
	d.emit(Text, in[start:])
	return len(in)
}

// enter opens what mk begins.
func (d *Decoder) enter(mk *marker, in string, at int) int {
	behind := at + len(mk.text)
	switch {
	case mk.open != nil:
		d.scanner = mk.open(d)
		d.opener = len(mk.text)
		return at
	case mk.span > 0:
		d.reason(mk.span - 1)
	}
	d.code.line(mk.text)
	d.emit(Control, in[at:behind])
	return behind
}

func (d *Decoder) spot() spot { return spot{begun: d.begun, inLine: d.code.indent < 0} }
