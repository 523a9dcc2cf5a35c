package dialect

import (
	"errors"
	"fmt"
	"strings"

	"helve/schema"
)

// elementBody describes calls whose parameters are elements of their names:
// <tool><parameter>value</parameter></tool>.
type elementBody struct {
	elementReader
	// head reads the opening tag of a call, from the marker on. more and fail are
	// as for a scanner.
	head   func(s, tool string) (callTag, verdict)
	closer string // the element around a call; "": it is called as the tool
	plain  bool   // plain text may stand for the only parameter that takes text
}

// callTag is the opening tag of a call.
type callTag struct {
	name    string
	empty   bool // the call ends there
	unended bool // it has no ">": "/>" may end the call
	n       int  // its length
}

// elementScanner reads one call. A value is text and may hold anything, even its
// own closing tag: that ends it only where another parameter, or the end of the
// call, follows. So nothing can end a value that was never closed, and such a call
// is text: half of a file looks whole, and what is in it may look like calls.
type elementScanner struct {
	body       *elementBody
	d          *Decoder
	tool       string
	parameters map[string]schema.Property
	inLine     bool // text stands before it in its line
	open       callTag
	phase      elementPhase
	at         int // of what is read next

	parameter string // the one that is open
	start     int    // of its value
	end       int    // of its value, in the phase behindElement
	values    []elementValue
	index     map[string]int // into values
}

// elementValue is what was written for one parameter, once for each time.
type elementValue struct {
	name string
	raw  []string
}

type elementPhase uint8

const (
	elementHead elementPhase = iota
	beforeParameter
	inElement
	behindElement // of what may be its closing tag
	inPlainText
)

func (e *elementScanner) scan(s string, eof bool) step {
	for {
		var st step
		var settled bool
		switch e.phase {
		case elementHead:
			st, settled = e.head(s)
		case beforeParameter:
			st, settled = e.between(s, eof)
		case inElement:
			st, settled = e.value(s)
		case behindElement:
			st, settled = e.behind(s, eof)
		case inPlainText:
			st, settled = e.plainText(s)
		}
		if settled {
			return st
		}
	}
}

func (e *elementScanner) head(s string) (step, bool) {
	open, v := e.body.head(s, e.tool)
	switch v {
	case more:
		return step{}, true
	case fail:
		return step{verdict: fail, n: max(open.n, 1), err: errors.New("the call's tag does not name a tool")}, true
	}
	e.open = open
	e.tool = open.name
	e.parameters = parametersOf(e.d.tools[e.tool])
	e.index = map[string]int{}
	e.at = open.n
	e.phase = beforeParameter
	if open.empty {
		return e.finish(), true
	}
	return step{}, false
}

// between reads the tag of a parameter, or the one that ends the call.
func (e *elementScanner) between(s string, eof bool) (step, bool) {
	t, v := e.tag(s, eof)
	switch {
	case v == more:
		return step{}, true
	case v == fail && e.takesText():
		e.phase = inPlainText
		return step{}, false
	case v == fail:
		return e.fail(errors.New("text stands between the parameters")), true
	case e.ends(t):
		e.at += t.n
		return e.finish(), true
	case t.kind == closingTag || !e.declares(t.name):
		return e.fail(fmt.Errorf("<%s> is no parameter", t.name)), true
	}
	i, again := e.index[t.name]
	if again && e.parameters[t.name].Type != "array" {
		return e.fail(fmt.Errorf("the parameter %q is there twice", t.name)), true
	}
	if !again {
		i = len(e.values)
		e.index[t.name] = i
		e.values = append(e.values, elementValue{name: t.name})
	}
	e.at += t.n
	if t.kind == emptyTag {
		e.values[i].raw = append(e.values[i].raw, "")
		return step{}, false
	}
	e.parameter, e.start = t.name, e.at
	e.phase = inElement
	return step{}, false
}

// tag reads the tag behind the white space at e.at.
func (e *elementScanner) tag(s string, eof bool) (elementTag, verdict) {
	e.at = skipSpace(s, e.at)
	if e.open.unended {
		if n, v := matchAny(s[e.at:], []string{"/>"}, eof); v != fail {
			return elementTag{name: e.tool, kind: closingTag, n: n}, v
		}
	}
	return readElementTag(s[e.at:], e.body.prefix)
}

// value looks for the tag that may end the value that is open.
func (e *elementScanner) value(s string) (step, bool) {
	first := (e.body.prefix + "<")[0]
	for {
		i := strings.IndexByte(s[e.at:], first)
		if i < 0 {
			e.at = len(s)
			return step{}, true
		}
		e.at += i
		t, v := readElementTag(s[e.at:], e.body.prefix)
		switch {
		case v == more:
			return step{}, true
		case v == fail || t.kind != closingTag:
		case t.name == e.parameter:
			e.end = e.at
			e.at += t.n
			e.phase = behindElement
			return step{}, false
		case e.body.prefix != "" && e.ends(t): // no text has that by chance
			return e.fail(fmt.Errorf("the parameter %q is not closed", e.parameter)), true
		}
		e.at++
	}
}

// behind decides by what follows whether the tag ended the value.
func (e *elementScanner) behind(s string, eof bool) (step, bool) {
	t, v := e.tag(s, eof)
	switch {
	case v == more && !eof:
		return step{}, true
	case v == done && (e.ends(t) || t.kind != closingTag && e.declares(t.name)):
		e.keep(s)
		e.phase = beforeParameter
		return step{}, false
	}
	e.at = e.end + 1
	e.phase = inElement
	return step{}, false
}

// keep adds the value that has been closed.
func (e *elementScanner) keep(s string) {
	i := e.index[e.parameter]
	e.values[i].raw = append(e.values[i].raw, s[e.start:e.end])
}

// ends reports whether t ends the call.
func (e *elementScanner) ends(t elementTag) bool {
	closer := e.body.closer
	if closer == "" {
		closer = e.tool
	}
	return t.kind == closingTag && t.name == closer
}

// declares reports whether the tool has a parameter of this name. A tool that
// declares none, or is not declared itself, may have any.
func (e *elementScanner) declares(name string) bool {
	_, ok := e.parameters[name]
	return ok || len(e.parameters) == 0 && e.d.tools[name] == nil
}

func (e *elementScanner) finish() step {
	out := []byte{'{'}
	for i, v := range e.values {
		if i > 0 {
			out = append(out, ',')
		}
		p, known := e.parameters[v.name]
		out = append(append(out, quote(v.name)...), ':')
		out = append(out, e.body.value(p, known, v.raw)...)
	}
	call := Call{Name: e.tool, Arguments: append(out, '}')}
	return step{verdict: done, n: e.at, calls: []found{{Call: call, end: e.at}}}
}

func (e *elementScanner) fail(err error) step {
	return step{verdict: fail, n: max(e.at, 1), err: err, name: e.tool}
}
