package dialect

import (
	"strings"
	"unicode/utf8"
)

// isInner reports whether the quote that is next belongs to the text of the string
// that began at start. Such quotes come in pairs: the first stands in front of a
// word and the second behind one, as in "use "strict"; now", and behind neither
// stands what can follow a value. open says that the second is due.
//
// Where only some of this holds, the quote ends the string, and what follows will
// not fit: it is an error rather than a guess.
func (r *repairer) isInner(start int, open bool) bool {
	behind := r.at + 1
	if behind == len(r.in) {
		return false
	}
	before, next := r.in[r.at-1], r.in[behind]
	if !open {
		opens := r.at-1 == start || strings.IndexByte(" \t\n([{=:,>", before) >= 0
		return opens && !isSpace(next) && next != '"' && !r.canFollow(behind)
	}
	if isSpace(before) || isKeyByte(next) {
		return false
	}
	if next == '"' { // the string ends with a quoted word
		return r.canFollow(behind + 1)
	}
	at := r.skip(behind)
	return at < len(r.in) && r.in[at] != ':' && !r.canFollow(behind)
}

// canFollow reports whether what begins at from can stand behind a value. It looks no
// further than behind the next string, so that no byte is looked at more often than
// a few times.
func (r *repairer) canFollow(from int) bool {
	at := r.skip(from)
	depth := len(r.closers)
	for depth > 0 && at < len(r.in) && r.in[at] == r.closers[depth-1] {
		depth--
		at = r.skip(at + 1)
	}
	switch {
	case at >= len(r.in), r.closed && at >= r.tail, r.isComment(at):
		return true
	case depth == 0:
		return strings.IndexByte("}]`", r.in[at]) >= 0
	}
	closer := r.closers[depth-1]
	if r.in[at] == ',' {
		at = r.skip(at + 1)
		if at >= len(r.in) || r.in[at] == closer || r.isComment(at) {
			return true
		}
	} else if at == from || !mayLackComma(r.in[at], closer) {
		return false
	}
	if closer == '}' {
		return r.isKey(at)
	}
	return r.isElement(at)
}

// isKey reports whether a key and a colon are next.
func (r *repairer) isKey(at int) bool {
	end := r.token(at)
	if end == at {
		return false
	}
	end = r.skip(end)
	return end >= len(r.in) || r.in[end] == ':'
}

// isElement reports whether an element of an array is next.
func (r *repairer) isElement(at int) bool {
	if c := r.in[at]; c == '{' || c == '[' {
		return true
	}
	end := r.token(at)
	if end == at {
		return false
	}
	end = r.skip(end)
	return end >= len(r.in) || strings.IndexByte(",]\"", r.in[end]) >= 0
}

// token returns where the string or the bare word ends that begins at at.
func (r *repairer) token(at int) int {
	from := at
	if c := r.in[at]; c == '"' || c == '\'' {
		for at++; at < len(r.in) && r.in[at] != c; at++ {
			if r.in[at] == '\\' {
				at++
			}
		}
		at++
	} else {
		for at < len(r.in) && (isKeyByte(r.in[at]) || r.in[at] == '+') {
			at++
		}
	}
	r.looks += min(at, len(r.in)) - from
	return at
}

// skip returns where white space ends that begins at at.
func (r *repairer) skip(at int) int {
	from := at
	for at < len(r.in) && isSpace(r.in[at]) {
		at++
	}
	r.looks += at - from + 1
	return at
}

func (r *repairer) isComment(at int) bool {
	if r.in[at] == '#' {
		return true
	}
	return r.in[at] == '/' && at+1 < len(r.in) && (r.in[at+1] == '/' || r.in[at+1] == '*')
}

func isKeyByte(c byte) bool { return c >= utf8.RuneSelf || isKeyRune(rune(c)) }
