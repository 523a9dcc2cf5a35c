package jail

import (
	"slices"
	"strings"
)

// Searched are the folders in which a program is looked for by its name alone.
func Searched() []string { return slices.Clone(searched) }

// Shows says whether each sandbox has a path of the machine, as a part of what it sees of
// that, or as a folder on the way there.
func Shows(name string) bool {
	return slices.ContainsFunc(slices.Concat(shown, merged), func(p string) bool {
		return name == p || strings.HasPrefix(name, p+"/") || strings.HasPrefix(p, name+"/")
	})
}
