package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"helve/tool"
)

// Options are what a host gives its clients. The zero value is fine.
type Options struct {
	Log *slog.Logger // slog.Default()

	// Elicitation and Sampling say that the host's runs can answer the questions of
	// servers ([tool.Runtime].Answer). Servers are told.
	Elicitation, Sampling bool

	AllowPrivate bool   // also servers whose name leads to an address that is not public
	Dir          string // where a program runs, if its Config does not say
	TokenDir     string // where OAuth tokens are kept; "" keeps none

	// Known is what the server listed when it was asked last, maybe by another process.
	// With it [Client.Tools] has an answer without a connection; the first call makes
	// one, and what the server lists then counts.
	Known *Listing

	// Listed is told all that the server lists, each time that it was read to its end
	// and before Changed; also tools that are denied or not approved.
	Listed func(Listing)

	// Approve is asked of each tool by each [Client.Tools] and again before each call of
	// one, with the server's own name of it and the fingerprint of what the server says
	// of it now. What it does not approve is not given out, nor called, however long ago
	// it was given out. Nil approves all. Its answers change; it is called from several
	// goroutines and does not wait.
	Approve func(name, fingerprint string) bool

	// Redact takes out of a text what the host knows to be secret; of the Config's own
	// secrets the client itself takes care. Nothing that may hold what the configuration
	// or the server said becomes an error or a log without it.
	Redact func(string) string

	// Changed is called, from a goroutine of the client's own, when the server's tools
	// are not what [Client.Tools] returned last, also if that was an error, and when the
	// server can't be reached any more. It does not wait.
	Changed func()
}

// Listing is what a server says of its tools, and of itself.
type Listing struct {
	Server   string            `json:"server"`   // what it calls itself, with its version
	Protocol string            `json:"protocol"` // that was agreed on
	Tools    []json.RawMessage `json:"tools"`    // as the server wrote them
}

// Client keeps the connection to one server, and makes a new one when it is lost. It
// starts with the first need. It is safe for concurrent use.
type Client struct {
	config  Config
	options Options
	log     *slog.Logger

	life    context.Context // of all that is not one call's
	end     context.CancelFunc
	running sync.WaitGroup
	wake    chan struct{} // somebody needs the server now
	relist  chan struct{} // the server says that its tools changed

	listed [sha256.Size]byte // of the last list; supervise alone uses it

	mu     sync.Mutex
	begun  bool
	status Status
	link   link                   // nil while there is none
	err    error                  // why there is none
	down   bool                   // the last attempt failed
	turn   chan struct{}          // closed at the end of the attempt that runs, or comes next
	tools  map[string]*remoteTool // by the server's names; nil while they are not known
	odd    map[oddity]bool        // what is wrong with those of the last list
	legacy bool                   // the server does not understand the newest protocol
}

// New makes a client. Nothing is started before it is needed. The error says what is
// wrong with c.
func New(c Config, o Options) (*Client, error) {
	if wrong := c.check(); len(wrong) > 0 {
		return nil, wrong.err()
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	o.Redact = redaction(&c, o.Redact)
	life, end := context.WithCancel(context.Background())
	client := &Client{
		config: c.withDefaults(), options: o, log: o.Log.With("mcp_server", c.Name),
		life: life, end: end, turn: make(chan struct{}),
		wake: make(chan struct{}, 1), relist: make(chan struct{}, 1),
		status: Status{Name: c.Name, State: Idle, Type: c.Type, Since: time.Now()},
	}
	if c.Command != "" {
		client.status.Type = Stdio
	}
	if c.Disabled {
		client.status.State = Disabled
	} else if o.Known != nil {
		client.legacy = o.Known.Protocol != "" && o.Known.Protocol < newest
		client.take(o.Known.Tools)
	}
	return client, nil
}

// Tools returns the server's tools by their names, connecting to it if nothing is known
// of them. The end of ctx ends the waiting alone: the client goes on connecting, and
// calls Options.Changed when it knows. The error says why the server can't be reached,
// with its name and the end of what it wrote to standard error.
func (c *Client) Tools(ctx context.Context) ([]tool.Tool, error) {
	if c.life.Err() != nil {
		return nil, c.named(errClosed)
	}
	c.mu.Lock()
	known := c.tools != nil || c.config.Disabled
	c.mu.Unlock()
	if !known {
		if err := c.Connect(ctx); err != nil {
			return nil, err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []tool.Tool
	for _, t := range c.tools {
		if c.approves(t.listed) {
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b tool.Tool) int {
		return strings.Compare(a.Definition().Name, b.Definition().Name)
	})
	return all, nil
}

// Connect connects to the server if it is not connected, and has it list its tools, also
// if they are known from before. The end of ctx ends the waiting alone. A server that is
// disabled stays so.
func (c *Client) Connect(ctx context.Context) error {
	if c.config.Disabled {
		return nil
	}
	_, err := c.need(ctx)
	return c.named(err)
}

// Status says how the server is.
func (c *Client) Status() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.status
	if c.link != nil {
		s.Stray = c.link.stray()
	}
	return s
}

// Close ends the calls that run and the connection, and waits until nothing of a
// program is left.
func (c *Client) Close() error {
	c.mu.Lock()
	c.begun = true // nothing begins any more
	c.end()
	c.mu.Unlock()
	c.running.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.become(Closed, nil)
	return nil
}

func (c *Client) approves(l listed) bool {
	return c.options.Approve == nil || c.options.Approve(l.raw, l.fingerprint)
}

// named makes an error for people: with the server's name, without its secrets.
func (c *Client) named(err error) error {
	if err == nil {
		return nil
	}
	text := "mcp server " + c.config.Name + ": " + c.config.refusedKey(err) + words(c.config.Name, err)
	return &reworded{c.options.Redact(text), err}
}

// reworded is an error in other words.
type reworded struct {
	text string
	err  error
}

func (e *reworded) Error() string { return e.text }
func (e *reworded) Unwrap() error { return e.err }

// become changes the state. The caller has the lock.
func (c *Client) become(s State, err error) {
	if c.status.State != s {
		c.log.Debug("mcp server", "state", s, "before", c.status.State)
		c.status.State, c.status.Since = s, time.Now()
	}
	c.status.Err = ""
	if err != nil {
		c.status.Err = strings.TrimPrefix(c.named(err).Error(), "mcp server "+c.config.Name+": ")
	}
}
