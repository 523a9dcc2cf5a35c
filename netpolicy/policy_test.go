package netpolicy

import (
	"errors"
	"net/url"
	"testing"
)

func TestPolicyHosts(t *testing.T) {
	t.Parallel()
	policy := Policy{Hosts: []string{"Example.com", "*.wiki.org", "192.0.2.1", "2001:db8::1", "*.113.9", "fe80::1"}}
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
		{"http://203.0.113.9/", false},
		{"http://[::1%25.wiki.org]/", false},
		{"http://[fe80::1]/", true},
		{"http://[fe80::1%25eth0]/", false},
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
			err = policy.CheckURL(u)
			if (err == nil) != test.want {
				t.Fatalf("got error %v, want allowed %v", err, test.want)
			}
			var refusal *Refusal
			if err != nil && !errors.As(err, &refusal) {
				t.Errorf("got error %v, want a Refusal", err)
			}
		})
	}
}

// A zone is refused also where any host is allowed: no server is named by one.
func TestZoneIsNoHost(t *testing.T) {
	t.Parallel()
	u := &url.URL{Scheme: "http", Host: "[::1%.example.com]"}
	if err := (Policy{Hosts: []string{"*"}}).CheckURL(u); err == nil {
		t.Error("it is allowed")
	}
}

func TestEmptyPolicyAllowsNothing(t *testing.T) {
	t.Parallel()
	if err := (Policy{AllowPrivate: true}).CheckURL(&url.URL{Scheme: "https", Host: "example.com"}); err == nil {
		t.Error("the zero policy allowed a host")
	}
}

func TestPolicyWithABadHost(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"", "https://example.com", "example.com/path", "example.com:80", "*.", "a.*.com", "**", "*.[::1]", "user@example.com", "*.127.0.0.1:1"} {
		if err := (Policy{Hosts: []string{"example.com", host}}).Check(); err == nil {
			t.Errorf("%q was taken for a host", host)
		}
	}
	for _, host := range []string{"*", "localhost", "*.example.com", "::1", "127.0.0.1"} {
		if err := (Policy{Hosts: []string{host}}).Check(); err != nil {
			t.Error(err)
		}
	}
}
