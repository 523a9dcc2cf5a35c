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
// format. What stands around it tells: see [paramValue].
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
type paramScanner struct {
	body       *paramBody
	d          *Decoder
	phase      paramPhase
	at         int // what is looked at next
	name       string
	parameters map[string]schema.Property // that are declared
	arguments  *arguments
	value      paramValue // that is read, or was
	object     objectBody // that stands for all values
}

type paramPhase uint8

const (
	atFunction  paramPhase = iota // the call's own tag is next
	atParameter                   // what stands between values
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
		return p.fail(1, "the tag names no function")
	}
	p.name = tag.name
	name, _ := p.d.callable(tag.name)
	p.arguments = argumentsFor(p.d.tools[name])
	p.parameters = p.arguments.parameters
	p.at = tag.n
	p.phase = atParameter
	if tag.empty {
		return p.end(tag.n)
	}
	return step{}, false
}

func (p *paramScanner) scanBetween(s string, eof bool) (step, bool) {
	p.at = skipSpace(s, p.at)
	if p.at == len(s) {
		return step{}, true
	}
	empty := len(p.arguments.list) == 0 && p.object.value == nil
	b, v := p.boundary(s[p.at:], eof)
	switch {
	case v == more:
		return step{}, true
	case v == fail && s[p.at] == '{' && p.body.object && empty:
		p.object = objectBody{start: p.at, extent: jsonExtent{at: p.at}}
		p.phase = atObject
		return step{}, false
	case v == fail:
		return p.fail(p.at, "neither a parameter nor the end of the call follows")
	case b.kind == nextParameter && p.object.value == nil:
		p.at += b.n
		p.open(b.tag)
		return step{}, false
	case b.kind == callEnd:
		return p.end(p.at + b.n)
	case b.kind == outside && !empty:
		return p.end(p.at)
	}
	return p.fail(p.at, "the call has no end")
}

// open begins the value of the parameter whose tag ends at p.at.
func (p *paramScanner) open(tag paramTag) {
	if tag.name == "" {
		return
	}
	if tag.empty {
		p.add(tag, "")
		return
	}
	p.value = paramValue{tag: tag, start: p.at, words: p.body.parameters, inner: p.value.inner[:0]}
	if tag.element {
		p.value.words = []string{tag.name}
	}
	p.phase = atValue
}

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

// readParameter reads the tag of a parameter. An empty one may have no name: it says
// nothing.
func (p *paramScanner) readParameter(s string, eof bool) (paramTag, verdict) {
	tag, v := readParamTag(s, p.body.parameters, eof)
	if v != fail {
		return tag, v
	}
	for _, word := range p.body.parameters {
		if n, v := matchAny(s, []string{"<" + word + "/>", "<" + word + " />"}, eof); v != fail {
			return paramTag{empty: true, n: n}, v
		}
	}
	if !p.body.elements {
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
func (p *paramScanner) end(n int) (step, bool) {
	call := Call{Name: p.name, Arguments: p.object.value, Repairs: p.object.repairs}
	if call.Arguments == nil {
		call.Arguments = p.arguments.json()
		if p.body.wrapped {
			call.Arguments = p.arguments.unwrapped()
		}
	}
	return step{verdict: done, n: n, kind: Control, calls: []found{{Call: call, end: n}}}, true
}

func (p *paramScanner) fail(n int, why string) (step, bool) {
	return step{verdict: fail, n: n, err: errors.New(why), name: p.name}, true
}

// objectBody is a JSON object in place of parameters.
type objectBody struct {
	start   int
	extent  jsonExtent
	value   json.RawMessage
	repairs []Repair
}

func (p *paramScanner) scanObject(s string) (step, bool) {
	o := &p.object
	switch o.extent.scan(s) {
	case extentOpen:
		return step{}, true
	case extentAlien:
		return p.fail(o.extent.at, "the JSON breaks off")
	}
	value, repairs, err := readJSON(s[o.start:o.extent.at], false)
	if err != nil {
		return step{verdict: fail, n: o.extent.at, err: err, name: p.name}, true
	}
	o.value, o.repairs = json.RawMessage(value), repairs
	p.at = o.extent.at
	p.phase = atParameter
	return step{}, false
}
