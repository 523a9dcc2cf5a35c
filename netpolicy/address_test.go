package netpolicy

import (
	"net/netip"
	"testing"
)

func TestIsPublic(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"8.8.8.8":                true,
		"2606:4700::1111":        true,
		"::ffff:8.8.8.8":         true,
		"64:ff9b::808:808":       true, // NAT64 of 8.8.8.8
		"127.0.0.1":              false,
		"127.8.8.8":              false,
		"0.0.0.0":                false,
		"0.1.2.3":                false,
		"10.1.2.3":               false,
		"172.16.0.1":             false,
		"192.168.1.1":            false,
		"169.254.169.254":        false,
		"100.64.0.1":             false,
		"100.100.100.200":        false,
		"168.63.129.16":          false,
		"192.0.0.192":            false,
		"192.0.2.1":              false,
		"198.18.0.1":             false,
		"192.31.196.1":           false,
		"192.175.48.6":           false,
		"2620:4f:8000::6":        false,
		"2620:4f:8001::6":        true,
		"203.0.113.9":            false,
		"224.0.0.1":              false,
		"240.0.0.1":              false,
		"255.255.255.255":        false,
		"::":                     false,
		"::1":                    false,
		"::127.0.0.1":            false,
		"::ffff:127.0.0.1":       false,
		"::ffff:169.254.169.254": false,
		"64:ff9b::7f00:1":        false, // NAT64 of 127.0.0.1
		"64:ff9b::a9fe:a9fe":     false, // NAT64 of 169.254.169.254
		"64:ff9b:1::1":           false,
		"2002:7f00:1::":          false,
		"2001::1":                false,
		"2001:db8::1":            false,
		"fc00::1":                false,
		"fd00:ec2::254":          false,
		"fe80::1":                false,
		"fe80::1%eth0":           false,
		"fec0::1":                false,
		"ff02::1":                false,
	} {
		if got := isPublic(netip.MustParseAddr(address)); got != want {
			t.Errorf("isPublic(%s) = %v, want %v", address, got, want)
		}
	}
}
