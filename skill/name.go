package skill

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normal is the form in which names are compared: the same letters may be written in
// several ways, and macOS writes a folder's in another than editors do.
func normal(name string) string { return norm.NFKC.String(strings.TrimSpace(name)) }

// nameFaults says what the format has against a name: it is 1 to 64 characters, small
// letters and digits of any script, with single hyphens between them.
func nameFaults(name string) []string {
	name = normal(name)
	var faults []string
	if n := utf8.RuneCountInString(name); n > maxName {
		faults = append(faults, fmt.Sprintf("the name has %d characters, and at most %d are allowed", n, maxName))
	}
	if name != strings.ToLower(name) {
		faults = append(faults, "the name must be in small letters")
	}
	if bad := strings.IndexFunc(name, func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsNumber(r) }); bad >= 0 {
		r, _ := utf8.DecodeRuneInString(name[bad:])
		faults = append(faults, fmt.Sprintf("%q can't be in a name: only small letters, digits and hyphens can", r))
	}
	if strings.HasPrefix(name, "-") || strings.HasSuffix(name, "-") {
		faults = append(faults, "the name must not begin or end with a hyphen")
	}
	if strings.Contains(name, "--") {
		faults = append(faults, "the name must not have two hyphens in a row")
	}
	return faults
}

// isSpeakable reports that a name, though it may be against the format, is one that a
// model can say and a line can hold.
func isSpeakable(name string) bool {
	return name != "" && utf8.RuneCountInString(name) <= 2*maxName && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !strings.ContainsRune(" -_.:", r)
	})
}
