package dialect

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"helve/tool"
)

// Options says what a [Decoder] takes for a call. The zero value is the careful
// choice.
type Options struct {
	// Tools are the tools that may be called. A call of any other is text. Without
	// tools every name may be called.
	Tools []tool.Definition

	// AnyName lets names call that are not in Tools, so that the model can be told
	// of its mistake. Dialects whose markup looks like ordinary text ignore it.
	AnyName bool

	// Reasoning says whether reasoning is told apart from text.
	Reasoning ReasoningMode

	// CallsInReasoning lets calls inside reasoning count; the call ends it.
	CallsInReasoning bool

	// CallsInCode lets calls in Markdown's code count, where they are mostly
	// examples.
	CallsInCode bool

	// MaxCall bounds the bytes of one call; a longer one is text. 0 means
	// DefaultMaxCall.
	MaxCall int
}

// DefaultMaxCall is the bound for a call's bytes. A call of the largest
// arguments that a schema takes (16 MiB) fits.
const DefaultMaxCall = 24 << 20

// ReasoningMode says how reasoning is found.
type ReasoningMode string

const (
	ReasoningAuto ReasoningMode = ""     // between the markers of the dialect
	ReasoningOpen ReasoningMode = "open" // the answer begins inside: the prompt ended with the opening marker
	ReasoningNone ReasoningMode = "none" // it is text, markers and all
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

	base int // offset in the answer of what run works on
	read int // up to which offset a failed scanner has read
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
// settles. The slice is valid until the next call.
func (d *Decoder) Feed(chunk string) []Event {
	if d.fast && len(chunk) <= shortText {
		var seen byteClass
		for i := 0; i < len(chunk); i++ {
			seen |= d.matcher.class[chunk[i]]
		}
		if chunk != "" && (seen&stops == 0 || d.matcher.first(chunk, 0) == len(chunk)) {
			if seen&newLine != 0 || d.code.margin {
				d.code.line(chunk)
			}
			d.base += len(chunk)
			d.plain[0] = Event{Text: chunk}
			return d.plain[:]
		}
	}
	d.events = d.events[:0]
	if d.body.Len() > 0 && d.body.Len()+len(chunk) < d.options.MaxCall {
		if s, ok := d.scanner.(skipper); ok && s.skip(d.body.Len(), chunk) {
			d.add(chunk)
			d.base += len(chunk)
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
		d.base -= d.body.Len()
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
	d.base += len(in)
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
		d.base -= len(held)
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
		d.base -= len(held)
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

// reason enters the reasoning of a span, or of any of them.
func (d *Decoder) reason(span int) {
	d.span = span
	spans := d.dialect.reasoning
	var markers []marker
	if span < len(spans) {
		spans = spans[span : span+1]
	} else {
		for _, s := range spans { // the opener that the prompt had already
			markers = append(markers, marker{text: s.open, where: answerStart})
		}
	}
	for _, s := range spans {
		markers = append(markers, marker{text: s.close, span: -1})
	}
	if d.dialect.interrupts || d.options.CallsInReasoning {
		for _, mk := range d.calls {
			if mk.open != nil {
				markers = append(markers, mk)
			}
		}
	}
	d.reasoner = newMatcher(markers, "")
}

// inReasoning goes on to the end of reasoning.
func (d *Decoder) inReasoning(in string, at int, eof bool) int {
	seek := d.reasoner.seek(in)
	start := at
	for at < len(in) {
		stop := seek.next(at)
		d.thought = d.thought || strings.TrimSpace(in[at:stop]) != ""
		if at = stop; at == len(in) {
			break
		}
		mk, held := d.reasoner.match(in[at:], eof, spot{begun: d.thought})
		switch {
		case held:
			d.emit(Reasoning, in[start:at])
			d.held = in[at:]
			return len(in)
		case mk == nil:
			d.thought = true
			at++
			continue
		}
		d.emit(Reasoning, in[start:at])
		if mk.open != nil {
			d.scanner = mk.open(d)
			d.opener = len(mk.text)
			d.paused, d.span = d.span, -1
			return at
		}
		if mk.span < 0 {
			d.span = -1
		}
		d.emit(Control, in[at:at+len(mk.text)])
		d.code = newCode(d.code.on)
		return at + len(mk.text)
	}
	d.emit(Reasoning, in[start:])
	return len(in)
}

// scan lets the open scanner go on. It returns where to go on, or -1 where more
// is needed.
func (d *Decoder) scan(in string, at int, eof bool) int {
	s := in[at:]
	capped := len(s) >= d.options.MaxCall
	if capped {
		s = s[:d.options.MaxCall]
	}
	st := d.scanner.scan(s, eof && !capped)
	if st.verdict == more {
		switch {
		case capped:
			st = step{verdict: fail, n: len(s), err: fmt.Errorf("it is longer than %d bytes", d.options.MaxCall)}
		case eof:
			st = step{verdict: fail, n: len(s), err: ErrIncomplete}
		default:
			d.keep(in, at)
			return -1
		}
	}
	if st.verdict == fail {
		return at + d.refuse(s, d.base+at, st)
	}
	d.accept(s[:st.n], st)
	if st.verdict == done {
		d.close()
	} else if st.n == 0 {
		panic(fmt.Sprintf("dialect %s: a scanner settled nothing and goes on", d.dialect.name))
	}
	d.opener = 0
	return at + st.n
}

// close forgets the open scanner. Reasoning goes on if there was no call in it.
func (d *Decoder) close() {
	d.scanner = nil
	d.body.Reset()
	if d.paused >= 0 {
		d.span, d.paused = d.paused, -1
		d.thought = true
	}
}

// add adds to the open markup's bytes, which double their room: a call of megabytes
// is copied few times.
func (d *Decoder) add(s string) {
	if d.body.Cap()-d.body.Len() < len(s) {
		d.body.Grow(max(d.body.Len(), len(s)))
	}
	d.body.WriteString(s)
}

// keep stores in[at:] for the next Feed.
func (d *Decoder) keep(in string, at int) {
	if at > 0 || d.body.Len() != len(in) {
		d.body.Reset()
		d.body.WriteString(in[at:])
	}
}

// accept reports what a scanner has settled.
func (d *Decoder) accept(s string, st step) {
	if len(st.calls) == 0 {
		if st.kind == Text && st.err != nil {
			d.refused(s)
			d.invalid(s, st.name, st.err)
			return
		}
		if st.kind == Text {
			d.text(s)
			return
		}
		d.code = newCode(d.code.on) // a message's code does not go on in the next
		d.emit(st.kind, s)
		d.emit(Reply, st.reply)
		d.begun = d.begun || st.reply != ""
		return
	}
	if !d.anyCallable(st.calls) {
		d.refused(s)
		d.invalid(s, st.calls[0].Name, undeclared(st.calls[0].Name))
		return
	}
	d.paused = -1 // the call ends the reasoning
	from := 0
	for i, f := range st.calls {
		raw := s[from:f.end]
		name, ok := d.callable(f.Name)
		if !ok {
			if i+1 < len(st.calls) && st.calls[i+1].end == f.end {
				raw = "" // its bytes are the next call's too
			}
			from += len(raw)
			d.text(raw)
			d.invalid(raw, f.Name, undeclared(f.Name))
			continue
		}
		from = f.end
		call := f.Call
		call.Name = name
		if def := d.tools[name]; def != nil {
			if arguments, _, err := def.Schema().Coerce(call.Arguments); err == nil {
				call.Arguments = arguments
			}
		}
		d.events = append(d.events, Event{Kind: ToolCall, Text: raw, Call: &call})
	}
	d.emit(Control, s[from:])
	d.begun = true
	d.code.line(s)
}

func (d *Decoder) anyCallable(calls []found) bool {
	return slices.ContainsFunc(calls, func(f found) bool { _, ok := d.callable(f.Name); return ok })
}

// refuse turns what a scanner could not read into text, and returns how many of
// its bytes. To go back behind what was read is allowed once for each byte, or
// openers without closers would take quadratic time.
func (d *Decoder) refuse(s string, offset int, st step) int {
	n := st.n
	if st.reached > n {
		if offset < d.read {
			n = st.reached
		} else {
			d.read = offset + st.reached
		}
	}
	n = max(n, min(d.opener, len(s)))
	d.refused(s[:n])
	if st.err != nil {
		d.invalid(s[:n], st.name, st.err)
	}
	d.close()
	return n
}

// text releases text in which nobody looks for markers any more.
func (d *Decoder) text(s string) {
	if d.paused >= 0 {
		d.emit(Reasoning, s)
		return
	}
	d.begin(s)
	d.code.pass(s)
	d.emit(Text, s)
}

// refused is text for markup that is no call. Backticks behind its marker are the
// markup's: half of DeepSeek's own fence must not make code of the next call.
func (d *Decoder) refused(s string) {
	if d.paused >= 0 {
		d.emit(Reasoning, s)
		return
	}
	opener := min(d.opener, len(s))
	d.begin(s)
	d.code.pass(s[:opener])
	on := d.code.on
	d.code.on = false
	d.code.pass(s[opener:])
	d.code.on = on
	d.emit(Text, s)
}

func (d *Decoder) begin(s string) {
	if !d.begun && strings.TrimSpace(s) != "" {
		d.begun = true
	}
}

func (d *Decoder) emit(kind Kind, s string) {
	if s != "" {
		d.events = append(d.events, Event{Kind: kind, Text: s})
	}
}

// invalid tells why raw is no call. Dialects without clear markers say nothing:
// their text is full of what is none. In reasoning a model may think about markup.
func (d *Decoder) invalid(raw, name string, err error) {
	if d.dialect.weak || d.paused >= 0 {
		return
	}
	d.events = append(d.events, Event{Kind: Invalid, Text: raw, Call: &Call{Name: name, Err: err}})
}

// callable returns the name under which a call of name runs.
func (d *Decoder) callable(name string) (string, bool) {
	if name == "" {
		return "", false
	}
	if _, ok := d.tools[name]; ok {
		return name, true
	}
	if d.dialect.spelling != nil {
		if other := d.dialect.spelling(d, name); other != "" {
			name = other
		}
		if _, ok := d.tools[name]; ok {
			return name, true
		}
	}
	return name, d.tools == nil || d.options.AnyName && !d.dialect.weak
}

// ErrIncomplete says that the answer ended within a call.
var ErrIncomplete = errors.New("the answer ends before the call does")

func undeclared(name string) error { return fmt.Errorf("no tool %q is declared", name) }
