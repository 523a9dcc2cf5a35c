package netpolicy

import (
	"fmt"
	"net/netip"
	"syscall"
)

// checkDial is a net.Dialer's Control function. It sees the address that the
// connection will really have, so a name that resolves to another address the
// second time gains nothing.
func (p Policy) checkDial(_, address string, _ syscall.RawConn) error {
	if p.AllowPrivate {
		return nil
	}
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return refuse("the address %q can't be checked", address)
	}
	if !isPublic(to.Addr()) {
		return &Refusal{Reason: fmt.Sprintf("the address %s is not on the public internet", to.Addr()), Private: true}
	}
	return nil
}

var (
	nat64    = netip.MustParsePrefix("64:ff9b::/96") // RFC 6052: the last four bytes are an IPv4 address
	globalV6 = netip.MustParsePrefix("2000::/3")     // all of IPv6 that is given out as global unicast

	// notPublic are the IANA special-purpose addresses (RFC 6890 and its
	// registries) that netip's own predicates don't cover.
	notPublic = []netip.Prefix{
		netip.MustParsePrefix("0.0.0.0/8"),         // this network
		netip.MustParsePrefix("100.64.0.0/10"),     // carrier-grade NAT; Alibaba's metadata
		netip.MustParsePrefix("168.63.129.16/32"),  // Azure's host services
		netip.MustParsePrefix("192.0.0.0/24"),      // protocol assignments; Oracle's metadata
		netip.MustParsePrefix("192.0.2.0/24"),      // documentation
		netip.MustParsePrefix("192.31.196.0/24"),   // AS112, which answers for private names
		netip.MustParsePrefix("192.88.99.0/24"),    // 6to4 relays
		netip.MustParsePrefix("192.175.48.0/24"),   // AS112
		netip.MustParsePrefix("198.18.0.0/15"),     // benchmarks
		netip.MustParsePrefix("198.51.100.0/24"),   // documentation
		netip.MustParsePrefix("203.0.113.0/24"),    // documentation
		netip.MustParsePrefix("240.0.0.0/4"),       // reserved, and broadcast
		netip.MustParsePrefix("2001::/23"),         // protocol assignments; Teredo
		netip.MustParsePrefix("2001:db8::/32"),     // documentation
		netip.MustParsePrefix("2002::/16"),         // 6to4: holds any IPv4 address
		netip.MustParsePrefix("2620:4f:8000::/48"), // AS112
		netip.MustParsePrefix("3fff::/20"),         // documentation
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
