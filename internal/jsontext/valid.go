package jsontext

// mostNested is how deeply encoding/json lets JSON be nested.
const mostNested = 10000

// Valid says what [json.Valid] says, in less time where there is much text: it goes over
// strings with [SkipPlain].
func Valid(b []byte) bool {
	var room [64]byte
	open := room[:0] // the brackets that are open
	for i := skipSpace(b, 0); i < len(b); {
		if c := b[i]; c == '{' || c == '[' {
			if len(open) == mostNested {
				return false
			}
			open = append(open, c)
			i = skipSpace(b, i+1)
			if i == len(b) || b[i] != closing(c) {
				if c == '{' {
					i = skipKey(b, i)
				}
				if i < 0 {
					return false
				}
				continue
			}
			open = open[:len(open)-1]
			i++
		} else if i = skipScalar(b, i); i < 0 {
			return false
		}
		var more bool
		if i, open, more = afterValue(b, i, open); !more {
			return i == len(b)
		}
	}
	return false
}

// afterValue goes on from the end of a value to the beginning of the next. Where there
// is no more, the text is valid if it ends there.
func afterValue(b []byte, i int, open []byte) (next int, stillOpen []byte, more bool) {
	for i = skipSpace(b, i); len(open) > 0; i = skipSpace(b, i+1) {
		if i == len(b) {
			return -1, open, false
		}
		last := open[len(open)-1]
		if b[i] == ',' {
			i = skipSpace(b, i+1)
			if last == '{' {
				i = skipKey(b, i)
			}
			return i, open, i >= 0
		}
		if b[i] != closing(last) {
			return -1, open, false
		}
		open = open[:len(open)-1]
	}
	return i, open, false
}

// closing is the bracket that closes open.
func closing(open byte) byte { return open + 2 }

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// skipKey returns the place of the value behind a key and its colon, or -1; so do the
// others below.
func skipKey(b []byte, i int) int {
	if i = skipText(b, i); i < 0 {
		return -1
	}
	if i = skipSpace(b, i); i == len(b) || b[i] != ':' {
		return -1
	}
	return skipSpace(b, i+1)
}

func skipScalar(b []byte, i int) int {
	switch b[i] {
	case '"':
		return skipText(b, i)
	case 't':
		return skipWord(b, i, "true")
	case 'f':
		return skipWord(b, i, "false")
	case 'n':
		return skipWord(b, i, "null")
	}
	return skipNumber(b, i)
}

func skipWord(b []byte, i int, word string) int {
	if end := i + len(word); end <= len(b) && string(b[i:end]) == word {
		return end
	}
	return -1
}

func skipText(b []byte, i int) int {
	if i == len(b) || b[i] != '"' {
		return -1
	}
	for i = SkipPlain(b, i+1); i < len(b); i = SkipPlain(b, i) {
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c < ' ':
			return -1
		case c == '\\':
			if i = skipEscape(b, i+1); i < 0 {
				return -1
			}
		default:
			for i < len(b) && b[i] >= 0x80 {
				i++
			}
		}
	}
	return -1
}

// skipEscape begins behind the backslash.
func skipEscape(b []byte, i int) int {
	if i == len(b) {
		return -1
	}
	switch b[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
		for n := range 4 {
			if i+1+n >= len(b) || !isHex(b[i+1+n]) {
				return -1
			}
		}
		return i + 5
	}
	return -1
}

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func skipNumber(b []byte, i int) int {
	if b[i] == '-' {
		i++
	}
	if i < len(b) && b[i] == '0' {
		i++
	} else if i = skipDigits(b, i); i < 0 {
		return -1
	}
	if i < len(b) && b[i] == '.' {
		if i = skipDigits(b, i+1); i < 0 {
			return -1
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		return skipDigits(b, i)
	}
	return i
}

// skipDigits wants one at least.
func skipDigits(b []byte, i int) int {
	from := i
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	if i == from {
		return -1
	}
	return i
}
