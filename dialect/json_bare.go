package dialect

import "strings"

// looksLikeCall reads the beginning of JSON that no marker announces: it is a call
// only if its first key is one of a call, and the name, if that comes first, is a
// tool's. It says part for JSON that is no call, and fail for what is no JSON.
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
	quoted := s[at] == '"'
	if quoted || s[at] == '\'' {
		at++
	}
	v := j.firstKey(s[at:], eof)
	if v == fail && quoted && j.body.loose {
		return part
	}
	return v
}

// firstKey says fail where s does not begin with a key of a call.
func (j *jsonScanner) firstKey(s string, eof bool) verdict {
	keys := j.body.theKeys()
	if n, v := beginsKey(s, keys.name, eof); v == done {
		return j.firstName(s[n:], eof)
	} else if v == more {
		return more
	}
	for _, list := range [][]string{keys.arguments, keys.id, keys.other} {
		if _, v := beginsKey(s, list, eof); v != fail {
			return v
		}
	}
	return fail
}

// firstName reads the name, behind its key. What is no plain string is left to
// those who read the whole.
func (j *jsonScanner) firstName(s string, eof bool) verdict {
	at := skipSpace(s, len(s)-len(strings.TrimLeft(s, "\"'")))
	if at < len(s) && s[at] == ':' {
		at = skipSpace(s, at+1)
	}
	if at < len(s) && s[at] != '"' {
		return done
	}
	if at < len(s) {
		if n := strings.IndexAny(s[at+1:], `"\`); n >= 0 {
			name := strings.TrimSpace(s[at+1 : at+1+n])
			if _, ok := j.d.callable(name); ok || s[at+1+n] != '"' {
				return done
			}
			return fail
		}
	}
	if eof {
		return done
	}
	return more
}

// beginsKey says whether s begins with one of the keys, and how long that is. The
// quote or space behind it is not part of it.
func beginsKey(s string, keys []string, eof bool) (int, verdict) {
	for _, key := range keys {
		if len(s) <= len(key) {
			if key[:len(s)] == s && !eof {
				return 0, more
			}
		} else if s[:len(key)] == key && strings.IndexByte("\"' \t\r\n:", s[len(key)]) >= 0 {
			return len(key), done
		}
	}
	return 0, fail
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
