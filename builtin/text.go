package builtin

import (
	"strings"
	"unicode/utf8"
)

// validText is data as a string, with U+FFFD where it is not UTF-8: no provider
// takes anything else.
func validText(data []byte) string { return strings.ToValidUTF8(string(data), "\uFFFD") }

// wholeRunes leaves out the start of a character that was cut off at the end of
// data.
func wholeRunes(data []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(data); n++ {
		start := len(data) - n
		if utf8.RuneStart(data[start]) {
			if !utf8.FullRune(data[start:]) {
				return data[:start]
			}
			break
		}
	}
	return data
}
