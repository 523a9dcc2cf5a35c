package dialect

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

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
	if st.verdict == part && st.n == 0 { // a scanner's mistake, which must not become a hang
		st = step{verdict: fail, n: len(s), err: errStuck}
	}
	if st.verdict == fail {
		return at + d.refuse(s, st)
	}
	d.accept(s[:st.n], st)
	if st.verdict == done {
		d.close()
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
// its bytes: at least the marker, so that nobody goes round in circles.
func (d *Decoder) refuse(s string, st step) int {
	n := max(st.n, min(d.opener, len(s)))
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
	if (d.dialect.weak || d.paused >= 0) && err != errStuck {
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

var errStuck = errors.New("its format's reader is stuck: this is a fault of helve")

func undeclared(name string) error { return fmt.Errorf("no tool %q is declared", name) }
