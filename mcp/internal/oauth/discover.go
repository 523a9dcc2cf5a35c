package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// challenge is what a server said when it refused a request.
type challenge struct {
	metadata   string // where its metadata is
	scopes     []string
	moreScopes bool // the token is good and lacks rights
}

func readChallenge(response *http.Response) (challenge, error) {
	var c challenge
	parsed, err := oauthex.ParseWWWAuthenticate(response.Header.Values("WWW-Authenticate"))
	if err != nil {
		return c, fmt.Errorf("its WWW-Authenticate header can't be read: %w", err)
	}
	for _, p := range parsed {
		if c.metadata == "" {
			c.metadata = p.Params["resource_metadata"]
		}
		if p.Scheme == "bearer" && len(c.scopes) == 0 {
			c.scopes = strings.Fields(p.Params["scope"])
		}
		why := p.Params["error"]
		if response.StatusCode == http.StatusForbidden && p.Scheme == "bearer" && (why == "insufficient_scope" || why == "" && p.Params["scope"] != "") {
			c.moreScopes = true // some servers leave the error out
		}
	}
	return c, nil
}

// server is what a server says of how to get tokens for it.
type server struct {
	resource  string   // the audience of its tokens
	scopes    []string // that it asks for: when it refused, else in its metadata
	meta      *oauthex.AuthServerMeta
	published bool // by its own metadata; else it is taken to be as servers of 2025-03-26 were
}

// discover finds the authorization server: by the metadata of the server (RFC 9728) and
// its own (RFC 8414), or where servers of protocol 2025-03-26 have it, at their root.
func (h *Handler) discover(ctx context.Context, c challenge) (*server, error) {
	s, issuer, err := h.protectedResource(ctx, c)
	if err != nil {
		return nil, h.errorf("what it says of its authorization can't be used: %w", err)
	}
	if len(c.scopes) > 0 {
		s.scopes = c.scopes
	}
	s.meta, err = auth.GetAuthServerMetadata(ctx, issuer, h.client)
	if err != nil {
		return nil, h.errorf("its authorization server: %w", err)
	}
	if s.meta == nil {
		base := strings.TrimSuffix(issuer, "/")
		s.meta = &oauthex.AuthServerMeta{
			Issuer:                issuer,
			AuthorizationEndpoint: base + "/authorize",
			TokenEndpoint:         base + "/token",
			RegistrationEndpoint:  base + "/register",
		}
	} else if !slices.Contains(s.meta.CodeChallengeMethodsSupported, "S256") {
		return nil, h.errorf("its authorization server does not know PKCE with S256, without which a login is not safe")
	}
	for _, endpoint := range []string{s.meta.AuthorizationEndpoint, s.meta.TokenEndpoint, s.meta.RegistrationEndpoint, s.meta.RevocationEndpoint} {
		if endpoint != "" && !secure(endpoint) {
			return nil, h.errorf("its authorization server names %q, which is not https", endpoint)
		}
	}
	if h.machine() && h.server != nil && h.server.meta.Issuer != s.meta.Issuer {
		return nil, h.errorf("it names another authorization server than before (%q): the client secret is not sent there", s.meta.Issuer)
	}
	h.server = s
	return s, nil
}

// protectedResource reads the server's own metadata.
func (h *Handler) protectedResource(ctx context.Context, c challenge) (s *server, issuer string, err error) {
	tap := &statusTap{next: h.client.Transport}
	if tap.next == nil {
		tap.next = http.DefaultTransport
	}
	client := *h.client
	client.Transport = tap
	var wrong error
	for _, place := range metadataPlaces(c.metadata, h.config.URL) {
		tap.found = false
		m, err := oauthex.GetProtectedResourceMetadata(ctx, place.url, place.resource, &client)
		switch {
		case err == nil && len(m.AuthorizationServers) == 0:
			return nil, "", fmt.Errorf("%s names no authorization server", place.url)
		case err == nil:
			return &server{resource: m.Resource, scopes: m.ScopesSupported, published: true}, m.AuthorizationServers[0], nil
		case tap.err != nil:
			return nil, "", err // it can't be reached: to guess would lead astray
		case tap.found && wrong == nil:
			wrong = err
		}
	}
	root, err := url.Parse(h.config.URL)
	if err != nil {
		return nil, "", err
	}
	if wrong != nil && root.RawQuery != "" {
		wrong = errors.New(strings.ReplaceAll(wrong.Error(), root.RawQuery, "…")) // it may hold a key
	}
	if wrong != nil {
		return nil, "", wrong
	}
	return &server{resource: h.config.URL}, root.Scheme + "://" + root.Host, nil
}

// place is where metadata may be, and which resource it must be of.
type place struct{ url, resource string }

func metadataPlaces(named, resource string) []place {
	var places []place
	if named != "" {
		places = append(places, place{named, resource})
	}
	u, err := url.Parse(resource)
	if err != nil {
		return places
	}
	const wellKnown = "/.well-known/oauth-protected-resource"
	root := u.Scheme + "://" + u.Host
	if path := strings.Trim(u.EscapedPath(), "/"); path != "" {
		places = append(places, place{root + wellKnown + "/" + path, resource})
	}
	return append(places, place{root + wellKnown, root})
}

// statusTap tells metadata that is there and wrong from metadata that is not there,
// which the SDK's errors do not.
type statusTap struct {
	next  http.RoundTripper
	found bool
	err   error
}

func (t *statusTap) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.next.RoundTrip(r)
	if t.err = err; err == nil {
		t.found = response.StatusCode == http.StatusOK && strings.HasPrefix(response.Header.Get("Content-Type"), "application/json")
	}
	return response, err
}

// secure says whether a secret may be sent to an address.
func secure(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return false
	}
	switch u.Scheme {
	case "https":
		return true
	case "http":
		if strings.EqualFold(u.Hostname(), "localhost") {
			return true
		}
		ip, err := netip.ParseAddr(u.Hostname())
		return err == nil && ip.IsLoopback()
	}
	return false
}
