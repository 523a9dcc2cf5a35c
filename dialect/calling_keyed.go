package dialect

import (
	"errors"
	"strings"
)

// keyedScanner reads a call as some transcripts have it, with keys and strings:
//
//	[Calling tool="get_weather" city="Rome" unit="celsius"]
//
// A backslash stands before quotes in a string, as in JSON. Without an argument it
// is no call.
type keyedScanner struct {
	d         *Decoder
	at        int // what is looked at next
	name      string
	arguments *arguments

	key   string // of the string that is open
	start int    // of that string, behind its quote; 0: none is open
}

const keyedOpener = `[Calling tool="`

var keyedCall = marker{text: keyedOpener, open: func(d *Decoder) scanner {
	return &keyedScanner{d: d, at: strings.Index(keyedOpener, "tool")} // the first key is that of the name
}}

func (k *keyedScanner) scan(s string, eof bool) step {
	for {
		var st step
		var settled bool
		if k.start == 0 {
			st, settled = k.scanKey(s, eof)
		} else {
			st, settled = k.scanString(s)
		}
		if settled {
			return st
		}
	}
}

// scanKey reads a key up to its string, or the bracket that ends the call.
func (k *keyedScanner) scanKey(s string, eof bool) (step, bool) {
	k.at = skipSpace(s, k.at)
	if k.at < len(s) && s[k.at] == ']' && k.arguments != nil && len(k.arguments.list) > 0 {
		call := Call{Name: k.name, Arguments: k.arguments.json()}
		return step{verdict: done, n: k.at + 1, calls: []found{{Call: call, end: k.at + 1}}}, true
	}
	end := k.at
	for end < len(s) && end-k.at < maxHeader && (isWord(s[end]) || s[end] == '-') {
		end++
	}
	n, v := matchAny(s[end:], []string{`="`}, eof)
	switch {
	case v == more:
		return step{}, true
	case v == fail || end == k.at:
		return k.fail(end, "neither a key nor the end follows")
	}
	k.key = s[k.at:end]
	k.at = end + n
	k.start = k.at
	return step{}, false
}

// scanString goes on to the end of the string that is open.
func (k *keyedScanner) scanString(s string) (step, bool) {
	for ; k.at < len(s); k.at++ {
		switch c := s[k.at]; {
		case k.arguments == nil && (c == '\n' || k.at-k.start == maxHeader):
			return k.fail(k.at, "the name does not end")
		case c == '\\' && k.at+1 == len(s):
			return step{}, true
		case c == '\\':
			k.at++
		case c == '"':
			return k.add(s[k.start:k.at])
		}
	}
	return step{}, true
}

// add takes the string that ends at k.at.
func (k *keyedScanner) add(text string) (step, bool) {
	if quoted := `"` + text + `"`; isJSON(quoted) {
		text = unquote(quoted)
	}
	if k.arguments == nil {
		name, ok := k.d.callable(text)
		if !ok {
			return step{verdict: fail, n: k.at, err: undeclared(text), name: text}, true
		}
		k.name = text
		k.arguments = argumentsFor(k.d.tools[name])
	} else {
		k.arguments.add(k.key, text)
	}
	k.at++
	k.start = 0
	return step{}, false
}

func (k *keyedScanner) fail(n int, why string) (step, bool) {
	return step{verdict: fail, n: n, err: errors.New(why), name: k.name}, true
}
