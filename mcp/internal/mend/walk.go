package mend

import "bytes"

// The functions of this file go over JSON that nobody has checked yet. In what is not
// JSON they stop early, or find nonsense; they never read past the end, and what was
// mended of it is thrown away in the end.

// first is the first byte of a value, 0 where there is none.
func first(value []byte) byte {
	if len(value) == 0 {
		return 0
	}
	return value[0]
}

// same says whether two values are the same bytes at the same place.
func same(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// cursor goes over the members of an object or the elements of a list.
type cursor struct {
	b  []byte
	at int // behind the last value
}

// member returns the next key, without its quotes, and value.
func (c *cursor) member() (key, value []byte, ok bool) {
	start := skipTo(c.b, c.at, '"')
	end := skipString(c.b, start)
	if end < 0 {
		return nil, nil, false
	}
	key = c.b[start+1 : end-1]
	if bytes.IndexByte(key, '\\') >= 0 {
		key = []byte(unquote(c.b[start:end]))
	}
	colon := skipTo(c.b, end, ':')
	if colon < 0 {
		return nil, nil, false
	}
	value, ok = c.value(colon + 1)
	return key, value, ok
}

// element returns the next element of a list.
func (c *cursor) element() ([]byte, bool) { return c.value(c.at) }

func (c *cursor) value(from int) ([]byte, bool) {
	for from < len(c.b) && (isSpace(c.b[from]) || c.b[from] == ',') {
		from++
	}
	end := skipValue(c.b, from)
	if end <= from {
		return nil, false
	}
	c.at = end
	return c.b[from:end], true
}

// skipTo returns the place of the next c, with nothing but blanks and commas before it,
// or -1.
func skipTo(b []byte, i int, c byte) int {
	for ; i < len(b); i++ {
		if b[i] == c {
			return i
		}
		if !isSpace(b[i]) && b[i] != ',' {
			return -1
		}
	}
	return -1
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// endsWord says whether c can't stand in a number, or in true, false and null.
func endsWord(c byte) bool {
	switch c {
	case ',', ':', ']', '}', '"', '[', '{':
		return true
	}
	return isSpace(c)
}

// skipString returns the place behind the string that begins at i, or -1. It goes from
// quote to quote: text in most languages is nothing but escapes and bytes beyond ASCII.
func skipString(b []byte, i int) int {
	if i < 0 || i >= len(b) || b[i] != '"' {
		return -1
	}
	for {
		next := bytes.IndexByte(b[i+1:], '"')
		if next < 0 {
			return -1
		}
		i += 1 + next
		begin := i // of the backslashes before the quote: the string's first quote ends them
		for b[begin-1] == '\\' {
			begin--
		}
		if (i-begin)%2 == 0 {
			return i + 1
		}
	}
}

// skipValue returns the place behind the value that begins at i, or -1. It does not
// recur, however deep the value is.
func skipValue(b []byte, i int) int {
	for depth := 0; i < len(b); {
		switch b[i] {
		case '"':
			if i = skipString(b, i); i < 0 {
				return -1
			}
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			if depth--; depth < 0 {
				return -1
			}
			i++
		case ',', ':', ' ', '\t', '\n', '\r':
			i++
			continue
		default:
			for i < len(b) && !endsWord(b[i]) {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
	return -1
}

// deeper says whether brackets are nested more than most deep in b.
func deeper(b []byte, most int) bool {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			end := skipString(b, i)
			if end < 0 {
				return false
			}
			i = end - 1
		case '{', '[':
			if depth++; depth > most {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}

// last returns the value of the last member of that name, which is the one that counts,
// or nil.
func last(object []byte, name string) []byte {
	if first(object) != '{' {
		return nil
	}
	var found []byte
	c := cursor{object, 1}
	for key, value, ok := c.member(); ok; key, value, ok = c.member() {
		if string(key) == name {
			found = value
		}
	}
	return found
}
