// Package nearest finds the names that someone who wrote a wrong one may have
// meant.
package nearest

import (
	"cmp"
	"slices"
	"strings"
)

// longest bounds the work on a name from outside: a longer one is no typing
// mistake.
const longest = 64

// Names returns the names in have that are close to want, the closest first and
// at most most of them. Letter case counts for nothing.
func Names(want string, have []string, most int) []string {
	if len(want) > longest {
		return nil
	}
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	w := strings.ToLower(want)
	for _, name := range have {
		if len(name) > longest {
			continue
		}
		if d := distance(w, strings.ToLower(name)); d <= max(2, len(name)/3) && d < len(name) {
			found = append(found, candidate{name, d})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), strings.Compare(a.name, b.name))
	})
	names := make([]string, 0, min(most, len(found)))
	for _, c := range found[:min(most, len(found))] {
		names = append(names, c.name)
	}
	return names
}

// Name returns the name in have that is closest to want, or "" where none is
// close.
func Name(want string, have []string) string {
	for _, name := range Names(want, have, 1) {
		return name
	}
	return ""
}

// distance is the number of bytes to insert, delete, replace or swap with their
// neighbour that makes a into b (optimal string alignment).
func distance(a, b string) int {
	before, last, now := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}
