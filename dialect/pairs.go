package dialect

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// pairBody describes markup that names the tool and then gives each argument as a
// key and a value of bare text:
//
//	name <key>k</key> <value>v</value> …
//
// Nothing is escaped, so a value may hold what looks like its end. It is the end
// only if another argument or the end of the call follows.
type pairBody struct {
	header  func(d *Decoder, s string, eof bool) (header, verdict) // reads the name
	key     func(s string, eof bool) (pairKey, verdict)            // reads what stands in front of a value
	ends    []string                                               // of a value
	closers []string                                               // of the call
	next    []string                                               // may stand behind the call, or where its closer is missing
	json    *jsonBody                                              // what may stand behind the name instead, or in its place
}

// pairKey is what stands in front of a value.
type pairKey struct {
	name  string
	kind  string // JSON's name of the value's type, where it is written down
	loose bool   // the value's own tag is missing
	n     int    // length of it all
}

func (b *pairBody) marker(text string) marker {
	return marker{text: text, open: func(d *Decoder) scanner { return &pairScanner{body: b, d: d, at: len(text)} }}
}

type pairScanner struct {
	body  *pairBody
	d     *Decoder
	phase pairPhase
	at    int // what is read next
	head  header
	json  *jsonScanner // of what is no pairs

	key       pairKey // whose value is read
	value     int     // where that begins
	count     int
	arguments *arguments
}

type pairPhase uint8

const (
	beforePairs pairPhase = iota
	betweenPairs
	inPairValue
	inPairJSON
)

func (p *pairScanner) scan(s string, eof bool) step {
	if p.phase == beforePairs {
		view, last := window(s[p.at:], eof)
		h, v := p.body.header(p.d, view, last)
		switch {
		case v == more && len(view) == maxHeader:
			return p.fail(p.at+maxHeader, errors.New("the name is too long"))
		case v == more:
			return step{}
		case v == fail:
			return p.fail(p.at+h.n, h.err)
		}
		p.head = h
		p.at += h.n
		p.arguments = argumentsFor(p.d.tools[h.name])
		if p.phase = betweenPairs; h.name == "" {
			p.beginJSON()
		}
	}
	for {
		var st step
		var on bool // to the next phase
		switch p.phase {
		case betweenPairs:
			st, on = p.between(s, eof)
		case inPairValue:
			st, on = p.inValue(s, eof)
		case inPairJSON:
			return p.json.scan(s, eof)
		}
		if !on {
			return st
		}
	}
}

// beginJSON leaves the rest to the scanner of JSON.
func (p *pairScanner) beginJSON() {
	p.json = &jsonScanner{body: p.body.json, d: p.d, phase: beforeValue, at: p.at, head: p.head}
	p.phase = inPairJSON
}

// between reads the next key, or the end of the call.
func (p *pairScanner) between(s string, eof bool) (st step, on bool) {
	p.at = skipGap(s, p.at)
	rest := s[p.at:]
	if rest == "" || rest == `\` && !eof {
		return step{}, false
	}
	if p.body.json != nil && p.count == 0 && rest[0] == '{' {
		p.beginJSON()
		return step{}, true
	}
	n, v := matchAny(rest, p.body.closers, eof)
	if v == done {
		return p.finish(p.at + n), false
	}
	key, w := p.body.key(rest, eof)
	switch {
	case w == done:
		p.begin(key)
		return step{}, true
	case v == more || w == more:
		return step{}, false
	}
	return p.fail(p.at, errors.New("neither an argument nor the end of the call follows")), false
}

// begin begins the value of key, which stands at p.at.
func (p *pairScanner) begin(key pairKey) {
	p.count++
	p.key = key
	p.at += key.n
	p.value = p.at
	p.phase = inPairValue
}

// inValue looks for the end of the value.
func (p *pairScanner) inValue(s string, eof bool) (st step, on bool) {
	for {
		i := strings.IndexByte(s[p.at:], '<')
		if i < 0 {
			p.at = len(s)
			return step{}, false
		}
		p.at += i
		end, v := p.valueEnd(s[p.at:], eof)
		switch v {
		case more:
			return step{}, false
		case fail:
			p.at++
			continue
		}
		if end.err != nil {
			return p.fail(p.at+end.n, end.err), false
		}
		value := s[p.value:p.at]
		if end.missing && p.key.loose && strings.TrimSpace(value) == "" {
			return p.fail(p.at, errors.New("an argument has no value")), false
		}
		if end.missing {
			value = strings.TrimRight(value, " \t\r\n")
		}
		p.add(value)
		p.at += end.n
		p.phase = betweenPairs
		return step{}, true
	}
}

// valueEnd is the end of a value, where there is one.
type valueEnd struct {
	n       int
	missing bool // its own tag is; what follows ends it
	err     error
}

// valueEnd judges the tag that s begins with. fail says that it is the value's.
func (p *pairScanner) valueEnd(s string, eof bool) (end valueEnd, v verdict) {
	if n, v := matchAny(s, p.body.ends, eof); v == done {
		return p.behindEnd(s, n, eof)
	} else if v == more {
		return end, more
	}
	// The value's own tag is missing if the next argument begins, or if the call
	// ends and nothing else follows.
	if key, v := p.body.key(s, eof); v == more {
		return end, more
	} else if v == done && !key.loose && p.declared(key.name) {
		return valueEnd{missing: true}, done
	}
	n, v := matchAny(s, p.body.closers, eof)
	if v != done {
		return end, v
	}
	rest, v := gap(s, n, eof)
	if v == done && rest != "" {
		_, v = matchAny(rest, p.body.next, eof)
	}
	return valueEnd{missing: true}, v
}

// behindEnd judges the end of a value of n bytes by what follows it.
func (p *pairScanner) behindEnd(s string, n int, eof bool) (end valueEnd, v verdict) {
	rest, v := gap(s, n, eof)
	if v == fail {
		return end, fail
	}
	if rest == "" { // the call does not end
		return end, more
	}
	if _, v := matchAny(rest, p.body.closers, eof); v != fail {
		return valueEnd{n: n}, v
	}
	key, v := p.body.key(rest, eof)
	switch {
	case v == more:
		return end, more
	case v == done && p.declared(key.name):
		return valueEnd{n: n}, done
	case v == done:
		end.err = fmt.Errorf("the tool has no parameter %q, so where the value before it ends is unknown", key.name)
	default:
		if _, v = matchAny(rest, p.body.next, eof); v != done {
			return end, v
		}
		end.err = errors.New("another call begins within the call")
	}
	end.n = len(s) - len(rest)
	return end, done
}

// declared reports whether the tool has a parameter of the name, as far as known.
func (p *pairScanner) declared(name string) bool {
	_, ok := p.arguments.parameters[name]
	return ok || len(p.arguments.parameters) == 0
}

// add takes the value that has ended.
func (p *pairScanner) add(raw string) {
	switch p.key.kind {
	case "":
		p.arguments.add(p.key.name, raw)
	case "string":
		p.arguments.addJSON(p.key.name, jsonString(raw))
	default:
		value, _, err := readJSON(fromPython(strings.TrimSpace(raw)), true)
		if err != nil {
			value = quote(raw)
		}
		p.arguments.addJSON(p.key.name, json.RawMessage(value))
	}
}

func (p *pairScanner) finish(n int) step {
	call := Call{ID: p.head.id, Name: p.head.name, Arguments: p.arguments.json()}
	return step{verdict: done, n: n, kind: Control, calls: []found{{Call: call, end: n}}}
}

func (p *pairScanner) fail(n int, err error) step {
	return step{verdict: fail, n: n, err: err, name: p.head.name}
}

// gap returns what follows the white space behind s[:n]; nothing at the end of
// the answer. More white space than a header may have is no gap, or it would be
// gone over too often.
func gap(s string, n int, eof bool) (rest string, v verdict) {
	at := skipGap(s, n)
	switch rest = s[at:]; {
	case at-n > maxHeader:
		return "", fail
	case !eof && (rest == "" || rest == `\`):
		return "", more
	}
	return rest, done
}

// skipGap is skipSpace for models that write newlines as \n.
func skipGap(s string, at int) int {
	for {
		at = skipSpace(s, at)
		if !strings.HasPrefix(s[at:], `\n`) {
			return at
		}
		at += len(`\n`)
	}
}
