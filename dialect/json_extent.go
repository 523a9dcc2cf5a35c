package dialect

import "strings"

// jsonExtent finds where a JSON object or array ends while it arrives. It follows
// quotes and brackets and judges little else: whether the value is any good is asked
// once, when it is whole.
type jsonExtent struct {
	at     int // the next byte to look at
	depth  int
	quote  byte   // of the string that is open, or 0
	escape bool   // the next byte is escaped
	token  bool   // a key or value may begin here, so ' is a quote and no apostrophe
	strict bool   // bytes that only mending would take are alien
	stop   string // begins with a bracket and is no JSON; or ""
}

type extent uint8

const (
	extentOpen  extent = iota // it goes on
	extentEnd                 // at is behind the value
	extentAlien               // at is at a byte that JSON can't have there
)

// scan reads on in s. The first time, s[x.at] opens the value.
func (x *jsonExtent) scan(s string) extent {
	for x.at < len(s) {
		if x.quote != 0 {
			if !x.inString(s) {
				return extentAlien
			}
			continue
		}
		c := s[x.at]
		switch c {
		case ' ', '\t', '\r', '\n':
			x.at++
			continue
		case '{', '[':
			if rest := s[x.at:]; x.stop != "" && strings.HasPrefix(rest, x.stop) {
				return extentAlien
			} else if strings.HasPrefix(x.stop, rest) {
				return extentOpen
			}
			x.depth++
			if x.depth > maxDepth {
				return extentAlien
			}
			x.token = true
		case '}', ']':
			x.depth--
			x.at++
			if x.depth == 0 {
				return extentEnd
			}
			x.token = false
			continue
		case ',', ':':
			x.token = true
		case '"':
			x.quote = c
			x.token = false
		case '\'':
			if x.strict {
				return extentAlien
			}
			if x.token {
				x.quote = c
			}
			x.token = false
		case '<':
			return extentAlien
		default:
			if x.strict && strings.IndexByte("truefalsn0123456789+-.E", c) < 0 {
				return extentAlien
			}
			x.token = false
		}
		x.at++
	}
	return extentOpen
}

// inString reads on in a string, to behind its end or an escape. It is false where a
// strict reader finds the line's end.
func (x *jsonExtent) inString(s string) bool {
	if x.escape {
		x.escape = false
		x.at++
		return true
	}
	for x.at < len(s) {
		c := s[x.at]
		if c == '\n' && x.strict {
			return false
		}
		x.at++
		switch c {
		case x.quote:
			x.quote = 0
			return true
		case '\\':
			x.escape = true
			return true
		}
	}
	return true
}
