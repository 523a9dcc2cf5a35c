package executor

import "unicode/utf8"

// mostName is how many bytes of a name or an ID a log line holds: a model may
// have made it up.
const mostName = 100

func clip(name string) string { return cut(name, mostName) }

// cut shortens s to most bytes and marks that with an ellipsis.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return s[:wholeRunes(s, most)] + "…"
}

// wholeRunes returns the length of the longest prefix of s that has at most most
// bytes and ends between two characters; in what is not UTF-8, anywhere. s is
// longer than most.
func wholeRunes(s string, most int) int {
	for n := most; n >= max(0, most-utf8.UTFMax+1); n-- {
		if utf8.RuneStart(s[n]) {
			return n
		}
	}
	return most
}
