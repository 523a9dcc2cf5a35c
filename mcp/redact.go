package mcp

import (
	"cmp"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"helve/internal/keylike"
)

const (
	shortestVariable = 4 // to hide a shorter value would make riddles of errors
	shortestLiteral  = 8 // of one that stands in a file as it is
)

// hidden is what no error, log or status shows, and what stands there for it. The longest
// come first: one may hold another.
type hidden []struct{ value, shown string }

// secretName finds parameters of an address whose values are secrets by their names.
var secretName = regexp.MustCompile(`(?i)key|token|secret|passw|credential|auth`)

// hide finds the secrets of a server: what the environment put into its file, its keys,
// its headers, what its program is told, and the keys that stand in its address.
func hide(c *Config, environment map[string]string) hidden {
	var h hidden
	add := func(value, shown string, shortest int) {
		if len(value) >= shortest {
			h = append(h, struct{ value, shown string }{value, shown})
		}
	}
	for name, value := range environment {
		add(value, "${"+name+"}", shortestVariable)
	}
	add(c.APIKey.Reveal(), "[secret]", shortestLiteral)
	for _, value := range c.Headers {
		add(value.Reveal(), "[secret]", shortestLiteral)
		if _, key, ok := strings.Cut(value.Reveal(), " "); ok { // behind a scheme such as Bearer
			add(strings.TrimSpace(key), "[secret]", shortestLiteral)
		}
	}
	for _, value := range c.Env { // whatever its name is: MY_PAT and DATABASE_URL are secrets too
		add(value.Reveal(), "[secret]", shortestLiteral)
		add(password(value.Reveal()), "[secret]", shortestVariable)
	}
	add(password(c.URL), "[secret]", shortestVariable)
	for value, shown := range keysInURL(c.URL) {
		add(value, shown, shortestLiteral)
	}
	if c.OAuth != nil {
		add(c.OAuth.ClientSecret.Reveal(), "[secret]", shortestLiteral)
	}
	slices.SortFunc(h, func(a, b struct{ value, shown string }) int {
		return cmp.Or(cmp.Compare(len(b.value), len(a.value)), strings.Compare(a.value, b.value), strings.Compare(a.shown, b.shown))
	})
	return h
}

// keysInURL finds what in an address may be a key, and what stands there for it. Some
// services tell their users apart by a segment of the path alone; of such an address the
// origin is enough to know who is meant.
func keysInURL(address string) map[string]string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	found := map[string]string{}
	for segment := range strings.SplitSeq(u.Path, "/") {
		if keylike.Text(segment) {
			found[segment], found[u.Path], found[u.EscapedPath()] = "[secret]", "/[secret]", "/[secret]"
		}
	}
	for name, values := range u.Query() {
		for _, value := range values {
			if secretName.MatchString(name) || keylike.Text(value) {
				found[value] = "[secret]"
			}
		}
	}
	return found
}

// password is the one in a URL, as of a database.
func password(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	secret, _ := u.User.Password()
	return secret
}

// redaction takes out of a text the secrets of c, after what the host takes out, who may
// know where they come from.
func redaction(c *Config, host func(string) string) func(string) string {
	own := hide(c, nil)
	if host == nil {
		return own.in
	}
	return func(text string) string { return own.in(host(text)) }
}

// within reports whether a list holds a secret.
func (h hidden) within(l Listing) bool {
	return h.in(l.Server) != l.Server || slices.ContainsFunc(l.Tools, func(raw json.RawMessage) bool { return h.in(string(raw)) != string(raw) })
}

// in returns text without the secrets, as they are, quoted or escaped for a URL.
func (h hidden) in(text string) string {
	for _, one := range h {
		quoted := strconv.Quote(one.value)
		for _, form := range []string{one.value, quoted[1 : len(quoted)-1], url.QueryEscape(one.value), url.PathEscape(one.value)} {
			text = strings.ReplaceAll(text, form, one.shown)
		}
	}
	return text
}
