package remote

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/http/httpguts"

	"helve/mcp/internal/asked"
	"helve/netpolicy"
)

const (
	maxBody      = 32 << 20 // bytes; reading it takes up to seven times as many
	maxConns     = 64       // idle ones: as many callers as are measured
	maxRedirects = 5
)

// Options say which server is reached, and how.
type Options struct {
	Name   string      // of the server, for errors and the log
	URL    *url.URL    // http or https, without user and password
	Header http.Header // credentials and the like: for the URL's own origin alone

	// AllowPrivate lets the URL's host be a name that leads to an address that is not
	// public. An address, or localhost, is allowed where the URL itself says it: no
	// name that suddenly means another machine is involved.
	AllowPrivate bool

	// Mend rewrites a JSON-RPC message of the server before the SDK reads it; what it makes
	// empty is left out. It may be called by several goroutines at once. nil leaves messages
	// as they are.
	Mend func([]byte) []byte

	Log *slog.Logger // slog.Default()
}

// Remote reaches one server. It is safe for concurrent use.
type Remote struct {
	name   string
	url    *url.URL
	header http.Header
	mend   func([]byte) []byte
	log    *slog.Logger

	secrets   []string // that a server could say back, in the body of an error
	private   bool     // the URL itself names an address, or localhost
	transport *http.Transport
	abroad    *http.Transport // of AuthClient, to other hosts

	open    asked.Open  // requests of the server
	leftOut atomic.Bool // some of them were

	spare sync.Pool                    // of event streams' buffers
	last  atomic.Pointer[RequestError] // what went wrong since the last call that was answered

	maxBody            int           // bytes of a JSON answer or of one event, after decompression
	minDelay, maxDelay time.Duration // of the keepers

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
}

// New makes a Remote. Nothing is sent before the first request. The error is for a
// URL that can't be asked, and for a header that can't be sent; it shows no value
// of a header and no password.
func New(o Options) (*Remote, error) {
	if err := checkURL(o.URL); err != nil {
		return nil, fmt.Errorf("mcp server %s: %w", o.Name, err)
	}
	log := cmp.Or(o.Log, slog.Default()).With("mcp_server", o.Name)
	header, err := cleanHeader(o.Header, log)
	if err != nil {
		return nil, fmt.Errorf("mcp server %s: %w", o.Name, err)
	}
	u := *o.URL
	u.Fragment, u.RawFragment = "", ""
	private := namesItself(u.Hostname())
	ctx, cancel := context.WithCancel(context.Background())
	return &Remote{
		name:      o.Name,
		url:       &u,
		header:    header,
		mend:      o.Mend,
		log:       log,
		secrets:   secretsOf(header, &u),
		private:   private,
		transport: newTransport(netpolicy.Policy{Hosts: []string{u.Hostname()}, AllowPrivate: o.AllowPrivate || private}),
		abroad:    newTransport(netpolicy.Policy{Hosts: []string{"*"}, AllowPrivate: o.AllowPrivate}),
		maxBody:   maxBody,
		minDelay:  200 * time.Millisecond,
		maxDelay:  30 * time.Second,
		ctx:       ctx,
		cancel:    cancel,
	}, nil
}

func newTransport(p netpolicy.Policy) *http.Transport {
	t := p.Transport()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = maxConns, maxConns
	dial := t.DialContext
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return check(conn), nil
	}
	return t
}

// checkURL is its own for what the author of a file must mend; the rest is the
// policy's.
func checkURL(u *url.URL) error {
	switch {
	case u == nil || u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("the URL must begin with http:// or https://, such as https://example.com/mcp")
	case u.User != nil:
		return fmt.Errorf("the URL holds a user name or password: leave out what comes before the @, and give an Authorization header")
	}
	return netpolicy.Policy{Hosts: []string{"*"}}.CheckURL(u)
}

// namesItself says whether host is an address, or this machine, so that no name
// server decides where it leads.
func namesItself(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil || isLoopback(host)
}

func isLoopback(host string) bool {
	if a, err := netip.ParseAddr(host); err == nil {
		return a.Unmap().IsLoopback()
	}
	return strings.EqualFold(strings.TrimSuffix(host, "."), "localhost")
}

// notConfigured are the headers that the connection or the protocol sets. An
// Idempotency-Key would make net/http send a POST twice.
var notConfigured = []string{
	"Accept-Encoding", "Connection", "Content-Length", "Content-Type", "Accept", "Host", "Idempotency-Key", "Keep-Alive",
	"Last-Event-Id", "Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version", "Mcp-Session-Id", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade", "X-Idempotency-Key",
}

// cleanHeader leaves out, with a warning, what foreign files set though it is not
// theirs, and fails for what can't be sent.
func cleanHeader(configured http.Header, log *slog.Logger) (http.Header, error) {
	header := http.Header{}
	for _, name := range slices.Sorted(maps.Keys(configured)) {
		if !httpguts.ValidHeaderFieldName(name) {
			return nil, fmt.Errorf("%.100q can't be the name of a header", name)
		}
		key := http.CanonicalHeaderKey(name)
		if slices.Contains(notConfigured, key) {
			log.Warn("the configured header is not sent: the protocol sets it", "header", key)
			continue
		}
		for _, value := range configured[name] {
			if !httpguts.ValidHeaderFieldValue(value) {
				return nil, fmt.Errorf("the value of the header %s can't be sent: it holds a line break or another control character", name)
			}
			header.Add(key, value)
		}
	}
	return header, nil
}

// Client returns the client for the SDK's StreamableClientTransport.
func (r *Remote) Client() *http.Client { return r.client(&streamable{r}) }

// SSEClient returns the client for the SDK's SSEClientTransport, whose GET is the
// session itself: when it ends, the session ends.
func (r *Remote) SSEClient() *http.Client { return r.client(&legacy{r}) }

func (r *Remote) client(via http.RoundTripper) *http.Client {
	return &http.Client{Transport: via, CheckRedirect: r.checkRedirect}
}

// Close ends the streams that are kept and closes the connections. What is asked
// afterwards fails, so end the session before.
func (r *Remote) Close() {
	r.cancel()
	r.transport.CloseIdleConnections()
	r.abroad.CloseIdleConnections()
}
