package dialect

import (
	"encoding/json"
	"errors"
	"strings"

	"helve/schema"
)

// paramBody describes calls whose parameters are tags around raw text:
//
//	<function=NAME> <parameter=KEY>VALUE</parameter> … </function>
//	<invoke name="NAME"> <parameter name="KEY">VALUE</parameter> … </invoke>
//
// Nothing is escaped in such a value, so that it may hold the closers of its own
// format. What follows a closer tells: see [paramScanner].
type paramBody struct {
	functions  []string // words of the tags around calls: "function"
	parameters []string // words of the tags around values: "parameter"
	openers    []string // markers that may begin what follows a call
	closers    []string // markers that end what is around the calls

	framed   bool // the newlines at the ends of a value aren't part of it
	quoted   bool // a value that is a JSON string as a whole is that string
	elements bool // <KEY>VALUE</KEY> may stand for a declared parameter
	object   bool // a JSON object may stand for all parameters
	wrapped  bool // one parameter "arguments" may hold the object of all
}

// open returns a function for a [marker] with which a call's tag begins.
func (b *paramBody) open(d *Decoder) scanner { return &paramScanner{body: b, d: d} }

// marker is a marker with which a call's tag begins.
func (b *paramBody) marker(text string) marker { return marker{text: text, open: b.open} }

// inner are the markers of all tags around calls.
func (b *paramBody) inner() []marker {
	var all []marker
	for _, word := range b.functions {
		all = append(all, b.marker("<"+word+"="), b.marker("<"+word+" "), b.marker("<"+word+"name="))
	}
	return all
}

// paramScanner reads one call of a paramBody.
//
// A closer within a value counts if, behind white space, a parameter's opener or
// the end of the call follows; else it belongs to the value. An opener within a
// value may begin the next parameter, where a closer was forgotten, or be part of
// the text: it is text if its own closer turns out to be. So it is decided when a
// closer counts and the value is over. A whole call within a value is text.
type paramScanner struct {
	body       *paramBody
	d          *Decoder
	phase      paramPhase
	at         int // what is looked at next
	name       string
	parameters map[string]schema.Property // that are declared
	arguments  *arguments
	object     objectBody // that stands for all of them

	// atValue:
	tag   paramTag // the parameter that is open
	words []string // of the closers that it may have
	start int      // of its value
	look  int      // behind the white space behind the closer at at, as far as it is known

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

type paramPhase uint8

const (
	atFunction paramPhase = iota // the call's own tag is next
	atParameter
	atValue
	atObject
)

func (p *paramScanner) scan(s string, eof bool) step {
	for {
		var st step
		var settled bool
		switch p.phase {
		case atFunction:
			st, settled = p.scanFunction(s, eof)
		case atParameter:
			st, settled = p.scanBetween(s, eof)
		case atValue:
			st, settled = p.scanValue(s, eof)
		case atObject:
			st, settled = p.scanObject(s)
		}
		if settled {
			return st
		}
	}
}

func (p *paramScanner) scanFunction(s string, eof bool) (step, bool) {
	tag, v := readParamTag(s, p.body.functions, eof)
	switch {
	case v == more:
		return step{}, true
	case v == fail || tag.inside:
		return step{verdict: fail, n: 1, err: errors.New("the tag names no function")}, true
	}
	p.name = tag.name
	name, _ := p.d.callable(tag.name)
	p.arguments = argumentsFor(p.d.tools[name])
	p.parameters = p.arguments.parameters
	p.at = tag.n
	p.phase = atParameter
	if tag.empty {
		return p.end(tag.n), true
	}
	return step{}, false
}

// scanBetween reads what stands between two values.
func (p *paramScanner) scanBetween(s string, eof bool) (step, bool) {
	p.at = skipSpace(s, p.at)
	if p.at == len(s) {
		return step{}, true
	}
	b, v := p.boundary(s[p.at:], eof)
	switch {
	case v == more:
		return step{}, true
	case v == fail && s[p.at] == '{' && p.body.object && p.empty():
		p.object.open(p.at)
		p.phase = atObject
		return step{}, false
	case v == fail:
		return p.fail(p.at, "neither a parameter nor the end of the call follows"), true
	case b.kind == nextParameter && p.object.value == nil:
		p.open(b.tag, p.at)
		return step{}, false
	case b.kind == callEnd:
		return p.end(p.at + b.n), true
	case b.kind == outside && !p.empty():
		return p.end(p.at), true
	}
	return p.fail(p.at, "the call has no end"), true
}

// empty reports whether nothing stood in the call so far.
func (p *paramScanner) empty() bool { return len(p.arguments.list) == 0 && p.object.value == nil }

// boundary is a tag between values, or at the end of the call.
type boundary struct {
	kind boundaryKind
	n    int      // its length
	tag  paramTag // of the next parameter
}

type boundaryKind uint8

const (
	nextParameter boundaryKind = iota
	callEnd                    // the call's own closer
	outside                    // another call, or a marker around calls
)

// boundary reads the boundary that s begins with.
func (p *paramScanner) boundary(s string, eof bool) (boundary, verdict) {
	body := p.body
	if n, v := readCloser(s, body.functions, eof); v != fail {
		return boundary{kind: callEnd, n: n}, v
	}
	if tag, v := p.readParameter(s, eof); v != fail {
		return boundary{kind: nextParameter, n: tag.n, tag: tag}, v
	}
	if n, v := matchAny(s, body.closers, eof); v != fail {
		return boundary{kind: outside, n: n}, v
	}
	return p.nextCall(s, eof)
}

// nextCall reads what may begin another call.
func (p *paramScanner) nextCall(s string, eof bool) (boundary, verdict) {
	if n, v := matchAny(s, p.body.openers, eof); v != fail {
		return boundary{kind: outside, n: n}, v
	}
	tag, v := readParamTag(s, p.body.functions, eof)
	return boundary{kind: outside, n: tag.n}, v
}

// readParameter reads the tag of a parameter.
func (p *paramScanner) readParameter(s string, eof bool) (paramTag, verdict) {
	tag, v := readParamTag(s, p.body.parameters, eof)
	if v != fail || !p.body.elements {
		return tag, v
	}
	for name := range p.parameters {
		opener := "<" + name + ">"
		if strings.HasPrefix(s, opener) {
			return paramTag{name: name, element: true, n: len(opener)}, done
		}
		if !eof && strings.HasPrefix(opener, s) {
			v = more
		}
	}
	return paramTag{}, v
}

// open begins the value of the parameter whose tag is at at.
func (p *paramScanner) open(tag paramTag, at int) {
	p.at = at + tag.n
	if tag.empty {
		p.add(tag, "")
		return
	}
	p.tag, p.start = tag, p.at
	p.words = p.body.parameters
	if tag.element {
		p.words = []string{tag.name}
	}
	p.inner = p.inner[:0]
	p.look, p.calls, p.call, p.nested, p.stray = 0, 0, 0, false, false
	p.phase = atValue
}

// scanValue goes from < to < in a value, up to its end.
func (p *paramScanner) scanValue(s string, eof bool) (step, bool) {
	for {
		next := len(s)
		if n := strings.IndexByte(s[p.at:], '<'); n >= 0 {
			next = p.at + n
		}
		if p.call == p.at && skipSpace(s, p.at) >= next {
			p.call = next
		}
		if p.at = next; p.at == len(s) {
			return step{}, true
		}
		st, v := p.scanTag(s, eof)
		switch {
		case v == more:
			return step{}, true
		case v == fail:
			p.at++
		case st.verdict != more:
			return st, true
		case p.phase != atValue:
			return step{}, false
		}
	}
}

// scanTag reads what may be a tag at p.at. It says fail where it is none that
// matters. The step is not more where that settles the call.
func (p *paramScanner) scanTag(s string, eof bool) (step, verdict) {
	rest := s[p.at:]
	if n, v := readCloser(rest, p.words, eof); v != fail {
		return p.scanCloser(s, n, v, eof)
	}
	if n, v := readCloser(rest, p.body.functions, eof); v != fail {
		if v == done && (p.calls > 0 || p.call == p.at) {
			p.endInnerCall(n)
			return step{}, done
		}
		return p.scanEnd(s, p.at+n, n, v, eof, p.behindCall)
	}
	if n, v := matchAny(rest, p.body.closers, eof); v != fail {
		return p.scanEnd(s, p.at, n, v, eof, p.nextCall)
	}
	if tag, v := readParamTag(rest, p.body.functions, eof); v == more {
		return step{}, more
	} else if v == done {
		p.at += tag.n
		p.call = p.at
		return step{}, done
	}
	tag, v := readParamTag(rest, p.body.parameters, eof)
	if v == done {
		if p.call == p.at {
			p.inner = append(p.inner, innerTag{call: true})
			p.calls++
		}
		if !tag.empty && !p.tag.element {
			p.inner = append(p.inner, innerTag{paramTag: tag, at: p.at})
		}
		p.at += tag.n
	}
	return step{}, v
}

// scanCloser reads a closer of n bytes that may be that of the value.
func (p *paramScanner) scanCloser(s string, n int, v verdict, eof bool) (step, verdict) {
	if v == done && p.calls == 0 {
		v = p.follows(s, n, eof, p.boundary)
		if v == done {
			return p.close(s, p.at+n), done
		}
	}
	if v == more {
		return step{}, more
	}
	p.pass(n)
	return step{}, done
}

// scanEnd reads a closer of n bytes that may end a call at end although the value
// has no closer. It does if what read looks for stands behind it, or nothing.
func (p *paramScanner) scanEnd(s string, end, n int, v verdict, eof bool, read func(string, bool) (boundary, verdict)) (step, verdict) {
	if v == done {
		v = p.follows(s, n, eof, read)
	}
	switch {
	case v == more:
		return step{}, more
	case v == fail && p.look < len(s):
		p.look = 0
		return step{}, fail
	case p.nested || p.calls > 0:
		return p.unclear(), done
	}
	if st := p.close(s, end); st.verdict == fail {
		return st, done
	}
	return p.end(end), done
}

// endInnerCall goes over the closer of a call in the value.
func (p *paramScanner) endInnerCall(n int) {
	for p.calls > 0 {
		last := p.inner[len(p.inner)-1]
		p.inner = p.inner[:len(p.inner)-1]
		if last.call {
			p.calls--
			break
		}
	}
	p.nested = true
	p.at += n
}

// follows says whether what read looks for stands behind the closer of n bytes at
// p.at.
func (p *paramScanner) follows(s string, n int, eof bool, read func(string, bool) (boundary, verdict)) verdict {
	p.look = skipSpace(s, max(p.look, p.at+n))
	if p.look == len(s) && !eof {
		return more
	}
	_, v := read(s[p.look:], eof)
	return v
}

// pass goes over a closer of n bytes that is part of the value.
func (p *paramScanner) pass(n int) {
	p.at += n
	p.look = 0
	last := len(p.inner) - 1
	if last >= 0 && !p.inner[last].call {
		p.inner = p.inner[:last]
		return
	}
	p.stray = true
}

// behindCall reads what may stand behind a call.
func (p *paramScanner) behindCall(s string, eof bool) (boundary, verdict) {
	if n, v := matchAny(s, p.body.closers, eof); v != fail {
		return boundary{kind: outside, n: n}, v
	}
	return p.nextCall(s, eof)
}

// close ends the value at p.at, and with it those of the parameters that were
// opened within it. What comes next is at next.
func (p *paramScanner) close(s string, next int) step {
	tag, start := p.tag, p.start
	for _, inner := range p.inner {
		_, known := p.parameters[inner.name]
		if !known && (p.parameters != nil || p.stray) {
			return p.unclear()
		}
		p.add(tag, s[start:inner.at])
		tag, start = inner.paramTag, inner.at+inner.n
	}
	p.add(tag, s[start:p.at])
	p.at = next
	p.phase = atParameter
	return step{}
}

func (p *paramScanner) unclear() step { return p.fail(p.at, "it is not clear where a value ends") }

// add adds an argument.
func (p *paramScanner) add(tag paramTag, raw string) {
	if p.body.framed {
		raw = unframe(raw)
	}
	declared, known := p.parameters[tag.name]
	if value, ok := p.body.literal(tag, raw, declared, known); ok {
		p.arguments.addJSON(tag.name, value)
		return
	}
	p.arguments.add(tag.name, raw)
}

// literal returns the JSON of a value of which the model has said whether it is
// a string.
func (b *paramBody) literal(tag paramTag, raw string, p schema.Property, known bool) (json.RawMessage, bool) {
	text := strings.TrimSpace(raw)
	allows := func(jsonType string) bool { return !known || p.Allows(jsonType) }
	switch {
	case tag.asString == "true" && allows("string"):
		return jsonString(raw), true
	case text == "":
	case tag.asString == "false" && allows(jsonType(text[0])) && isJSON(text),
		b.quoted && text[0] == '"' && allows("string") && isJSON(text):
		return json.RawMessage(text), true
	}
	return nil, false
}

// end ends the call behind n bytes.
func (p *paramScanner) end(n int) step {
	call := Call{Name: p.name, Arguments: p.object.value, Repairs: p.object.repairs}
	if call.Arguments == nil {
		call.Arguments = p.arguments.json()
		if p.body.wrapped {
			call.Arguments = p.arguments.unwrapped()
		}
	}
	return step{verdict: done, n: n, kind: Control, calls: []found{{Call: call, end: n}}}
}

func (p *paramScanner) fail(n int, why string) step {
	return step{verdict: fail, n: max(n, 1), err: errors.New(why), name: p.name}
}

// objectBody is a JSON object in place of parameters.
type objectBody struct {
	start   int
	extent  jsonExtent
	value   json.RawMessage
	repairs []Repair
}

func (o *objectBody) open(at int) { *o = objectBody{start: at, extent: jsonExtent{at: at}} }

func (p *paramScanner) scanObject(s string) (step, bool) {
	o := &p.object
	switch o.extent.scan(s) {
	case extentOpen:
		return step{}, true
	case extentAlien:
		return p.fail(o.extent.at, "the JSON breaks off"), true
	}
	var err error
	if o.value, o.repairs, err = readJSON(s[o.start:o.extent.at], false); err != nil {
		return step{verdict: fail, n: o.extent.at, err: err, name: p.name}, true
	}
	p.at = o.extent.at
	p.phase = atParameter
	return step{}, false
}
