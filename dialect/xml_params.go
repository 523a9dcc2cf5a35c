package dialect

import (
	"errors"
	"strings"
)

// xmlParams describes calls that are strict XML:
//
//	<function name="NAME"><param name="KEY">VALUE</param> … </function>
//
// A value escapes what is markup, by entities or within <![CDATA[ and ]]>. What is
// no XML is no call.
type xmlParams struct {
	functions  []string // words of the tags around calls
	parameters []string // words of the tags around values
}

// marker is a marker with which a call's tag begins.
func (x *xmlParams) marker(text string) marker {
	return marker{text: text, open: func(d *Decoder) scanner { return &xmlScanner{xml: x, d: d} }}
}

type xmlScanner struct {
	xml       *xmlParams
	d         *Decoder
	phase     xmlPhase
	at        int // what is looked at next
	name      string
	arguments *arguments

	parameter string          // whose value is read
	value     strings.Builder // what has been read of it
	start     int             // of what has not
}

type xmlPhase uint8

const (
	xmlFunction xmlPhase = iota // the call's own tag is next
	xmlBetween                  // a parameter's tag or the end of the call
	xmlText                     // of a value
	xmlData                     // of a value, raw
)

const (
	dataOpener = "<![CDATA["
	dataCloser = "]]>"
)

func (x *xmlScanner) scan(s string, eof bool) step {
	for {
		var st step
		var settled bool
		switch x.phase {
		case xmlFunction:
			st, settled = x.scanFunction(s, eof)
		case xmlBetween:
			st, settled = x.scanBetween(s, eof)
		case xmlText:
			st, settled = x.scanText(s, eof)
		case xmlData:
			st, settled = x.scanData(s)
		}
		if settled {
			return st
		}
	}
}

func (x *xmlScanner) scanFunction(s string, eof bool) (step, bool) {
	tag, v := readParamTag(s, x.xml.functions, eof)
	switch {
	case v == more:
		return step{}, true
	case v == fail || tag.inside || tag.others:
		return x.fail(1, "the tag is not one of a function")
	}
	name, _ := x.d.callable(tag.name)
	x.name = tag.name
	x.arguments = argumentsFor(x.d.tools[name])
	x.at = tag.n
	x.phase = xmlBetween
	if tag.empty {
		return x.end(tag.n)
	}
	return step{}, false
}

func (x *xmlScanner) scanBetween(s string, eof bool) (step, bool) {
	x.at = skipSpace(s, x.at)
	if x.at == len(s) {
		return step{}, true
	}
	if n, v := readCloser(s[x.at:], x.xml.functions, eof); v == done {
		return x.end(x.at + n)
	} else if v == more {
		return step{}, true
	}
	tag, v := readParamTag(s[x.at:], x.xml.parameters, eof)
	switch {
	case v == more:
		return step{}, true
	case v == fail || tag.inside || tag.others:
		return x.fail(x.at, "neither a parameter nor the end of the call follows")
	}
	x.at += tag.n
	if tag.empty {
		x.arguments.add(tag.name, "")
		return step{}, false
	}
	x.parameter, x.start = tag.name, x.at
	x.value.Reset()
	x.phase = xmlText
	return step{}, false
}

func (x *xmlScanner) scanText(s string, eof bool) (step, bool) {
	next := strings.IndexByte(s[x.at:], '<')
	if next < 0 {
		x.at = len(s)
		return step{}, true
	}
	x.at += next
	n, closer := readCloser(s[x.at:], x.xml.parameters, eof)
	_, data := matchAny(s[x.at:], []string{dataOpener}, eof)
	switch {
	case closer == more || data == more:
		return step{}, true
	case closer == fail && data == fail:
		return x.fail(x.at, "a value holds a tag")
	}
	text, ok := readEntities(s[x.start:x.at])
	if !ok {
		return x.fail(x.at, "a value holds a bare &")
	}
	x.value.WriteString(text)
	if data == done {
		x.at += len(dataOpener)
		x.start = x.at
		x.phase = xmlData
		return step{}, false
	}
	x.arguments.add(x.parameter, x.value.String())
	x.at += n
	x.phase = xmlBetween
	return step{}, false
}

func (x *xmlScanner) scanData(s string) (step, bool) {
	end := strings.Index(s[x.at:], dataCloser)
	if end < 0 {
		x.at = max(x.at, len(s)-len(dataCloser)+1)
		return step{}, true
	}
	x.at += end
	x.value.WriteString(s[x.start:x.at])
	x.at += len(dataCloser)
	x.start = x.at
	x.phase = xmlText
	return step{}, false
}

func (x *xmlScanner) end(n int) (step, bool) {
	call := Call{Name: x.name, Arguments: x.arguments.unwrapped()}
	return step{verdict: done, n: n, kind: Control, calls: []found{{Call: call, end: n}}}, true
}

func (x *xmlScanner) fail(n int, why string) (step, bool) {
	return step{verdict: fail, n: n, err: errors.New(why), name: x.name}, true
}

// readEntities decodes the entities of s. It is false where an & begins none.
func readEntities(s string) (string, bool) {
	for rest := s; ; {
		at := strings.IndexByte(rest, '&')
		if at < 0 {
			return decodeEntities(s), true
		}
		_, n := entity(rest[at:])
		if n == 1 {
			return "", false
		}
		rest = rest[at+n:]
	}
}

// escapeXML writes s as a value of xmlParams.
func escapeXML(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return s
	}
	return dataOpener + strings.ReplaceAll(s, dataCloser, "]]"+dataCloser+dataOpener+">") + dataCloser
}
