package schema

import (
	"unicode"
	"unicode/utf8"
)

// foldKey gives equal results for keys that encoding/json takes for the same
// struct field: it folds letter case by Unicode's simple rules, so that the
// Kelvin sign is a k and the long s is an s.
func foldKey(key string) string {
	if isFolded(key) {
		return key
	}
	out := make([]rune, 0, len(key))
	for _, r := range key {
		out = append(out, foldRune(r))
	}
	return string(out)
}

func isFolded(key string) bool {
	for i := 0; i < len(key); i++ {
		if c := key[i]; 'a' <= c && c <= 'z' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// foldRune returns the smallest rune of all that fold to the same one.
func foldRune(r rune) rune {
	for {
		next := unicode.SimpleFold(r)
		if next <= r {
			return next
		}
		r = next
	}
}
