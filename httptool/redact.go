package httptool

import (
	"slices"
	"strings"

	"helve/internal/keylike"
	"helve/internal/secret"
)

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
		if isURL && len(path) >= secret.Shortest {
			secrets = append(secrets, v, path)
		} else if secret.IsNamed(name) || keylike.Text(v) {
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
			if !secret.IsNamed(name) {
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
