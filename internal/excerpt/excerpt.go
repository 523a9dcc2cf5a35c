// Package excerpt shortens text that came from outside, so that it can't fill a
// prompt, a log or an error.
package excerpt

import "unicode/utf8"

// Of returns s, or its head and an ellipsis where it has more than most bytes.
func Of(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return Head(s, most) + "…"
}

// Head returns the longest beginning of s that has at most most bytes and ends
// between two characters; in what is not UTF-8, anywhere.
func Head(s string, most int) string {
	most = max(most, 0)
	if len(s) <= most {
		return s
	}
	for n := most; n >= max(0, most-utf8.UTFMax+1); n-- {
		if utf8.RuneStart(s[n]) {
			return s[:n]
		}
	}
	return s[:most]
}
