package netpolicy

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// Policy says which servers may be asked. The zero Policy allows none. It is a
// value: nothing here changes it.
type Policy struct {
	// Hosts are the host names a URL may have, on any port: "example.com" is that
	// host alone, "*.example.com" every host below it but not itself, "*" any.
	// Letter case counts for nothing. An IP address is written without brackets; it is
	// below no host.
	Hosts []string

	// AllowPrivate lets an allowed host be at an address that is not on the public
	// internet: loopback, private and link-local networks, and the metadata
	// services of clouds, which hand out credentials. Without it such a connection
	// is refused when it is made, after the name was resolved, so that no name and
	// no redirect leads there.
	AllowPrivate bool
}

// Check finds a host that could never match as its author meant it.
func (p Policy) Check() error {
	for _, h := range p.Hosts {
		rest := strings.TrimPrefix(h, "*.")
		if h == "*" {
			continue
		}
		if _, err := netip.ParseAddr(rest); err == nil && rest == h {
			continue
		}
		if rest == "" || strings.ContainsAny(rest, "*/:@[]? ") {
			return fmt.Errorf("%q is not a host: write example.com, *.example.com or *, without scheme, port and path", h)
		}
	}
	return nil
}

// CheckURL reports why u may not be asked. A client of this package runs it for
// each redirect; the first URL is the caller's to check. The error is a
// [*Refusal].
func (p Policy) CheckURL(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return refuse("only http and https URLs can be fetched, such as https://example.com/page")
	case u.Hostname() == "":
		return refuse("the URL has no host: write it in full, such as https://example.com/page")
	case u.User != nil:
		return refuse("the URL holds a user name: leave out what comes before the @")
	case strings.Contains(u.Hostname(), "%"):
		return refuse("the host %.100q names a zone: leave out what begins with %%", u.Hostname())
	case !p.allows(u.Hostname()):
		return refuse("the host %.100q is not allowed; allowed: %s", u.Hostname(), p.HostList())
	}
	return nil
}

// HostList is the hosts as words for a model, and short.
func (p Policy) HostList() string {
	switch {
	case len(p.Hosts) == 0:
		return "none"
	case len(p.Hosts) > 20:
		return strings.Join(p.Hosts[:20], ", ") + " and others"
	}
	return strings.Join(p.Hosts, ", ")
}

func (p Policy) allows(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	_, err := netip.ParseAddr(host)
	isName := err != nil
	for _, h := range p.Hosts {
		h = strings.ToLower(strings.TrimSuffix(h, "."))
		if h == "*" || h == host {
			return true
		}
		if suffix, ok := strings.CutPrefix(h, "*"); ok && isName && strings.HasSuffix(host, suffix) && len(host) > len(suffix) {
			return true
		}
	}
	return false
}
