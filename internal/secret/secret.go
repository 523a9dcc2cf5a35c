// Package secret takes secrets out of what comes back from outside.
package secret

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"helve/internal/jsonobject"
)

// Shortest is the length in bytes below which taking out a text would hurt more than it
// protects.
const Shortest = 6

var hidden = []byte("[secret]")

// Hide takes secrets out of data, as they are and as they stand in a URL or in JSON. Who
// fails often repeats all that it was given.
func Hide(data []byte, secrets []string) []byte {
	for _, s := range secrets {
		if len(s) < Shortest {
			continue
		}
		for _, form := range forms(s) {
			data = bytes.ReplaceAll(data, []byte(form), hidden)
		}
	}
	return data
}

// forms are the ways to write s, without doubles. What may be escaped in JSON and need
// not be, some servers escape: the slash, <, > and &, and all that is not ASCII.
func forms(s string) []string {
	all := []string{s, url.QueryEscape(s), url.PathEscape(s)}
	for _, escaped := range all[1:] {
		all = append(all, lowerHex.ReplaceAllStringFunc(escaped, strings.ToLower))
	}
	forHTML, _ := json.Marshal(s) // text can always be written
	for _, quoted := range []string{string(jsonobject.Marshal(s)), string(forHTML)} {
		inside := quoted[1 : len(quoted)-1]
		slashed := strings.ReplaceAll(inside, "/", `\/`)
		all = append(all, inside, slashed, asASCII(inside), asASCII(slashed))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

var lowerHex = regexp.MustCompile(`%[0-9A-F]{2}`)

// asASCII escapes what is not ASCII in the text of a JSON string.
func asASCII(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// namePattern finds the word in X-Api-Key and access_token, and not in keywords.
var namePattern = regexp.MustCompile(`(?i)(^|[-_.])((api|access|auth|app)?[-_]?(key|token|id_token)|auth|authorization|secret|password|cookie|credentials?|signature)($|[-_.])`)

// IsNamed reports whether name is one that a secret goes by, such as X-Api-Key.
func IsNamed(name string) bool { return namePattern.MatchString(name) }
