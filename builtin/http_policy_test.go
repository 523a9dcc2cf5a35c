package builtin

import (
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"testing"

	"helve/tool"
)

func TestPolicyHosts(t *testing.T) {
	t.Parallel()
	policy := HTTPPolicy{Hosts: []string{"Example.com", "*.wiki.org", "192.0.2.1", "2001:db8::1"}}
	tests := []struct {
		url  string
		want bool
	}{
		{"https://example.com/", true},
		{"http://EXAMPLE.com:8080/x?y=z", true},
		{"https://example.com./", true},
		{"https://www.example.com/", false},
		{"https://example.com.evil.org/", false},
		{"https://evilexample.com/", false},
		{"https://en.wiki.org/", true},
		{"https://a.b.wiki.org/", true},
		{"https://wiki.org/", false},
		{"https://.wiki.org/", false},
		{"https://evilwiki.org/", false},
		{"http://192.0.2.1/", true},
		{"http://192.0.2.10/", false},
		{"http://[2001:db8::1]:80/", true},
		{"https://user:pass@example.com/", false},
		{"https://example.com@evil.org/", false},
		{"ftp://example.com/", false},
		{"file:///etc/passwd", false},
		{"//example.com/", false},
		{"example.com", false},
		{"https:///path", false},
		{"https:example.com", false},
	}
	for _, test := range tests {
		t.Run(test.url, func(t *testing.T) {
			t.Parallel()
			u, err := url.Parse(test.url)
			if err != nil {
				t.Fatal(err)
			}
			err = policy.checkURL(u)
			if (err == nil) != test.want {
				t.Fatalf("got error %v, want allowed %v", err, test.want)
			}
			var e *tool.Error
			if err != nil && (!errors.As(err, &e) || e.Kind != tool.KindPermissionDenied) {
				t.Errorf("got error %v, want kind permission_denied", err)
			}
		})
	}
}

func TestEmptyPolicyAllowsNothing(t *testing.T) {
	t.Parallel()
	if err := (HTTPPolicy{AllowPrivate: true}).checkURL(&url.URL{Scheme: "https", Host: "example.com"}); err == nil {
		t.Error("the zero policy allowed a host")
	}
}

func TestPolicyWithABadHost(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"", "https://example.com", "example.com/path", "example.com:80", "*.", "a.*.com", "**", "*.[::1]", "user@example.com", "*.127.0.0.1:1"} {
		if _, err := HTTPGet(HTTPPolicy{Hosts: []string{"example.com", host}}); err == nil {
			t.Errorf("%q was taken for a host", host)
		}
	}
	for _, host := range []string{"*", "localhost", "*.example.com", "::1", "127.0.0.1"} {
		if _, err := HTTPGet(HTTPPolicy{Hosts: []string{host}}); err != nil {
			t.Error(err)
		}
	}
}

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

func TestClientUsesNoProxy(t *testing.T) {
	t.Parallel()
	if newHTTPClient(HTTPPolicy{}).Transport.(*http.Transport).Proxy != nil {
		t.Error("a proxy would connect past the check of the address")
	}
}
