package remote

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"helve/netpolicy"
)

const (
	authTimeout = 30 * time.Second
	maxAuthBody = 1 << 20 // bytes of metadata or a token
)

// AuthClient returns the client for OAuth: metadata, registration and tokens, at
// whatever host the server names. It sends no configured header, follows redirects
// as package netpolicy does, and reads at most 1 MiB in at most 30 seconds. Where the
// server's own URL names an address or localhost, that host may be asked too, on
// any port; other private addresses only with AllowPrivate.
func (r *Remote) AuthClient() *http.Client {
	return netpolicy.Policy{Hosts: []string{"*"}}.Client(&authTransport{r}, authTimeout)
}

type authTransport struct{ *Remote }

func (a *authTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if a.ctx.Err() != nil {
		closeBody(req)
		return nil, errClosed
	}
	if err := (netpolicy.Policy{Hosts: []string{"*"}}).CheckURL(req.URL); err != nil {
		closeBody(req)
		return nil, err
	}
	transport := a.abroad
	if a.private && sameHost(req.URL.Hostname(), a.url.Hostname()) {
		transport = a.transport
	}
	response, err := transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	response.Body = &limited{response.Body, maxAuthBody}
	return response, nil
}

// sameHost takes all names of this machine for one.
func sameHost(a, b string) bool {
	return strings.EqualFold(a, b) || isLoopback(a) && isLoopback(b)
}

// limited is a body that fails after left bytes.
type limited struct {
	io.ReadCloser
	left int
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p[:min(len(p), l.left+1)])
	if n > l.left {
		return l.left, fmt.Errorf("the answer has more than %d bytes", maxAuthBody)
	}
	l.left -= n
	return n, err
}
