// Package jsontext goes over JSON's text fast.
package jsontext

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// SkipPlain goes over the bytes of a JSON string that are no more than they look:
// ASCII without quotes, backslashes and control characters. It returns where it
// stopped. It looks at eight bytes at a time: of each, a subtraction sets the
// highest bit where it is less than the one or equal to the other. The lowest such
// bit is right; those above it may have borrowed.
func SkipPlain[T string | []byte](s T, at int) int {
	const each, highest = 0x0101010101010101, 0x8080808080808080
	for ; at+8 <= len(s); at += 8 {
		w := binary.LittleEndian.Uint64([]byte(s[at : at+8]))
		special := w | (w - each*' ') | (w ^ each*'"' - each) | (w ^ each*'\\' - each)
		if special &= highest; special != 0 {
			return at + bits.TrailingZeros64(special)/8
		}
	}
	for at < len(s) && s[at] >= ' ' && s[at] < utf8.RuneSelf && s[at] != '"' && s[at] != '\\' {
		at++
	}
	return at
}
