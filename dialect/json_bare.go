package dialect

import (
	"slices"
	"strings"
)

// JSON that no marker announces is a call only if it looks like one from its first
// key on, and is left alone else.

// looksLikeCall reads as far as the first key of JSON that no marker announces. It
// says part for JSON that is no call, and fail for what is no JSON.
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
	no := fail
	if s[at] == '"' {
		no = part
	}
	if s[at] == '"' || s[at] == '\'' {
		at++
	}
	keys := j.body.theKeys()
	rest := s[at:]
	for _, key := range slices.Concat(keys.name, keys.arguments, keys.id, keys.other) {
		if len(rest) <= len(key) {
			if key[:len(rest)] == rest && !eof {
				return more
			}
		} else if rest[:len(key)] == key && strings.IndexByte("\"' \t\r\n:", rest[len(key)]) >= 0 {
			return done
		}
	}
	if !j.body.loose {
		return fail
	}
	return no
}

// other releases JSON that is no call, up to its end or to where it is no JSON any
// more. A list of objects in which the first is no call is a list of data.
func (j *jsonScanner) other(s string) step {
	for j.at < len(s) {
		if j.value.depth == 0 {
			switch c := s[j.at]; {
			case isSpace(c):
				j.at++
				continue
			case c != '{' && c != '[':
				return step{verdict: done, n: j.at, kind: Text}
			}
			j.value = jsonExtent{at: j.at, strict: true}
		}
		end := j.value.scan(s)
		j.at = j.value.at
		if end == extentAlien {
			return step{verdict: done, n: j.at, kind: Text}
		}
	}
	if s == "" { // the answer ends
		return step{verdict: done}
	}
	st := step{verdict: part, n: j.at, kind: Text}
	j.at, j.value.at = 0, 0
	return st
}
