package dialect

import (
	"errors"
	"slices"
	"strings"
)

// jsonBody describes markup whose body is JSON: one call, or an array of them.
type jsonBody struct {
	// header reads what stands between the marker and the JSON and holds the
	// tool's name; the JSON is then its arguments. Nil: the name is in the JSON.
	header func(d *Decoder, s string, eof bool) (h header, v verdict)

	shape    string   // the bytes that the JSON may begin with, of "{["
	closers  []string // the markers that may end the body; none: the JSON's end does
	loose    bool     // a closer may be missing whatever follows
	next     []string // markers that begin what follows where the closer is missing
	stop     string   // a marker that looks like JSON where JSON is broken
	keys     *jsonKeys
	bare     bool // there is no marker: the JSON must show by its first key that it is a call
	elements func(text string, closed bool) ([]Call, error)
}

// header is what stands before a body.
type header struct {
	name, id string
	n        int   // its length
	err      error // where it is none
}

// open returns a function for a [marker] of the given text.
func (b *jsonBody) open(text string) func(*Decoder) scanner {
	return func(d *Decoder) scanner { return &jsonScanner{body: b, d: d, at: len(text)} }
}

// marker is a marker that b follows.
func (b *jsonBody) marker(text string) marker { return marker{text: text, open: b.open(text)} }

type jsonScanner struct {
	body  *jsonBody
	d     *Decoder
	phase jsonPhase
	head  header
	start int // of the JSON
	at    int // of what is read next, while the phase is not inValue
	value jsonExtent
}

type jsonPhase uint8

const (
	beforeHeader jsonPhase = iota
	beforeValue
	inValue
	behindValue
	behindCall // all has been reported; the closer may follow
)

func (j *jsonScanner) scan(s string, eof bool) step {
	b := j.body
	if j.phase == beforeHeader {
		if b.header != nil {
			head, last := headerOf(s[j.at:], eof)
			h, v := b.header(j.d, head, last)
			switch v {
			case more:
				if last && !eof {
					return j.fail(j.at+len(head), errors.New("the name before the JSON is too long"))
				}
				return step{}
			case fail:
				return j.fail(j.at+h.n, h.err)
			}
			j.head = h
			j.at += h.n
		}
		j.phase = beforeValue
	}
	if j.phase == beforeValue {
		if j.at = skipSpace(s, j.at); j.at == len(s) {
			return step{}
		}
		if strings.IndexByte(b.shape, s[j.at]) < 0 {
			return j.closedEmpty(s, eof)
		}
		if b.bare {
			switch j.looksLikeCall(s[j.at:], eof) {
			case more:
				return step{}
			case fail:
				return step{verdict: fail, n: j.at + 1}
			}
		}
		j.start = j.at
		j.value = jsonExtent{at: j.at, stop: b.stop}
		j.phase = inValue
	}
	if j.phase == inValue {
		switch j.value.scan(s) {
		case extentOpen:
			return step{}
		case extentEnd:
			j.phase = behindValue
		case extentAlien:
			// Brackets are missing, or this is no JSON at all.
			end, v := matchAny(s[j.value.at:], b.closers, eof)
			switch {
			case v == more:
				return step{}
			case v == fail:
				return j.fail(max(j.value.at, 1), errors.New("the JSON breaks off"))
			}
			return j.read(s, j.value.at, j.value.at+end, true)
		}
		j.at = j.value.at
		if len(b.closers) == 0 {
			return j.read(s, j.at, j.at, false)
		}
		if b.loose {
			st := j.read(s, j.at, j.at, false)
			if st.verdict == done {
				st.verdict = part
				j.at = 0
				j.phase = behindCall
			}
			return st
		}
	}
	// Behind the value stand white space, brackets too many, and the closer.
	for j.at < len(s) && (isSpace(s[j.at]) || j.phase == behindValue && (s[j.at] == '}' || s[j.at] == ']')) {
		j.at++
	}
	end, v := matchAny(s[j.at:], b.closers, eof)
	if j.phase == behindCall {
		switch v {
		case more:
			return step{}
		case done:
			return step{verdict: done, n: j.at + end, kind: Control}
		}
		return step{verdict: done}
	}
	switch {
	case v == done:
		return j.read(s, j.at, j.at+end, true)
	case v == more:
		return step{}
	case j.at == len(s) || eof && isPrefix(s[j.at:], b.closers): // eof
		return j.read(s, j.at, len(s), false)
	}
	if _, v := matchAny(s[j.at:], b.next, eof); v == more {
		return step{}
	} else if v == done {
		return j.read(s, j.at, j.at, false)
	}
	return j.fail(j.at, errors.New("something else than the closing marker follows the JSON"))
}

// read makes the calls of s[j.start:end]; the markup ends at n.
func (j *jsonScanner) read(s string, end, n int, closed bool) step {
	text := s[j.start:end]
	var calls []Call
	var err error
	switch {
	case j.head.name != "":
		var arguments []byte
		var repairs []Repair
		if arguments, repairs, err = readJSON(text, closed); err == nil {
			calls = []Call{{ID: j.head.id, Name: j.head.name, Repairs: repairs}}
			calls[0].Arguments, err = readArguments(strings.TrimSpace(string(arguments)))
		}
	case j.body.elements != nil:
		calls, err = j.body.elements(text, closed)
	default:
		keys := j.body.keys
		if keys == nil {
			keys = &commonKeys
		}
		calls, err = keys.calls(text, closed)
	}
	switch {
	case err != nil && j.body.bare:
		return step{verdict: fail, n: n}
	case err != nil:
		return j.fail(n, err)
	}
	return step{verdict: done, n: n, kind: Control, calls: spread(calls, n)}
}

// spread lays the calls of one body over its n bytes: the first has them all.
func spread(calls []Call, n int) []found {
	all := make([]found, len(calls))
	for i, call := range calls {
		all[i] = found{Call: call, end: n}
	}
	return all
}

func (j *jsonScanner) fail(n int, err error) step {
	if j.body.bare {
		err = nil
	}
	return step{verdict: fail, n: n, err: err, name: j.head.name}
}

// closedEmpty is for a marker that no JSON follows: an empty body is nothing at
// all, and anything else is no call.
func (j *jsonScanner) closedEmpty(s string, eof bool) step {
	if n, v := matchAny(s[j.at:], j.body.closers, eof); v == more {
		return step{}
	} else if v == done && j.head.name == "" {
		return step{verdict: done, n: j.at + n, kind: Control}
	}
	return j.fail(max(j.at, 1), errors.New("no JSON follows the marker"))
}

// looksLikeCall reads as far as the first key of JSON that no marker announces.
func (j *jsonScanner) looksLikeCall(s string, eof bool) verdict {
	at := 0
	if s[0] == '[' {
		if at = skipSpace(s, 1); at < len(s) && s[at] != '{' {
			return fail
		}
	}
	if at < len(s) {
		at = skipSpace(s, at+1)
	}
	if at >= len(s) {
		return more
	}
	if s[at] == '"' || s[at] == '\'' {
		at++
	}
	keys := j.body.keys
	if keys == nil {
		keys = &commonKeys
	}
	rest := s[at:]
	for _, key := range slices.Concat(keys.name, keys.arguments, keys.id) {
		if len(rest) <= len(key) {
			if key[:len(rest)] == rest && !eof {
				return more
			}
		} else if rest[:len(key)] == key && strings.IndexByte("\"' \t\r\n:", rest[len(key)]) >= 0 {
			return done
		}
	}
	return fail
}

// matchAny says whether s begins with one of the markers, and with how long a
// one. Where a longer one may still come it says more.
func matchAny(s string, markers []string, eof bool) (int, verdict) {
	n, held := 0, false
	for _, m := range markers {
		switch {
		case len(s) < len(m):
			held = held || !eof && m[:len(s)] == s
		case s[:len(m)] == m:
			n = max(n, len(m))
		}
	}
	switch {
	case held:
		return 0, more
	case n > 0:
		return n, done
	}
	return 0, fail
}

func isPrefix(s string, markers []string) bool {
	return slices.ContainsFunc(markers, func(m string) bool { return strings.HasPrefix(m, s) })
}
