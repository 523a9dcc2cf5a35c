package args

import "strconv"

// Bool reads true or false.
func Bool[T ~bool](r *Reader) T {
	switch {
	case r.word("true"):
		return true
	case r.word("false"), r.word("null"):
		return false
	}
	r.fail("is not true or false")
	return false
}

// Int reads an integer that fits T.
func Int[T ~int | ~int8 | ~int16 | ~int32 | ~int64](r *Reader) T {
	text := r.number()
	if text == nil {
		return 0
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if v := T(n); err == nil && int64(v) == n {
		return v
	}
	r.fail("does not fit %T", T(0))
	return 0
}

// Uint reads an integer that fits T and is not negative.
func Uint[T ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](r *Reader) T {
	text := r.number()
	if text == nil {
		return 0
	}
	n, err := strconv.ParseUint(string(text), 10, 64)
	if v := T(n); err == nil && uint64(v) == n {
		return v
	}
	r.fail("does not fit %T", T(0))
	return 0
}

// Float reads a number that fits T.
func Float[T ~float32 | ~float64](r *Reader) T {
	text := r.number()
	if text == nil {
		return 0
	}
	n, err := strconv.ParseFloat(string(text), size[T]())
	if err != nil {
		r.fail("does not fit %T", T(0))
		return 0
	}
	return T(n)
}

// size is the number of bits of a T: a float32 can't hold 2^24+1.
func size[T ~float32 | ~float64]() int {
	if odd := float64(1<<24 + 1); float64(T(odd)) != odd {
		return 32
	}
	return 64
}

// number returns the text of a number, or nil where there is none.
func (r *Reader) number() []byte {
	if r.word("null") || r.err != nil {
		return nil
	}
	r.space()
	start := r.at
	for r.at < len(r.data) && isWord(r.data[r.at]) {
		r.at++
	}
	text := r.data[start:r.at]
	if !isNumber(text) {
		r.fail("is not a number")
		return nil
	}
	return text
}

// isNumber keeps from strconv what it reads and JSON does not have, such as +5,
// 05, 5. and Inf.
func isNumber(text []byte) bool {
	i := 0
	if i < len(text) && text[i] == '-' {
		i++
	}
	whole := digits(text, i)
	if whole == i || whole > i+1 && text[i] == '0' {
		return false
	}
	i = whole
	if i < len(text) && text[i] == '.' {
		fraction := digits(text, i+1)
		if fraction == i+1 {
			return false
		}
		i = fraction
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		exponent := digits(text, i)
		if exponent == i {
			return false
		}
		i = exponent
	}
	return i == len(text)
}

// digits returns where the digits that begin at i end.
func digits(text []byte, i int) int {
	for i < len(text) && '0' <= text[i] && text[i] <= '9' {
		i++
	}
	return i
}
