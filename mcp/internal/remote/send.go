package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"helve/netpolicy"
)

// RequestError is why a request failed. It is found with [errors.As] in what the
// SDK returns for a call, where the SDK does not lose it; [Watch] finds it always.
type RequestError struct {
	// NotRun says that the server did not act on the request, for certain: nothing of
	// it was written, or the answer says so.
	NotRun bool

	Place string // the URL without its query
	Err   error  // a *StatusError where the server answered
}

func (e *RequestError) Error() string { return e.Place + ": " + e.Err.Error() }
func (e *RequestError) Unwrap() error { return e.Err }

var errClosed = errors.New("the connection to the server is closed")

// send sends req to the server, with the configured headers, and to nobody else.
// A connection that the server had closed already is no failure as long as nothing
// was written, which net/http sees to, or where the request may be repeated.
func (r *Remote) send(req *http.Request, repeatable bool) (*http.Response, *RequestError) {
	if err := r.mayAsk(req.URL); err != nil {
		closeBody(req)
		return nil, &RequestError{NotRun: true, Place: netpolicy.Place(req.URL), Err: err}
	}
	out := req.WithContext(req.Context())
	out.Header = r.withConfigured(req.Header)
	body := follow(out)
	response, err := r.transport.RoundTrip(out)
	if err != nil && repeatable && body.begun() && req.Context().Err() == nil && rewind(out) {
		response, err = r.transport.RoundTrip(out)
	}
	if err != nil {
		return nil, &RequestError{NotRun: !body.begun() || unreached(err), Place: netpolicy.Place(req.URL), Err: netpolicy.WithoutURL(err)}
	}
	return response, nil
}

func (r *Remote) mayAsk(u *url.URL) error {
	if r.ctx.Err() != nil {
		return errClosed
	}
	if same := u.Scheme == r.url.Scheme && u.Host == r.url.Host; !same && origin(u) != origin(r.url) {
		return fmt.Errorf("it was named by the server at %s and is another origin, which is not asked; if it is right, write its URL into the configuration", origin(r.url))
	}
	return nil
}

// checkRedirect is for an [http.Client]. A redirect is an answer to a request that
// was not acted upon.
func (r *Remote) checkRedirect(req *http.Request, via []*http.Request) error {
	from := via[len(via)-1]
	refuse := func(format string, args ...any) error {
		err := &RequestError{NotRun: true, Place: netpolicy.Place(from.URL), Err: fmt.Errorf(format, args...)}
		r.failed(req.Context(), err)
		return err
	}
	to := netpolicy.Place(req.URL)
	switch {
	case req.URL.User != nil || origin(req.URL) != origin(r.url):
		return refuse("the server redirects to another origin, %s, which is not followed; if it is right, write its URL into the configuration", to)
	case req.Method != via[0].Method:
		return refuse("the server redirects to %s in a way that loses the message; write that URL into the configuration", to)
	case len(via) > maxRedirects:
		return refuse("the server redirects more than %d times", maxRedirects)
	}
	req.Header.Del("Referer") // it repeats the query
	return nil
}

func (r *Remote) withConfigured(h http.Header) http.Header {
	if len(r.header) == 0 {
		return h
	}
	h = h.Clone()
	for name, values := range r.header {
		if _, set := h[name]; !set {
			h[name] = values
		}
	}
	return h
}

func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// upload is the body of a request. It knows whether some of it may have been written:
// net/http reads it only for that, and asks for it anew only where it wrote nothing of
// what it read. (Package httptrace would say the same, for eight allocations a call.)
type upload struct {
	io.ReadCloser
	anew func() (io.ReadCloser, error)
	read *atomic.Bool // one of all uploads of a request
}

// follow puts an upload in the place of req's body. It returns nil where there is none:
// the server may act on the head alone then.
func follow(req *http.Request) *upload {
	if req.Body == nil || req.Body == http.NoBody {
		return nil
	}
	u := &upload{req.Body, req.GetBody, new(atomic.Bool)}
	req.Body = u
	if u.anew != nil {
		req.GetBody = u.again
	}
	return u
}

func (u *upload) Read(p []byte) (int, error) {
	u.read.Store(true)
	return u.ReadCloser.Read(p)
}

func (u *upload) again() (io.ReadCloser, error) {
	body, err := u.anew()
	if err != nil {
		return nil, err
	}
	u.read.Store(false)
	return &upload{body, u.anew, u.read}, nil
}

// begun says whether some of the request may have been written.
func (u *upload) begun() bool { return u == nil || u.read.Load() }

// unreached says whether err is that of a connection which did not come about.
func unreached(err error) bool {
	dial, ok := errors.AsType[*net.OpError](err)
	return ok && dial.Op == "dial"
}

// rewind makes a request that failed ready to be sent again.
func rewind(req *http.Request) bool {
	if req.Body == nil || req.Body == http.NoBody {
		return true
	}
	if req.GetBody == nil {
		return false
	}
	body, err := req.GetBody()
	req.Body = body
	return err == nil
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		req.Body.Close()
	}
}

// failed keeps err for Explain, and for who watches ctx.
func (r *Remote) failed(ctx context.Context, err *RequestError) {
	if ctx.Err() != nil {
		return // who gave up needs no explanation
	}
	r.last.Store(err)
	watched(ctx).failed(err)
}
