package dialect

import (
	"encoding/json"
	"errors"
	"unicode/utf8"

	"helve/tool"
)

// literalBody describes markup whose calls are written as in a program:
// [f(a='x'), g()] or call:f{a:1}.
type literalBody struct {
	literals *literals
	bracket  byte      // opens the arguments
	lead     string    // stands before each name
	anyLead  bool      // the lead may be missing
	list     bool      // the calls may stand in [ ], a comma between them
	closers  []string  // the markers that may end the body
	loose    bool      // the closer may be missing whatever follows
	bare     bool      // there is no marker: the text itself must show that it is a call
	json     *jsonBody // for calls in JSON at the same place; nil: there are none

	// read reads arguments, brackets and all; def is nil where it is not known.
	read func(text string, def *tool.Definition) (json.RawMessage, error)
}

// marker is a marker that b follows. A bare body begins with the marker itself.
func (b *literalBody) marker(text string) marker {
	return marker{text: text, open: func(d *Decoder) scanner {
		l := &literalScanner{body: b, d: d, opener: text}
		if !b.bare {
			l.at = len(text)
		}
		return l
	}}
}

type literalScanner struct {
	body   *literalBody
	d      *Decoder
	opener string
	phase  literalPhase
	at     int // of what is read next
	json   scanner
	inList bool
	name   string // of the call that is open
	start  int    // of its arguments
	value  literalExtent
	calls  []found
}

type literalPhase uint8

const (
	beforeCalls literalPhase = iota
	beforeName
	inArguments
	behindArguments
	beforeCloser
	behindCalls // all has been reported; the closer may be there, or be there twice
)

func (l *literalScanner) scan(s string, eof bool) step {
	st := l.phases(s, eof)
	if st.verdict == more && eof && l.body.bare {
		return l.fail(len(s), nil) // half a call without a marker is just text
	}
	return st
}

// phases goes from phase to phase until one of them can't.
func (l *literalScanner) phases(s string, eof bool) step {
	for {
		var st step
		var settled bool
		switch {
		case l.json != nil:
			return l.json.scan(s, eof)
		case l.phase == beforeCalls:
			st, settled = l.begin(s, eof)
		case l.phase == beforeName:
			st, settled = l.head(s, eof)
		case l.phase == inArguments:
			st, settled = l.arguments(s)
		case l.phase == behindArguments:
			st, settled = l.behind(s, eof)
		case l.phase == beforeCloser:
			st, settled = l.close(s, eof), true
		default:
			n, v := matchAny(s, l.body.closers, eof)
			if v == more {
				return step{}
			}
			return step{verdict: done, n: n, kind: Control}
		}
		if settled {
			return st
		}
	}
}

// begin reads what stands before the first call.
func (l *literalScanner) begin(s string, eof bool) (step, bool) {
	b := l.body
	if !b.bare {
		l.at = skipSpace(s, l.at)
		n, v := matchAny(s[l.at:], append([]string{l.opener}, b.closers...), eof)
		switch {
		case v == more:
			return step{}, true
		case v == done && s[l.at:l.at+n] == l.opener: // some models write it twice
			l.at += n
			return step{}, false
		case v == done:
			return step{verdict: done, n: l.at + n, kind: Control}, true
		}
	}
	if l.at == len(s) {
		return step{}, true
	}
	if b.json != nil {
		inner := l.at
		if s[inner] == '[' {
			inner = skipSpace(s, inner+1)
		}
		switch {
		case inner-l.at > maxHeader:
		case inner == len(s):
			return step{}, true
		case s[inner] == '{':
			l.json = &jsonScanner{body: b.json, d: l.d, at: l.at}
			return step{}, false
		}
	}
	if b.list && s[l.at] == '[' {
		l.inList = true
		l.at++
	}
	l.phase = beforeName
	return step{}, false
}

var errNoLiteralCall = errors.New("no call stands where one should")

// head reads a name and the bracket behind it.
func (l *literalScanner) head(s string, eof bool) (step, bool) {
	b := l.body
	l.at = skipSpace(s, l.at)
	at := l.at
	switch n, v := matchAny(s[at:], []string{b.lead}, eof); {
	case v == more:
		return step{}, true
	case v == done:
		at = skipSpace(s, at+n)
	case !b.anyLead:
		return l.fail(at, errNoLiteralCall), true
	}
	start := at
	for at < len(s) && isCallName(s[at]) {
		at++
	}
	name := s[start:at]
	at = skipSpace(s, at)
	switch {
	case at-l.at > maxHeader:
		return l.fail(l.at+maxHeader, errors.New("the name is too long")), true
	case at == len(s):
		return step{}, true
	case name == "" && l.inList && s[at] == ']' && len(l.calls) > 0: // behind a comma
		l.at = at + 1
		l.phase = beforeCloser
		return step{}, false
	case name == "" || !utf8.ValidString(name) || s[at] != b.bracket:
		return l.fail(at, errNoLiteralCall), true
	case b.bare && len(l.calls) == 0 && l.d.tools != nil && l.d.tools[name] == nil:
		return l.fail(at+1, nil), true
	}
	l.name, l.start = name, at
	l.value = literalExtent{literals: b.literals, at: at}
	l.phase = inArguments
	return step{}, false
}

// isCallName reports whether c may be in the name of a tool.
func isCallName(c byte) bool { return isWord(c) || c == '.' || c == '-' || c == '/' }

// arguments reads the arguments of one call.
func (l *literalScanner) arguments(s string) (step, bool) {
	switch l.value.scan(s) {
	case extentOpen:
		return step{}, true
	case extentAlien:
		return l.fail(l.value.at, errors.New("the arguments break off")), true
	}
	l.at = l.value.at
	arguments, err := l.body.read(s[l.start:l.at], l.d.tools[l.name])
	if err != nil {
		return l.fail(l.at, err), true
	}
	l.calls = append(l.calls, found{Call: Call{Name: l.name, Arguments: arguments}, end: l.at})
	l.phase = behindArguments
	return step{}, false
}

// behind reads what follows the arguments: another call, or the end.
func (l *literalScanner) behind(s string, eof bool) (step, bool) {
	if l.body.bare && !l.inList {
		return l.report(l.at), true
	}
	l.at = skipSpace(s, l.at)
	if l.at == len(s) {
		if eof && !l.inList {
			return l.report(l.at), true
		}
		return step{}, true
	}
	switch c := s[l.at]; {
	case l.inList && c == ']':
		l.at++
		l.phase = beforeCloser
	case l.body.list && c == ',':
		l.at++
		l.phase = beforeName
	case l.inList:
		return l.fail(l.at, errors.New("neither a comma nor ] follows a call")), true
	case isCallName(c):
		l.phase = beforeName
	default:
		l.phase = beforeCloser
	}
	return step{}, false
}

// close reads the closing marker.
func (l *literalScanner) close(s string, eof bool) step {
	b := l.body
	if b.bare || b.loose {
		return l.report(l.at)
	}
	l.at = skipSpace(s, l.at)
	rest := s[l.at:]
	n, v := matchAny(rest, b.closers, eof)
	switch {
	case v == more:
		return step{}
	case v == done:
		return l.report(l.at + n)
	case eof && isPrefix(rest, b.closers):
		return l.report(len(s))
	}
	n, v = matchAny(rest, []string{l.opener}, eof)
	switch v {
	case more:
		return step{}
	case done:
		return l.report(l.at)
	}
	return l.fail(l.at+n, errors.New("something else than the closing marker follows the call"))
}

// report hands over the calls. The markup ends at n and belongs to the last one.
func (l *literalScanner) report(n int) step {
	l.calls[len(l.calls)-1].end = n
	st := step{verdict: done, n: n, kind: Control, calls: l.calls}
	if len(l.body.closers) > 0 {
		st.verdict = part
		l.phase = behindCalls
	}
	return st
}

func (l *literalScanner) fail(n int, err error) step {
	if l.body.bare {
		err = nil
	}
	return step{verdict: fail, n: max(n, 1), err: err, name: l.name}
}
