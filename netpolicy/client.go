package netpolicy

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	maxRedirects   = 5
	maxHeaderBytes = 64 << 10
	connectTimeout = 10 * time.Second
	idleTimeout    = 30 * time.Second
)

// Transport returns a new transport that connects only to addresses that p
// allows, whatever name led there. It uses no proxy. It keeps idle connections
// for half a minute; who makes it closes them.
func (p Policy) Transport() *http.Transport {
	dialer := &net.Dialer{Timeout: connectTimeout, Control: p.checkDial}
	return &http.Transport{
		Proxy:                  nil,
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    connectTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		MaxIdleConns:           16,
		IdleConnTimeout:        idleTimeout,
	}
}

// Client returns a client over transport, which is one of [Policy.Transport] or
// wraps one. A request takes no longer than timeout, its body included; 0 is no
// limit. The client follows at most 5 redirects, to URLs that p allows. A
// redirect to another origin (scheme, host and port) is asked without the
// request's own headers, since any of them may be a key, and is refused where
// it would send the body again.
func (p Policy) Client(transport http.RoundTripper, timeout time.Duration) *http.Client {
	return &http.Client{Transport: transport, Timeout: timeout, CheckRedirect: p.checkRedirect}
}

func (p Policy) checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return fmt.Errorf("more than %d redirects", maxRedirects)
	}
	if err := p.CheckURL(req.URL); err != nil {
		return err
	}
	req.Header.Del("Referer") // the first URL is not the next server's business
	if sameOrigin(append(via, req)) {
		return nil
	}
	if req.Body != nil && req.Body != http.NoBody {
		return refuse("a redirect that sends the data to another server is not followed: %s", Place(req.URL))
	}
	keepHarmless(req.Header)
	return nil
}

// sameOrigin is false as soon as one request went elsewhere: a server that was
// asked without credentials must not send the client back with them.
func sameOrigin(chain []*http.Request) bool {
	for _, req := range chain {
		if origin(req.URL) != origin(chain[0].URL) {
			return false
		}
	}
	return true
}

func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// keepHarmless leaves the headers that say what the client understands.
func keepHarmless(h http.Header) {
	for name := range h {
		switch name {
		case "Accept", "Accept-Language", "User-Agent":
		default:
			delete(h, name)
		}
	}
}
