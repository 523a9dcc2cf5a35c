package mcp

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/http/httpguts"
)

// fault is one thing that is wrong with a [Config]. Key is the one of a YAML file, as a
// JSON Pointer (RFC 6901).
type fault struct{ key, message, hint string }

func (f fault) Error() string { return strings.TrimPrefix(f.key, "/") + ": " + f.message }

// faults collects what is wrong with a Config, so that its author reads all of it.
type faults []fault

func (f *faults) add(key, hint, format string, args ...any) {
	*f = append(*f, fault{key, fmt.Sprintf(format, args...), hint})
}

// err joins them.
func (f faults) err() error {
	errs := make([]error, len(f))
	for i, one := range f {
		errs[i] = one
	}
	return errors.Join(errs...)
}

// check finds what no type can. None of it shows a value that may be secret.
func (c *Config) check() faults {
	var f faults
	if strings.TrimSpace(c.Name) == "" {
		f.add("/name", "give it one", "the name is empty")
	}
	if !printed(c.Name) { // it is shown to people, and may come from a stranger's file
		f.add("/name", "write it with letters, digits and dashes", "the name has a character that nobody sees: %.60q", c.Name)
	}
	switch {
	case c.Command == "" && c.URL == "":
		f.add("", "write command for a program, or mcp_server_url for a server on the network", "nothing says how the server is reached")
	case c.Command != "" && c.URL != "":
		f.add("/mcp_server_url", "take one of them out", "a server is a command or has a URL, not both")
	case c.URL != "":
		c.checkRemote(&f)
	default:
		c.checkCommand(&f)
	}
	c.checkWords(&f)
	for _, list := range []struct {
		key   string
		globs []string
	}{{"/allow", c.Allow}, {"/deny", c.Deny}, {"/idempotent", c.Idempotent}} {
		for i, glob := range list.globs {
			if _, err := path.Match(glob, ""); err != nil {
				f.add(fmt.Sprintf("%s/%d", list.key, i), "name tools, with * for any letters", "%q is no pattern", glob)
			}
		}
	}
	for _, limit := range []struct {
		key string
		d   time.Duration
	}{{"/timeout", c.Timeout}, {"/idle_timeout", c.IdleTimeout}, {"/connect_timeout", c.ConnectTimeout}, {"/list_timeout", c.ListTimeout}} {
		if limit.d < 0 {
			f.add(limit.key, "write a time such as 30s, or leave it out", "a time must not be negative")
		}
	}
	return f
}

// printed reports whether all of a text is seen where it is printed.
func printed(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// checkWords finds words that mean nothing.
func (c *Config) checkWords(f *faults) {
	word := func(key, got string, known ...string) {
		if got == "" || slices.Contains(known, got) {
			return
		}
		f.add(key, cmp.Or(meant(got, known...), "write "+strings.Join(known, ", ")), "%.40q is not known", got)
	}
	if t, known := typeElsewhere(string(c.Type)); known {
		f.add("/type", "did you mean "+string(t)+"?", "%.40q is not known", c.Type)
	} else {
		word("/type", string(c.Type), string(Stdio), string(HTTP), string(SSE), string(REST))
	}
	word("/protocol", c.Protocol, "auto", "2025-11-25", "2026-07-28")
	word("/elicitation", string(c.Elicitation), string(Ask), string(Decline))
	word("/sampling", string(c.Sampling), string(Ask), string(Decline))
	if c.OAuth != nil {
		word("/oauth/grant", c.OAuth.Grant, "authorization_code", "client_credentials")
	}
}

func (c *Config) checkCommand(f *faults) {
	if words := strings.Fields(c.Command); len(words) > 1 && len(c.Args) == 0 && !strings.ContainsAny(words[0], `/\`) {
		f.add("/command", "write the program alone, and what follows it in args", "the command has blanks in it")
	}
	if c.Type == HTTP || c.Type == SSE || c.Type == REST {
		f.add("/type", "leave type out", "a command is a server of the type stdio")
	}
	for _, name := range sorted(c.Env) {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			f.add("/env", "", "%.40q is no name of an environment variable", name)
		}
		if strings.ContainsRune(c.Env[name].Reveal(), 0) {
			f.add("/env/"+escaped(name), "", "the value has a byte 0, which no environment variable can have")
		}
	}
	for _, only := range []struct {
		key   string
		given bool
	}{
		{"/mcp_api_key", c.APIKey != ""}, {"/api_key_header", c.APIKeyHeader != ""}, {"/headers", len(c.Headers) > 0}, {"/oauth", c.OAuth != nil},
	} {
		if only.given {
			f.add(only.key, "give the program what it needs in env", "a program gets no headers")
		}
	}
}

func (c *Config) checkRemote(f *faults) {
	u, err := url.Parse(c.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		f.add("/mcp_server_url", "write it in full, such as https://example.com/mcp", "this is not the URL of a server")
	}
	if c.Type == Stdio {
		f.add("/type", "write http, sse or rest, or leave it out", "a server of the type stdio has a command and no URL")
	}
	for _, only := range []struct {
		key   string
		given bool
	}{{"/args", len(c.Args) > 0}, {"/env", len(c.Env) > 0}, {"/dir", c.Dir != ""}} {
		if only.given {
			f.add(only.key, "take it out", "this is for a program, and the server has a URL")
		}
	}
	if c.APIKeyHeader != "" && c.APIKey == "" {
		f.add("/api_key_header", "write mcp_api_key too", "there is no key for this header")
	}
	if c.APIKeyHeader != "" && !httpguts.ValidHeaderFieldName(c.APIKeyHeader) {
		f.add("/api_key_header", "", "%.40q is no name of a header", c.APIKeyHeader)
	}
	if !httpguts.ValidHeaderFieldValue(c.APIKey.Reveal()) {
		f.add("/mcp_api_key", "is a line break in it?", "the key can't stand in a header")
	}
	for _, name := range sorted(c.Headers) {
		if !httpguts.ValidHeaderFieldName(name) {
			f.add("/headers", "", "%.40q is no name of a header", name)
		}
		if !httpguts.ValidHeaderFieldValue(c.Headers[name].Reveal()) {
			f.add("/headers/"+escaped(name), "is a line break in it?", "the value can't stand in a header")
		}
	}
	c.checkOAuth(f)
}

func (c *Config) checkOAuth(f *faults) {
	o := c.OAuth
	if o == nil {
		return
	}
	if c.Type == REST {
		f.add("/oauth", "write mcp_api_key", "a server of the type rest knows no OAuth")
	}
	if o.Grant == "client_credentials" && (o.ClientID == "" || o.ClientSecret == "") {
		f.add("/oauth/grant", "write client_id and client_secret", "client_credentials needs both a name and a secret")
	}
	if o.CallbackPort < 0 || o.CallbackPort > 65535 {
		f.add("/oauth/callback_port", "write a number up to 65535", "%d is no port", o.CallbackPort)
	}
}

// escaped is a step of a JSON Pointer.
func escaped(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }
