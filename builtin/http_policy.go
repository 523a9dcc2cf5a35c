package builtin

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
)

// HTTPPolicy says which servers [HTTPGet] may ask. The zero HTTPPolicy allows
// none.
type HTTPPolicy struct {
	// Hosts are the host names a URL may have, on any port: "example.com" is that
	// host alone, "*.example.com" every host below it but not itself, "*" any.
	// Letter case counts for nothing. An IP address is written without brackets.
	Hosts []string

	// AllowPrivate lets an allowed host be at an address that is not on the public
	// internet: loopback, private and link-local networks, and the metadata
	// services of clouds, which hand out credentials. Without it such a connection
	// is refused when it is made, after the name was resolved, so that no name and
	// no redirect leads there.
	AllowPrivate bool
}

// validate finds a host that could never match as its author meant it.
func (p HTTPPolicy) validate() error {
	for _, h := range p.Hosts {
		rest := strings.TrimPrefix(h, "*.")
		if h == "*" {
			continue
		}
		if _, err := netip.ParseAddr(rest); err == nil && rest == h {
			continue
		}
		if rest == "" || strings.ContainsAny(rest, "*/:@[]? ") {
			return fmt.Errorf("http_get: %q is not a host: write example.com, *.example.com or *, without scheme, port and path", h)
		}
	}
	return nil
}

// checkURL reports why u may not be asked. It runs for the model's URL and for
// each redirect.
func (p HTTPPolicy) checkURL(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return denied("http_get: only http and https URLs can be fetched, such as https://example.com/page")
	case u.Hostname() == "":
		return denied("http_get: the URL has no host: write it in full, such as https://example.com/page")
	case u.User != nil:
		return denied("http_get: the URL holds a user name: leave out what comes before the @")
	case !p.allows(u.Hostname()):
		return denied("http_get: the host %.100q is not allowed; allowed: %s", u.Hostname(), hostList(p.Hosts))
	}
	return nil
}

func (p HTTPPolicy) allows(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	for _, h := range p.Hosts {
		h = strings.ToLower(strings.TrimSuffix(h, "."))
		if h == "*" || h == host {
			return true
		}
		if suffix, ok := strings.CutPrefix(h, "*"); ok && strings.HasSuffix(host, suffix) && len(host) > len(suffix) {
			return true
		}
	}
	return false
}

// checkDial is a net.Dialer's Control function. It sees the address that the
// connection will really have, so a name that resolves to another address the
// second time gains nothing.
func (p HTTPPolicy) checkDial(_, address string, _ syscall.RawConn) error {
	if p.AllowPrivate {
		return nil
	}
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return denied("http_get: the address %q can't be checked", address)
	}
	if !isPublic(to.Addr()) {
		return denied("http_get: the address %s is not on the public internet", to.Addr())
	}
	return nil
}

var (
	nat64    = netip.MustParsePrefix("64:ff9b::/96") // RFC 6052: the last four bytes are an IPv4 address
	globalV6 = netip.MustParsePrefix("2000::/3")     // all of IPv6 that is given out as global unicast

	// notPublic are the IANA special-purpose addresses (RFC 6890 and its
	// registries) that netip's own predicates don't cover.
	notPublic = []netip.Prefix{
		netip.MustParsePrefix("0.0.0.0/8"),        // this network
		netip.MustParsePrefix("100.64.0.0/10"),    // carrier-grade NAT; Alibaba's metadata
		netip.MustParsePrefix("168.63.129.16/32"), // Azure's host services
		netip.MustParsePrefix("192.0.0.0/24"),     // protocol assignments; Oracle's metadata
		netip.MustParsePrefix("192.0.2.0/24"),     // documentation
		netip.MustParsePrefix("192.88.99.0/24"),   // 6to4 relays
		netip.MustParsePrefix("198.18.0.0/15"),    // benchmarks
		netip.MustParsePrefix("198.51.100.0/24"),  // documentation
		netip.MustParsePrefix("203.0.113.0/24"),   // documentation
		netip.MustParsePrefix("240.0.0.0/4"),      // reserved, and broadcast
		netip.MustParsePrefix("2001::/23"),        // protocol assignments; Teredo
		netip.MustParsePrefix("2001:db8::/32"),    // documentation
		netip.MustParsePrefix("2002::/16"),        // 6to4: holds any IPv4 address
		netip.MustParsePrefix("3fff::/20"),        // documentation
	}
)

func isPublic(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if nat64.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !globalV6.Contains(a) {
		return false
	}
	for _, p := range notPublic {
		if p.Contains(a) {
			return false
		}
	}
	return true
}
