// Package keylike tells what may be a key by its look alone.
package keylike

import (
	"strings"
	"unicode"
)

// shortest is the length from which on text of letters and digits is no name or number
// that people write.
const shortest = 16

// Text reports whether s is long, in one piece, and of letters and digits, as keys are.
func Text(s string) bool {
	return len(s) >= shortest && !strings.ContainsAny(s, " \t\n") && strings.ContainsAny(s, "0123456789") &&
		strings.IndexFunc(s, unicode.IsLetter) >= 0
}
