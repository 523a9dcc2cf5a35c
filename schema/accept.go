package schema

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// acceptor reads a document once and either says that it is certainly valid
// or that it doesn't know. It allocates nothing. Being wrong in the first
// case is a bug; in the second it only costs time, so it knows the common
// keywords and plain spellings, and leaves the rest to the full validator.
type acceptor struct {
	src   []byte
	fill  bool // missing defaults are to be put in, and null taken out
	depth int
	edits [8]edit // in the order of the document; more are not accepted
	n     int     // of edits
}

// document reports that the whole of src is accepted.
func (a *acceptor) document(s *shape) bool {
	if len(a.src) > maxBytes {
		return false
	}
	end := a.value(s, skipSpace(a.src, 0))
	return end >= 0 && skipSpace(a.src, end) == len(a.src)
}

// anything is the shape of a value without a schema.
var anything = &shape{exact: true, types: typeAny, maxLength: -1, maxItems: -1}

// value returns the position after an accepted value, or -1.
func (a *acceptor) value(s *shape, i int) int {
	if i >= len(a.src) {
		return -1
	}
	if s == nil {
		s = anything
	}
	for hops := 0; s.ref != nil; hops++ {
		if hops > maxDepth || !s.exact {
			return -1
		}
		s = s.ref
	}
	if !s.exact {
		return -1
	}
	var end int
	switch c := a.src[i]; c {
	case '"':
		end = a.string(s, i)
	case '{':
		end = a.object(s, i)
	case '[':
		end = a.array(s, i)
	case 't':
		end = a.word(s, i, "true", typeBoolean)
	case 'f':
		end = a.word(s, i, "false", typeBoolean)
	case 'n':
		end = a.word(s, i, "null", typeNull)
	default:
		end = a.number(s, i)
	}
	if end < 0 || s.enum != nil && !contains(s.enum, a.src[i:end]) {
		return -1
	}
	return end
}

func contains(tokens [][]byte, token []byte) bool {
	for _, t := range tokens {
		if bytes.Equal(t, token) {
			return true
		}
	}
	return false
}

func (a *acceptor) word(s *shape, i int, word string, kind types) int {
	if s.types&kind == 0 {
		return -1
	}
	return scanWord(a.src, i, word)
}

func (a *acceptor) string(s *shape, i int) int {
	if s.types&typeString == 0 {
		return -1
	}
	end, form := scanString(a.src, i)
	if end < 0 || s.minLength == 0 && s.maxLength < 0 && s.pattern == nil {
		return end
	}
	if form&hasEscape != 0 {
		return -1
	}
	text := a.src[i+1 : end-1]
	length := len(text)
	if form&hasUnicode != 0 {
		length = utf8.RuneCount(text)
	}
	if length < s.minLength || s.maxLength >= 0 && length > s.maxLength {
		return -1
	}
	if s.pattern != nil && !s.pattern.Match(text) {
		return -1
	}
	return end
}

func (a *acceptor) number(s *shape, i int) int {
	end, plain := scanNumber(a.src, i)
	if end < 0 || end-i > maxDigits {
		return -1
	}
	lit := a.src[i:end]
	if !plain {
		return a.fraction(s, lit, end)
	}
	if s.types&typeInteger == 0 {
		return -1
	}
	if len(s.bounds) == 0 {
		return end
	}
	n, ok := smallInteger(lit)
	if !ok {
		return -1
	}
	for _, b := range s.bounds {
		if !b.keepsInt(n) {
			return -1
		}
	}
	return end
}

func (a *acceptor) fraction(s *shape, lit []byte, end int) int {
	if s.types&typeNumber != typeNumber || bytes.ContainsAny(lit, "eE") {
		return -1
	}
	if len(s.bounds) == 0 {
		return end
	}
	f, err := strconv.ParseFloat(string(lit), 64)
	if err != nil {
		return -1
	}
	for _, b := range s.bounds {
		if !b.keepsFloat(f) {
			return -1
		}
	}
	return end
}

// smallInteger reads an integer of at most 18 digits.
func smallInteger(lit []byte) (n int64, ok bool) {
	digits := bytes.TrimPrefix(lit, []byte("-"))
	if len(digits) > 18 {
		return 0, false
	}
	for _, c := range digits {
		n = n*10 + int64(c-'0')
	}
	if len(digits) < len(lit) {
		n = -n
	}
	return n, true
}

func (a *acceptor) array(s *shape, i int) int {
	if s.types&typeArray == 0 {
		return -1
	}
	if a.depth++; a.depth > maxDepth {
		return -1
	}
	n := 0
	i = skipSpace(a.src, i+1)
	for i < len(a.src) && a.src[i] != ']' {
		if n > 0 {
			if a.src[i] != ',' {
				return -1
			}
			i = skipSpace(a.src, i+1)
		}
		item := s.items
		if n < len(s.prefix) {
			item = s.prefix[n]
		}
		if i = a.value(item, i); i < 0 {
			return -1
		}
		i = skipSpace(a.src, i)
		n++
	}
	if i >= len(a.src) || n < s.minItems || s.maxItems >= 0 && n > s.maxItems {
		return -1
	}
	a.depth--
	return i + 1
}
