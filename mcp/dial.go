package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/mcp/internal/mend"
	"helve/mcp/internal/remote"
	"helve/mcp/internal/rest"
	"helve/mcp/internal/stdio"
)

const (
	newest   = "2026-07-28"
	previous = "2025-11-25" // the newest with a handshake
)

// maxEvent bounds one message of a server, in bytes.
const maxEvent = 64 << 20

// dial connects to the server as its configuration says, or as it turns out to speak.
func (c *Client) dial(ctx context.Context) (link, error) {
	ctx, stop := context.WithTimeoutCause(ctx, c.config.ConnectTimeout, fmt.Errorf("it did not answer in %v", c.config.ConnectTimeout))
	defer stop()
	if c.config.Command != "" {
		return c.dialVersions(ctx, c.startProgram)
	}
	switch c.config.Type {
	case SSE:
		return c.dialSSE(ctx)
	case REST:
		return c.dialREST(ctx)
	case HTTP:
		return c.dialVersions(ctx, c.reach)
	}
	l, err := c.dialVersions(ctx, c.reach)
	if err == nil || !elsewise(err) || ctx.Err() != nil {
		return l, err
	}
	return c.dialOther(ctx, err)
}

// dialVersions tries the newest protocol, and the one before it anew: some servers end,
// or are stuck, when they are asked what they do not know.
func (c *Client) dialVersions(ctx context.Context, carry func() (carrier, error)) (link, error) {
	versions := []string{newest, previous}
	c.mu.Lock()
	legacy := c.legacy
	c.mu.Unlock()
	switch {
	case c.config.Protocol != "" && c.config.Protocol != "auto":
		versions = []string{c.config.Protocol}
	case legacy:
		versions = versions[1:]
	}
	var errs []error
	for _, v := range versions {
		on, err := carry()
		if err != nil {
			return nil, err
		}
		s, err := c.open(ctx, on, v)
		if err == nil {
			_, spoken := s.about()
			c.mu.Lock()
			c.legacy = spoken < newest
			c.mu.Unlock()
			return s, nil
		}
		if ctx.Err() != nil || needsAuth(err) || unreached(err) {
			return nil, err
		}
		errs = append(errs, err)
	}
	return nil, errs[len(errs)-1] // the older protocol's: it is the one that most servers speak
}

// program is a carrier: a child process.
type program struct{ *stdio.Process }

func (c *Client) startProgram() (carrier, error) {
	dir := c.config.Dir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(c.options.Dir, filepath.FromSlash(dir))
	}
	env := map[string]string{}
	for name, value := range c.config.Env {
		env[name] = value.Reveal()
	}
	p, err := stdio.Start(c.life, stdio.Command{
		Name: c.config.Name, Path: c.config.Command, Args: c.config.Args, Dir: dir,
		Env: stdio.Environment(env), Log: c.log, Mend: mend.Message,
	})
	if err != nil {
		return nil, err
	}
	return program{p}, nil
}

func (p program) transport() sdk.Transport { return p.Transport() }
func (p program) explain(err error) error  { return p.Explain(err) }
func (p program) stray() int               { return p.Stray() }
func (p program) close()                   { _ = p.Close() } // what is left of it was killed

// watch knows nothing of a single call but its error: once it is written, it may run.
func (p program) watch(ctx context.Context) (context.Context, watch) { return ctx, written{} }

// written is a watch over a message on a pipe.
type written struct{}

func (written) ran(err error) bool    { return !errors.Is(err, stdio.ErrNotWritten) }
func (written) release(cancel func()) { cancel() }

// site is a carrier: a server that is reached by HTTP.
type site struct {
	*remote.Remote
	to sdk.Transport
}

func newRemote(c Config, o Options) (*remote.Remote, error) {
	if c.URL == "" {
		return nil, fmt.Errorf("mcp server %s: it is a program, and has no URL", c.Name)
	}
	u, err := url.Parse(c.URL)
	if err != nil {
		return nil, fmt.Errorf("mcp server %s: its URL can't be read", c.Name)
	}
	return remote.New(remote.Options{
		Name: c.Name, URL: u, Header: c.header(), AllowPrivate: o.AllowPrivate, Mend: mend.Message, Log: o.Log,
	})
}

// reach makes a carrier of Streamable HTTP.
func (c *Client) reach() (carrier, error) {
	r, err := newRemote(c.config, c.options)
	if err != nil {
		return nil, err
	}
	t := &sdk.StreamableClientTransport{Endpoint: c.config.URL, HTTPClient: r.Client(), MaxEventSize: maxEvent}
	if c.config.OAuth != nil || !c.config.hasKey() {
		if t.OAuthHandler, err = authorizer(c.config, c.options, r.AuthClient(), nil); err != nil {
			r.Close()
			return nil, err
		}
	}
	return site{r, t}, nil
}

// header returns what the configuration wants to be sent along.
func (c Config) header() http.Header {
	h := http.Header{}
	for name, value := range c.Headers {
		h.Set(name, value.Reveal())
	}
	switch {
	case c.APIKey == "":
	case c.APIKeyHeader == "":
		h.Set("Authorization", "Bearer "+c.APIKey.Reveal())
	default:
		h.Set(c.APIKeyHeader, c.APIKey.Reveal())
	}
	return h
}

// hasKey says that the configuration itself shows the server who asks.
func (c Config) hasKey() bool {
	if c.APIKey != "" {
		return true
	}
	for name := range c.Headers {
		if http.CanonicalHeaderKey(name) == "Authorization" {
			return true
		}
	}
	return false
}

func (s site) transport() sdk.Transport { return s.to }
func (s site) explain(err error) error  { return s.Explain(err) }
func (s site) stray() int               { return 0 }
func (s site) close()                   { s.Close() }

func (s site) watch(ctx context.Context) (context.Context, watch) {
	ctx, outcome := remote.Watch(ctx)
	return ctx, reached{outcome}
}

// reached is a watch over the requests of a call.
type reached struct{ *remote.Outcome }

func (r reached) ran(error) bool        { return !r.NotRun() }
func (r reached) release(cancel func()) { r.Release(cancel) }

func (c *Client) dialSSE(ctx context.Context) (link, error) {
	r, err := newRemote(c.config, c.options)
	if err != nil {
		return nil, err
	}
	s, err := c.open(ctx, site{r, &sdk.SSEClientTransport{Endpoint: c.config.URL, HTTPClient: r.SSEClient(), MaxEventSize: maxEvent}}, previous)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (c *Client) dialREST(context.Context) (link, error) {
	r, err := newRemote(c.config, c.options)
	if err != nil {
		return nil, err
	}
	client, err := rest.New(rest.Options{URL: c.config.URL, Client: r.RESTClient(), Log: c.log})
	if err != nil {
		r.Close()
		return nil, err
	}
	return newRESTLink(c, r, client), nil
}

// dialOther finds out what a server speaks that does not know Streamable HTTP.
func (c *Client) dialOther(ctx context.Context, cause error) (link, error) {
	r, err := newRemote(c.config, c.options)
	if err != nil {
		return nil, err
	}
	kind, err := remote.Detect(ctx, r)
	r.Close()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w; and nothing else was found there: %w", cause, err)
	case kind == "rest":
		return c.dialREST(ctx)
	}
	return c.dialSSE(ctx)
}
