package dialect

import "errors"

// section describes markers around one or more calls: <calls> <call>…</call>
// <call>…</call> </calls>. The section's own markers belong to its calls; a section
// whose first content is no call was none, and is text. Text between its calls is
// text.
type section struct {
	closers   []string
	inner     []marker // begin the calls inside
	next      []string // begin what follows where the closer is missing; they are not part of it
	emptyText bool     // a section without calls is text; else it is nothing
}

func (sec *section) open(text string) func(*Decoder) scanner {
	m := newMatcher(append(closing(sec.closers), sec.inner...), "")
	return func(d *Decoder) scanner { return &sectionScanner{section: sec, d: d, matcher: m, at: len(text)} }
}

// marker is a marker that sec follows.
func (sec *section) marker(text string) marker { return marker{text: text, open: sec.open(text)} }

// bare is a marker that begins the first call where the section's opener is
// missing. Only more calls and a closer belong to such a section. Prose names
// functions too: without definitions, one without arguments is no call.
func (sec *section) bare(text string) marker {
	open := sec.open("")
	return marker{text: text, open: func(d *Decoder) scanner {
		s := open(d).(*sectionScanner)
		s.bare = true
		return s
	}}
}

func closing(texts []string) []marker {
	var all []marker
	for _, text := range texts {
		all = append(all, marker{text: text})
	}
	return all
}

type sectionScanner struct {
	section *section
	d       *Decoder
	matcher *matcher
	at      int     // what is looked at next, while no call is open
	call    scanner // the call that is open, or nil
	start   int     // where it begins
	any     bool    // a call was found
	prose   bool    // what comes next is behind text among the calls
	bare    bool    // the opener was missing
}

func (c *sectionScanner) scan(s string, eof bool) step {
	if c.call != nil {
		return c.scanCall(s, eof)
	}
	if c.prose && c.inCode(s) {
		return c.text(s)
	}
	if !c.prose { // white space behind text is text
		c.at = skipSpace(s, c.at)
	}
	if c.at == len(s) {
		return c.wait(s, eof)
	}
	mk, held := c.matcher.match(s[c.at:], eof, everywhere)
	switch {
	case held:
		return step{}
	case mk != nil && mk.open == nil && !c.any && c.section.emptyText:
		return step{verdict: fail, n: c.at + len(mk.text)}
	case mk != nil && mk.open == nil:
		return step{verdict: done, n: c.at + len(mk.text), kind: Control}
	case mk != nil:
		c.call, c.start = mk.open(c.d), c.at
		return c.scanCall(s, eof)
	}
	if c.bare {
		return step{verdict: done} // without the white space
	}
	if _, v := matchAny(s[c.at:], c.section.next, eof); v == more {
		return step{}
	} else if v == done && c.any {
		return step{verdict: done, n: c.at, kind: Control}
	}
	if !c.any {
		return step{verdict: fail, n: max(c.at, 1), err: errors.New("no call follows the marker")}
	}
	return c.text(s)
}

// inCode reports whether s, which is all that is not settled, goes on within
// Markdown's code. Examples stand there, also where the closer was forgotten.
func (c *sectionScanner) inCode(s string) bool {
	if s == "" {
		return false
	}
	c.d.code.settle(s[0])
	return c.d.code.inside()
}

// text settles text among the calls, up to what may be markup.
func (c *sectionScanner) text(s string) step {
	n := c.at + 1
	for n < len(s) && c.matcher.class[s[n]]&stops == 0 {
		n++
	}
	return c.settle(step{verdict: part, n: n, kind: Text})
}

// wait is for the end of what has arrived.
func (c *sectionScanner) wait(s string, eof bool) step {
	switch {
	case !eof:
		return step{}
	case c.any:
		return step{verdict: done, n: len(s), kind: Control}
	}
	return step{verdict: fail, n: len(s), err: ErrIncomplete}
}

func (c *sectionScanner) scanCall(s string, eof bool) step {
	st := c.call.scan(s[c.start:], eof)
	if st.verdict == more {
		return step{}
	}
	st.n += c.start
	for i := range st.calls {
		st.calls[i].end += c.start
	}
	switch st.verdict {
	case fail:
		c.call = nil
		if c.any { // the section goes on behind it
			st = step{verdict: part, n: st.n, kind: Text, err: st.err, name: st.name}
			return c.settle(st)
		}
		return st
	case done:
		c.call = nil
		if c.bare && c.d.tools == nil && len(st.calls) > 0 && string(st.calls[0].Arguments) == "{}" {
			return step{verdict: fail, n: st.n, err: errors.New("it stands alone and has no arguments"), name: st.calls[0].Name}
		}
		if len(st.calls) > 0 && !c.d.anyCallable(st.calls) {
			if c.any {
				return c.settle(step{verdict: part, n: st.n, calls: st.calls, kind: Text})
			}
			return step{verdict: fail, n: st.n, err: undeclared(st.calls[0].Name), name: st.calls[0].Name}
		}
		c.any = c.any || len(st.calls) > 0
		if st.n == 0 { // its calls are reported already
			c.at = 0
			return c.scan(s, eof)
		}
		st.verdict = part
		return c.settle(st)
	}
	c.any = c.any || c.d.anyCallable(st.calls)
	c.start, c.at = 0, 0
	return st
}

// settle hands over a part and counts from its end on.
func (c *sectionScanner) settle(st step) step {
	c.at = 0
	c.prose = st.kind == Text && len(st.calls) == 0
	return st
}
