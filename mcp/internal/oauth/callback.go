package oauth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"helve/internal/excerpt"
)

const (
	callbackPath = "/callback"
	callbackPort = 19485 // unless something else has it: a port that stays keeps a registration good
	loginWait    = 5 * time.Minute
)

// callback waits on this machine for the browser to come back from the login.
type callback struct {
	listener net.Listener
	server   *http.Server
	served   chan struct{}

	state string                 // that the browser must bring back
	check func(url.Values) error // what it brings besides
	came  chan outcome
}

type outcome struct {
	code string
	err  error
}

// listen opens the port of the redirect: the configured one, that of the registration,
// or helve's own, and where it is taken any other.
func (h *Handler) listen(s *server) (*callback, error) {
	port := cmp.Or(h.config.CallbackPort, callbackPort)
	if h.config.CallbackPort == 0 && h.canReuse(s) {
		if u, err := url.Parse(h.known.RedirectURI); err == nil {
			if p, err := strconv.Atoi(u.Port()); err == nil {
				port = p
			}
		}
	}
	listener, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil && h.config.CallbackPort != 0 && h.config.ClientID != "" && !h.document() {
		return nil, h.errorf("the callback port %d, which the client is registered with, can't be opened: %w", port, err)
	}
	if err != nil {
		listener, err = net.Listen("tcp4", "127.0.0.1:0")
	}
	if err != nil {
		return nil, h.errorf("no port can be opened for the browser to come back to: %w", err)
	}
	return &callback{listener: listener, came: make(chan outcome, 1), served: make(chan struct{})}, nil
}

func (c *callback) url() string { return "http://" + c.listener.Addr().String() + callbackPath }

func (c *callback) serve() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+callbackPath, c.answer)
	c.server = &http.Server{Handler: mux, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	go func() {
		defer close(c.served)
		_ = c.server.Serve(c.listener) // it ends when it is closed
	}()
}

// answer takes the first request that brings the state back. Another is not from the
// login, and changes nothing.
func (c *callback) answer(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("state") != c.state {
		page(w, http.StatusBadRequest, "This is not the answer to the login that helve waits for.")
		return
	}
	o := c.read(q)
	select {
	case c.came <- o:
	default:
		page(w, http.StatusConflict, "The login has been answered already.")
		return
	}
	if o.err != nil {
		page(w, http.StatusBadRequest, "The login failed: "+o.err.Error()+".")
		return
	}
	page(w, http.StatusOK, "helve has the answer. You can close this window.")
}

func (c *callback) read(q url.Values) outcome {
	if err := c.check(q); err != nil {
		return outcome{err: err}
	}
	switch code := q.Get("error"); {
	case code == "access_denied":
		return outcome{err: errors.New("the login was refused (access_denied)" + said(q))}
	case code != "":
		return outcome{err: fmt.Errorf("the authorization server answers the login with %s%s", short(code), said(q))}
	case q.Get("code") == "":
		return outcome{err: errors.New("the authorization server answers the login without a code")}
	}
	return outcome{code: q.Get("code")}
}

func said(q url.Values) string {
	if text := short(q.Get("error_description")); text != "" {
		return ": " + text
	}
	return ""
}

// short is what an authorization server says for people, within bounds.
func short(text string) string { return excerpt.Of(strings.TrimSpace(text), mostSaid) }

// wait returns the code that the browser brings.
func (c *callback) wait(ctx context.Context, limit time.Duration) (string, error) {
	limit = cmp.Or(limit, loginWait)
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case o := <-c.came:
		return o.code, o.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case <-timer.C:
		return "", fmt.Errorf("nobody came back from the login within %s; if its page said that the client is unknown, log out first, which forgets it", limit)
	}
}

// close ends the server when its last page is out.
func (c *callback) close() {
	if c.server == nil {
		c.listener.Close()
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if c.server.Shutdown(ctx) != nil {
		c.server.Close() // a browser that holds a connection open
	}
	<-c.served
}

// page is all the person sees. The address holds the code, so that nothing may be
// loaded or kept.
func page(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Connection", "close")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<!doctype html><title>helve</title><p>%s</p>\n", html.EscapeString(text))
}
