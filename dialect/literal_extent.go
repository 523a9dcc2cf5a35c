package dialect

import "strings"

// literals says how values look that are written as in a program.
type literals struct {
	brackets string // openers, each with its closer behind it
	fence    string // around a string that is taken as it is; "" where there is none
	triple   bool   // ''' and """ open a string, too
	words    string // what may stand between strings, besides names and white space; "": anything
}

// literalExtent finds where arguments end that are written as literals, while
// they arrive. It follows strings and brackets and stops at what can't be part
// of a literal. Reading the values comes later, and once.
type literalExtent struct {
	*literals
	at    int    // the next byte to look at
	open  []byte // the closers of the brackets that are open, the innermost last
	quote string // ends the string that is open, or ""
	token bool   // a value may begin here, so ' is a quote and no apostrophe
}

// scan reads on in s. The first time, s[x.at] is a bracket.
func (x *literalExtent) scan(s string) extent {
	for x.at < len(s) {
		if x.quote != "" {
			if !x.inString(s) {
				return extentOpen
			}
			continue
		}
		c := s[x.at]
		switch i := strings.IndexByte(x.brackets, c); {
		case isSpace(c):
		case i >= 0 && i%2 == 0:
			if len(x.open) == maxDepth {
				return extentAlien
			}
			x.open = append(x.open, x.brackets[i+1])
			x.token = true
		case i >= 0:
			if len(x.open) == 0 || x.open[len(x.open)-1] != c {
				return extentAlien
			}
			x.open = x.open[:len(x.open)-1]
			x.token = false
			if len(x.open) == 0 {
				x.at++
				return extentEnd
			}
		case c == '"' || c == '\'':
			switch n := x.quotes(s, c); {
			case n == 0:
				return extentOpen
			case n > 0:
				x.quote = s[x.at : x.at+n]
				x.at += n
				continue
			case x.words != "":
				return extentAlien
			}
		case x.fence != "" && c == x.fence[0]:
			switch n, v := matchAny(s[x.at:], []string{x.fence}, false); v {
			case more:
				return extentOpen
			case fail:
				return extentAlien
			default:
				x.quote = x.fence
				x.at += n
				continue
			}
		case c == ',' || c == ':' || c == '=' && x.words != "":
			x.token = true
		case x.words == "":
			x.token = false
		case isWord(c) || strings.IndexByte(x.words, c) >= 0:
			x.token = false
		default:
			return extentAlien
		}
		x.at++
	}
	return extentOpen
}

// quotes returns how many quotes open the string at x.at: -1 if none does, and 0
// where that can't be said yet.
func (x *literalExtent) quotes(s string, c byte) int {
	if !x.token && !(x.triple && isStringPrefix(s[:x.at])) {
		return -1
	}
	if !x.triple {
		return 1
	}
	rest := s[x.at:min(x.at+3, len(s))]
	n := 1
	for n < len(rest) && rest[n] == c {
		n++
	}
	switch {
	case n == len(rest) && n < 3:
		return 0
	case n == 3:
		return 3
	}
	return 1
}

// inString goes on within a string, and reports whether it could.
func (x *literalExtent) inString(s string) bool {
	for x.at < len(s) {
		switch c := s[x.at]; {
		case c == '\\' && x.quote != x.fence:
			if x.at+1 == len(s) {
				return false
			}
			x.at += 2
			continue
		case c != x.quote[0]:
		case strings.HasPrefix(s[x.at:], x.quote):
			x.at += len(x.quote)
			x.quote = ""
			x.token = x.triple // strings side by side are one
			return true
		case strings.HasPrefix(x.quote, s[x.at:]):
			return false
		}
		x.at++
	}
	return false
}

// isStringPrefix reports whether s ends with a letter that makes of the quotes
// behind it a string of text.
func isStringPrefix(s string) bool {
	n := len(s)
	return n > 1 && strings.IndexByte("rRuU", s[n-1]) >= 0 && !isWord(s[n-2]) && s[n-2] != '.'
}

// isWord reports whether c may be in a name: a letter, a digit, _ or a byte of
// any rune that is not ASCII.
func isWord(c byte) bool {
	return c >= 0x80 || c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
