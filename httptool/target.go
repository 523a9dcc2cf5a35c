package httptool

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"helve/internal/jsonobject"
)

// target is where a request goes: an origin that never changes, and a path and a
// query that arguments fill.
type target struct {
	origin string // scheme://host
	host   string // without the port
	path   template
	query  []pair
}

// pair is a key of a query, a header or a form, and the template of its value.
type pair struct {
	key   string
	value template
}

// parseTarget reads api_url. The text before the path holds no argument, so that
// none can choose the server. What it says of a wrong one shows nothing of it: a part
// of a key may stand there.
func parseTarget(apiURL string) (target, error) {
	scheme, rest, ok := strings.Cut(apiURL, "://")
	if !ok || scheme != "http" && scheme != "https" {
		return target{}, errors.New("write the whole URL, such as https://api.example.com/v1/search")
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	authority, rest := rest[:end], rest[end:]
	if strings.ContainsAny(authority, "{}") {
		return target{}, errors.New("no argument may choose the host: write the host in full, and a tool for each host; ${NAME} takes it from the environment")
	}
	origin, err := url.Parse(scheme + "://" + authority)
	switch {
	case err != nil:
		return target{}, errors.New("what stands between :// and the path is no host, or no host and port")
	case origin.Hostname() == "":
		return target{}, errors.New("the URL has no host")
	case origin.User != nil:
		return target{}, errors.New("leave out the user name before the @: write auth_method: basic, username and password")
	case strings.Contains(rest, "#"):
		return target{}, errors.New("leave out what begins with #: a server never sees it")
	}
	path, query, _ := strings.Cut(rest, "?")
	t := target{origin: origin.Scheme + "://" + origin.Host, host: origin.Hostname(), path: parseTemplate(path)}
	if _, err := url.Parse(t.origin + path); err != nil {
		return target{}, fmt.Errorf("the path: %w", errors.Unwrap(err))
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return target{}, fmt.Errorf("the query: %w", err)
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		for _, value := range values[key] {
			t.query = append(t.query, pair{key, parseTemplate(value)})
		}
	}
	return t, nil
}

// url returns the URL of a call. Its path and query come from args, its origin
// does not.
func (t target) url(args arguments) (*url.URL, error) {
	for _, p := range t.path.pieces {
		if p.argument != "" && listText(orNull(args[p.argument]), asIs) == "" {
			return nil, fmt.Errorf("%s must not be empty: it is part of the URL's path", p.argument)
		}
	}
	path, ok := t.path.expand(args, url.PathEscape)
	if !ok {
		return nil, errors.New("an argument of the URL's path is missing")
	}
	if climbs(path) {
		return nil, errors.New("an argument would make . or .. a segment of the URL's path")
	}
	u, err := url.Parse(t.origin + path)
	if err != nil {
		return nil, errors.New("the arguments make no valid URL")
	}
	query := url.Values{}
	addPairs(query, t.query, args)
	u.RawQuery = query.Encode()
	return u, nil
}

// climbs finds segments that a server, or something on the way to it, takes for
// the way up. Some see them behind an escaped slash too.
func climbs(escaped string) bool {
	path, err := url.PathUnescape(escaped)
	if err != nil {
		return true
	}
	for _, segment := range strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' }) {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

// addPairs fills in a query or a form. A pair with an argument that was not given
// is left out.
func addPairs(values url.Values, pairs []pair, args arguments) {
	for _, p := range pairs {
		if one, ok := p.value.alone(); ok && one.explode {
			addExploded(values, p.key, orNull(args[one.argument]))
			continue
		}
		if text, ok := p.value.expand(args, asIs); ok {
			values.Add(p.key, text)
		}
	}
}

// addExploded adds key once for each element of a list, and for an object its own
// keys.
func addExploded(values url.Values, key string, raw []byte) {
	switch {
	case jsonobject.IsNull(raw):
	case jsonobject.IsObject(raw):
		all, err := jsonobject.Read(raw)
		if err != nil {
			return
		}
		for _, m := range all {
			if !jsonobject.IsNull(m.Value) {
				values.Add(m.Key, listText(m.Value, asIs))
			}
		}
	default:
		for _, text := range elements(raw) {
			values.Add(key, text)
		}
	}
}

func orNull(raw []byte) []byte {
	if len(raw) == 0 {
		return []byte("null")
	}
	return raw
}
