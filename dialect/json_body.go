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
	// It says done where it has read it, and part where the header is all there is
	// and no call.
	header func(d *Decoder, s string, eof bool) (h header, v verdict)

	shape    string   // the bytes that the JSON may begin with, of "{["
	closers  []string // the markers that may end the body; none: the JSON's end does
	loose    bool     // a closer may be missing whatever follows: the JSON's end completes the call
	unclosed int      // how many of the JSON's own closers may be missing where the answer ends
	next     []string // markers that begin what follows where the closer is missing
	stop     string   // a marker that ends broken JSON, as < does
	keys     *jsonKeys
	bare     bool     // there is no marker: the JSON must show by its first key that it is a call
	answers  []string // pseudo-tools: their argument is text for the user
	elements func(text string, closed bool) ([]Call, error)
	reply    func(object string) (text string, ok bool) // text for the user in JSON that is no call; or nil
}

// open returns a function for a [marker] of the given text, which may end with
// the first byte of the JSON.
func (b *jsonBody) open(text string) func(*Decoder) scanner {
	at := len(text)
	if last := text[at-1]; last == '{' || last == '[' {
		at--
	}
	return func(d *Decoder) scanner { return &jsonScanner{body: b, d: d, at: at} }
}

// marker is a marker that b follows.
func (b *jsonBody) marker(text string) marker { return marker{text: text, open: b.open(text)} }

func (b *jsonBody) theKeys() *jsonKeys {
	if b.keys == nil {
		return &commonKeys
	}
	return b.keys
}

type jsonScanner struct {
	body  *jsonBody
	d     *Decoder
	phase jsonPhase
	head  header
	start int // of the JSON
	at    int // of what is read next, while the phase is not inValue
	value jsonExtent
	first []string // values in front of this one, where several stand in one body
	fence bool     // the JSON stands in a code fence within the body
	queue []step   // what is to be said next, for an answer in a call's clothes
}

type jsonPhase uint8

const (
	beforeHeader jsonPhase = iota
	beforeValue
	inValue
	behindValue
	behindCall // all has been reported; the closer may follow
	inOther    // the JSON is no call, and what is in it and right behind it is none
)

func (j *jsonScanner) scan(s string, eof bool) step {
	if len(j.queue) > 0 {
		st := j.queue[0]
		j.queue = j.queue[1:]
		return st
	}
	for {
		phase := j.phase
		var st step
		switch phase {
		case beforeHeader:
			st = j.readHeader(s, eof)
		case beforeValue:
			st = j.begin(s, eof)
		case inValue:
			st = j.follow(s, eof)
		case behindValue:
			st = j.end(s, eof)
		case behindCall:
			return j.closer(s, eof)
		case inOther:
			return j.other(s)
		}
		switch {
		case st.verdict == more && j.phase != phase:
		case st.verdict == more && eof && j.body.bare && phase < inValue:
			return j.fail(len(s), nil) // it never looked like a call
		default:
			return st
		}
	}
}

// readHeader goes on to the body.
func (j *jsonScanner) readHeader(s string, eof bool) step {
	if j.body.header == nil {
		j.phase = beforeValue
		return step{}
	}
	view, eof := window(s[j.at:], eof)
	h, v := j.body.header(j.d, view, eof)
	switch {
	case v == more && len(view) == maxHeader:
		return j.fail(j.at+maxHeader, errors.New("the name before the JSON is too long"))
	case v == fail:
		return j.fail(j.at+h.n, h.err)
	case v == part:
		return step{verdict: done, n: j.at + h.n, kind: Control}
	case v == done:
		j.head = h
		j.at += h.n
		j.phase = beforeValue
	}
	return step{}
}

// window is what of s may be read more than once.
func window(s string, eof bool) (string, bool) {
	if len(s) > maxHeader {
		return s[:maxHeader], false
	}
	return s, eof
}

// begin goes on to the first byte of the JSON.
func (j *jsonScanner) begin(s string, eof bool) step {
	if j.at = skipSpace(s, j.at); j.at == len(s) {
		return step{}
	}
	if j.body.header == nil && !j.body.bare && !j.fence {
		switch n, v := matchAny(s[j.at:], fenceOpeners, eof); v {
		case more:
			return step{}
		case done:
			j.fence = true
			j.at += n
			return j.begin(s, eof)
		}
	}
	if strings.IndexByte(j.body.shape, s[j.at]) < 0 {
		return j.closedEmpty(s, eof)
	}
	if j.body.bare {
		view, eof := window(s[j.at:], eof)
		switch v := j.looksLikeCall(view, eof); {
		case v == fail, v == more && len(view) == maxHeader:
			return step{verdict: fail, n: j.at + 1}
		case v == more:
			return step{}
		case v == part:
			j.phase = inOther
			return step{}
		}
	}
	j.start = j.at
	j.value = jsonExtent{at: j.at, stop: j.body.stop}
	j.phase = inValue
	return step{}
}

// fenceOpeners begin a code fence that models put around JSON.
var fenceOpeners = []string{"```json", "```JSON", "```"}

// follow goes on to the end of the JSON.
func (j *jsonScanner) follow(s string, eof bool) step {
	b := j.body
	switch j.value.scan(s) {
	case extentOpen:
		if eof && j.value.quote == 0 && j.value.depth <= b.unclosed {
			return j.read(s, len(s), len(s), true)
		}
		return step{}
	case extentAlien: // brackets are missing, or this is no JSON at all
		at := j.value.at
		switch n, v := matchAny(s[at:], b.closers, eof); v {
		case done:
			return j.read(s, at, at+n, true)
		case fail:
			return j.fail(max(at, 1), errors.New("the JSON breaks off"))
		}
		return step{}
	}
	j.at = j.value.at
	switch {
	case len(b.closers) == 0:
		return j.read(s, j.at, j.at, false)
	case b.loose:
		return j.complete(s)
	}
	j.phase = behindValue
	return step{}
}

// end reads the closer behind the JSON, and brackets too many in front of it.
func (j *jsonScanner) end(s string, eof bool) step {
	for j.at < len(s) && (isSpace(s[j.at]) || s[j.at] == '}' || s[j.at] == ']') {
		j.at++
	}
	rest := s[j.at:]
	if j.fence {
		switch n, v := matchAny(rest, []string{"```"}, eof); v {
		case more:
			return step{}
		case done:
			j.fence = false
			j.at += n
			return j.end(s, eof)
		}
	}
	if rest != "" && rest[0] == '{' && j.head.name == "" && j.body.elements == nil { // another call in the same body
		j.first = append(j.first, s[j.start:j.at])
		j.start, j.phase = j.at, inValue
		j.value = jsonExtent{at: j.at, stop: j.body.stop}
		return step{}
	}
	switch n, v := matchAny(rest, j.body.closers, eof); {
	case v == more:
		return step{}
	case v == done:
		return j.read(s, j.at, j.at+n, true)
	case rest == "" || eof && isPrefix(rest, j.body.closers): // the answer ends
		return j.read(s, j.at, len(s), false)
	}
	switch _, v := matchAny(rest, j.body.next, eof); v {
	case more:
		return step{}
	case done:
		return j.read(s, j.at, j.at, false)
	}
	return j.fail(j.at, errors.New("something else than the closing marker follows the JSON"))
}

// closer reads a closer that may be missing, behind calls that have been reported.
func (j *jsonScanner) closer(s string, eof bool) step {
	j.at = skipSpace(s, j.at)
	switch n, v := matchAny(s[j.at:], j.body.closers, eof); v {
	case more:
		return step{}
	case done:
		return step{verdict: done, n: j.at + n, kind: Control}
	}
	return step{verdict: done}
}

// complete reports the calls of a value that has ended, and leaves the closer for
// later.
func (j *jsonScanner) complete(s string) step {
	st := j.read(s, j.at, j.at, false)
	switch {
	case j.body.bare && (st.verdict == fail || st.reply == "" && !j.d.anyCallable(st.calls)):
		j.phase = inOther
		j.value = jsonExtent{}
		st = step{verdict: part, n: j.at, kind: Text}
	case st.verdict == done:
		st.verdict = part
		j.phase = behindCall
	}
	j.at = 0
	return st
}

// read makes the calls of s[j.start:end]; the markup ends at n.
func (j *jsonScanner) read(s string, end, n int, closed bool) step {
	text := s[j.start:end]
	var calls []Call
	var err error
	switch {
	case j.head.name != "":
		var arguments string
		var repairs []Repair
		if arguments, repairs, err = readJSON(text, closed); err == nil {
			calls = []Call{{ID: j.head.id, Name: j.head.name, Repairs: repairs}}
			err = calls[0].setArguments(strings.TrimSpace(arguments))
		}
	case j.body.elements != nil:
		calls, err = j.body.elements(text, closed)
	default:
		calls, err = j.callsOf(append(j.first, text), closed)
	}
	if err != nil && j.body.reply != nil && len(j.first) == 0 {
		if value, _, err := readJSON(text, closed); err == nil && strings.TrimSpace(value)[0] == '{' {
			if reply, ok := j.body.reply(strings.TrimSpace(value)); ok {
				return step{verdict: done, n: n, kind: Control, reply: reply}
			}
		}
	}
	switch {
	case err != nil && j.body.bare:
		return step{verdict: fail, n: n}
	case err != nil:
		return j.fail(n, err)
	}
	if len(calls) == 1 && slices.Contains(j.body.answers, calls[0].Name) && j.d.tools[calls[0].Name] == nil {
		return j.answer(s[:n], calls[0])
	}
	return step{verdict: done, n: n, kind: Control, calls: spread(calls, n)}
}

// callsOf makes the calls of the values in one body.
func (j *jsonScanner) callsOf(values []string, closed bool) (calls []Call, err error) {
	for _, value := range values {
		some, err := j.body.theKeys().calls(value, closed)
		if err != nil {
			return nil, err
		}
		calls = append(calls, some...)
	}
	return calls, nil
}

// answer takes s apart, which is a call of a pseudo-tool: its first argument that is a
// string is text for the user, as the model wrote it.
func (j *jsonScanner) answer(s string, call Call) step {
	rest := step{verdict: done, n: len(s), kind: Control}
	for _, value := range members(string(call.Arguments)) {
		at := strings.LastIndex(s, value)
		if value[0] != '"' || len(value) == 2 || at < 0 {
			continue
		}
		text := len(value) - 2
		rest.n -= at + 1 + text
		j.queue = []step{{verdict: part, n: text, kind: Text}, rest}
		return step{verdict: part, n: at + 1, kind: Control}
	}
	return rest
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
	if j.head.name == "" && !j.body.bare {
		n, v := matchAny(s[j.at:], j.body.closers, eof)
		switch v {
		case more:
			return step{}
		case done:
			return step{verdict: done, n: j.at + n, kind: Control}
		}
	}
	return j.fail(max(j.at, 1), errors.New("no JSON follows the marker"))
}

// matchAny says whether s begins with one of the markers, and with how long a
// one. Where a longer one may still come it says more.
func matchAny(s string, markers []string, eof bool) (int, verdict) {
	n, held := -1, false
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
	case n >= 0:
		return n, done
	}
	return 0, fail
}

func isPrefix(s string, markers []string) bool {
	return slices.ContainsFunc(markers, func(m string) bool { return strings.HasPrefix(m, s) })
}
