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

// nearest returns the candidate that key was most likely meant to be, or "".
// At most a third of the letters may be wrong.
func nearest(key string, candidates []string) string {
	best, bestDistance := "", (len(key)+1)/3
	folded := foldKey(key)
	for _, c := range candidates {
		if len(c) > len(key)+bestDistance || len(key) > len(c)+bestDistance {
			continue
		}
		if d := editDistance(folded, foldKey(c)); d <= bestDistance && (best == "" || d < bestDistance) {
			best, bestDistance = c, d
		}
	}
	return best
}

// editDistance counts the insertions, deletions, replacements and swaps of
// neighbours that turn a into b.
func editDistance(a, b string) int {
	older := make([]int, len(b)+1)
	old := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range old {
		old[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, old, row = old, row, older
	}
	return old[len(b)]
}
