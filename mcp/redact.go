package mcp

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	shortestVariable = 4 // to hide a shorter value would make riddles of errors
	shortestLiteral  = 8 // of one that stands in a file as it is
)

// hidden is what no error, log or status shows, and what stands there for it. The longest
// come first: one may hold another.
type hidden []struct{ value, shown string }

// secretName finds environment variables whose values are secrets by their names.
var secretName = regexp.MustCompile(`(?i)key|token|secret|passw|credential|auth`)

// hide finds the secrets of a server: what the environment put into its file, its keys
// and its headers.
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
	for name, value := range c.Env {
		if secretName.MatchString(name) {
			add(value.Reveal(), "[secret]", shortestLiteral)
		}
	}
	if c.OAuth != nil {
		add(c.OAuth.ClientSecret.Reveal(), "[secret]", shortestLiteral)
	}
	slices.SortFunc(h, func(a, b struct{ value, shown string }) int {
		return cmp.Or(cmp.Compare(len(b.value), len(a.value)), strings.Compare(a.value, b.value), strings.Compare(a.shown, b.shown))
	})
	return h
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
