package dialect

import "strings"

// paramValue is a raw value that is read. Nothing tells for certain where it ends,
// for it may hold any tag of its own format. What stands around a tag decides:
//
//   - A closer of a parameter ends the value if, behind white space, another
//     parameter or the end of the call follows. Else it belongs to the value.
//   - An opener of a parameter may begin the next one, where a closer was
//     forgotten. It belongs to the value if its own closer does; which is known
//     when the value ends.
//   - A closer of the call, or of what is around, ends a value without a closer if
//     nothing but such markers follows.
//   - A whole call within the value belongs to it.
//
// Where that makes no sense, the call is none: half of a value is worse.
type paramValue struct {
	tag   paramTag
	start int
	words []string // of the closers that it may have
	look  int      // behind the white space behind the closer that is looked at; 0: not known

	// What the value holds so far:
	inner  []innerTag // openers that are not closed
	calls  int        // how many of them are of calls
	call   int        // where the last opener of a call ends, and the white space behind it
	nested bool       // a whole call
	stray  bool       // a closer that closes nothing
}

// innerTag is an opener within a value: a parameter's, or that of a call to which
// the next ones belong.
type innerTag struct {
	paramTag
	at   int
	call bool
}

// scanValue goes from < to < in a value, up to its end.
func (p *paramScanner) scanValue(s string, eof bool) (step, bool) {
	for {
		next := len(s)
		if n := strings.IndexByte(s[p.at:], '<'); n >= 0 {
			next = p.at + n
		}
		if p.value.call == p.at && skipSpace(s, p.at) >= next {
			p.value.call = next
		}
		if p.at = next; p.at == len(s) {
			return step{}, true
		}
		if st, settled := p.scanTag(s, eof); settled || p.phase != atValue {
			return st, settled
		}
	}
}

// scanTag goes over what may be a tag at p.at.
func (p *paramScanner) scanTag(s string, eof bool) (step, bool) {
	rest := s[p.at:]
	if n, v := readCloser(rest, p.value.words, eof); v != fail {
		return p.scanCloser(s, n, v, eof)
	}
	if n, v := readCloser(rest, p.body.functions, eof); v != fail {
		return p.scanCallCloser(s, n, v, eof)
	}
	if n, v := matchAny(rest, p.body.closers, eof); v != fail {
		return p.scanEnd(s, p.at, n, v, eof, p.nextCall)
	}
	function, v := readParamTag(rest, p.body.functions, eof)
	if v == done {
		p.at += function.n
		p.value.call = p.at
		return step{}, false
	}
	tag, w := readParamTag(rest, p.body.parameters, eof)
	switch {
	case v == more || w == more:
		return step{}, true
	case w == done:
		p.enter(tag)
	default:
		p.at++
	}
	return step{}, false
}

// scanCloser goes over a parameter's closer of n bytes. v is more where these
// are only the beginning of one.
func (p *paramScanner) scanCloser(s string, n int, v verdict, eof bool) (step, bool) {
	if v == done && p.value.calls == 0 {
		switch p.follows(s, n, eof, p.boundary) {
		case more:
			return step{}, true
		case done:
			return p.close(s, p.at+n)
		}
	}
	if v == more {
		return step{}, true
	}
	p.leave(n)
	return step{}, false
}

// scanCallCloser goes over a call's closer.
func (p *paramScanner) scanCallCloser(s string, n int, v verdict, eof bool) (step, bool) {
	if v == done && (p.value.calls > 0 || p.value.call == p.at) {
		p.leaveCall(n)
		return step{}, false
	}
	return p.scanEnd(s, p.at+n, n, v, eof, func(s string, eof bool) (boundary, verdict) {
		if n, v := matchAny(s, p.body.closers, eof); v != fail {
			return boundary{kind: outside, n: n}, v
		}
		return p.nextCall(s, eof)
	})
}

// scanEnd goes over a closer that may end the call at end although the value has
// none. It does if what read looks for stands behind it. At the end of the answer
// nobody knows: the value may be cut behind a closer that it holds.
func (p *paramScanner) scanEnd(s string, end, n int, v verdict, eof bool, read valueReader) (step, bool) {
	if v == done {
		v = p.follows(s, n, eof, read)
	}
	switch {
	case v == more:
		return step{}, true
	case v == fail:
		p.value.look = 0
		p.at++
		return step{}, false
	case p.value.nested || p.value.calls > 0:
		return p.unclear()
	}
	if st, failed := p.close(s, end); failed {
		return st, true
	}
	return p.end(end)
}

// valueReader reads what text begins with.
type valueReader func(s string, eof bool) (boundary, verdict)

// follows says whether what read looks for stands behind the closer of n bytes at
// p.at.
func (p *paramScanner) follows(s string, n int, eof bool, read valueReader) verdict {
	look := skipSpace(s, max(p.value.look, p.at+n))
	p.value.look = look
	if look == len(s) && !eof {
		return more
	}
	_, v := read(s[look:], eof)
	return v
}

// enter goes over an opener within the value.
func (p *paramScanner) enter(tag paramTag) {
	v := &p.value
	if v.call == p.at {
		v.inner = append(v.inner, innerTag{call: true})
		v.calls++
	}
	if !tag.empty && !v.tag.element {
		v.inner = append(v.inner, innerTag{paramTag: tag, at: p.at})
	}
	p.at += tag.n
}

// leave goes over a parameter's closer that belongs to the value.
func (p *paramScanner) leave(n int) {
	v := &p.value
	p.at += n
	v.look = 0
	if last := len(v.inner) - 1; last >= 0 && !v.inner[last].call {
		v.inner = v.inner[:last]
	} else {
		v.stray = true
	}
}

// leaveCall goes over a call's closer that belongs to the value.
func (p *paramScanner) leaveCall(n int) {
	v := &p.value
	p.at += n
	v.nested = true
	for v.calls > 0 {
		last := len(v.inner) - 1
		if v.inner[last].call {
			v.calls--
			v.inner = v.inner[:last]
			return
		}
		v.inner = v.inner[:last]
	}
}

// close ends the value at p.at, and with it those of the parameters that were
// opened within it. What follows is at next. It fails where one of them may be
// text as well.
func (p *paramScanner) close(s string, next int) (st step, failed bool) {
	v := &p.value
	tag, start := v.tag, v.start
	for _, inner := range v.inner {
		_, known := p.parameters[inner.name]
		if !known && (p.parameters != nil || v.stray) {
			return p.unclear()
		}
		p.add(tag, s[start:inner.at])
		tag, start = inner.paramTag, inner.at+inner.n
	}
	p.add(tag, s[start:p.at])
	p.at = next
	p.phase = atParameter
	return step{}, false
}

func (p *paramScanner) unclear() (step, bool) {
	return p.fail(p.at, "it is not clear where a value ends")
}
