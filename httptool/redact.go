package httptool

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"
)

// shortestSecret is where taking out a text would hurt more than it protects.
const shortestSecret = 6

var hidden = []byte("[secret]")

// redact takes secrets out of what a server sent back, as they are and as they
// stand in a URL. Some servers repeat a whole request in their errors.
func redact(data []byte, secrets []string) []byte {
	for _, s := range secrets {
		if len(s) < shortestSecret {
			continue
		}
		data = bytes.ReplaceAll(data, []byte(s), hidden)
		if escaped := url.QueryEscape(s); escaped != s {
			data = bytes.ReplaceAll(data, []byte(escaped), hidden)
		}
	}
	return data
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
