package httptool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"helve/internal/keylike"
)

// shortestSecret is where taking out a text would hurt more than it protects.
const shortestSecret = 6

var hidden = []byte("[secret]")

// redact takes secrets out of what a server sent back, as they are and as they
// stand in a URL or in JSON. Some servers repeat a whole request in their errors.
func redact(data []byte, secrets []string) []byte {
	for _, s := range secrets {
		if len(s) < shortestSecret {
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
	for _, quoted := range []string{string(quote(s)), string(forHTML)} {
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

// environmentSecrets are those values of the environment that no answer may show: of
// variables whose name says that they are keys, and what looks like one. Others, such as
// a region or the number of an account, are part of what answers are about. Of a whole
// URL the path may be the key; the server's own address is none.
func environmentSecrets(values map[string]string, origin string) []string {
	var secrets []string
	for name, v := range values {
		if strings.Contains(origin+"/", v) {
			continue
		}
		path, isURL := strings.CutPrefix(v, origin)
		if isURL && len(path) >= shortestSecret {
			secrets = append(secrets, v, path)
		} else if looksSecret(name) || keylike.Text(v) {
			secrets = append(secrets, v)
		}
	}
	slices.Sort(secrets)
	return secrets
}

// writtenSecrets are the values in a Config that look like credentials by the
// name they go under, such as a header Authorization that was written out.
func writtenSecrets(c *Config) []string {
	var secrets []string
	for _, values := range []map[string]string{c.Query, c.Headers} {
		for name, value := range values {
			if !looksSecret(name) {
				continue
			}
			for _, p := range parseTemplate(value).pieces {
				secrets = append(secrets, strings.TrimSpace(p.text))
				if _, after, ok := strings.Cut(strings.TrimSpace(p.text), " "); ok {
					secrets = append(secrets, after) // behind a scheme such as Token
				}
			}
		}
	}
	return secrets
}

// secretName finds the word in X-Api-Key and access_token, and not in keywords.
var secretName = regexp.MustCompile(`(?i)(^|[-_.])((api|access|auth|app)?[-_]?(key|token|id_token)|auth|authorization|secret|password|cookie|credentials?|signature)($|[-_.])`)

func looksSecret(name string) bool { return secretName.MatchString(name) }
