package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"helve/tool"
)

// Options are what a host gives its clients.
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

	// Redact takes the server's secrets out of a text. Nothing that may hold what its
	// configuration or the server said becomes an error or a log without it. Nil leaves
	// a text as it is.
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

// Client keeps the connection to one server. It is safe for concurrent use.
type Client struct{}

// New makes a client. Nothing is started before the first need.
func New(c Config, o Options) (*Client, error) { return nil, errors.New("not yet") }

// Tools returns the server's tools by their names, connecting to it if nothing is known
// of them. The end of ctx ends the waiting alone: the client goes on connecting, and
// calls Options.Changed when it knows. The error says why the server can't be reached,
// with its name and the end of what it wrote to standard error.
func (c *Client) Tools(ctx context.Context) ([]tool.Tool, error) { return nil, errors.New("not yet") }

// Connect connects to the server if it is not connected, and has it list its tools, also
// if they are known from before. The end of ctx ends the waiting alone.
func (c *Client) Connect(ctx context.Context) error { return errors.New("not yet") }

// Status says how the server is.
func (c *Client) Status() Status { return Status{} }

// Close ends the connection, and the program.
func (c *Client) Close() error { return nil }

// State is how a server is.
type State string

const (
	Disabled  State = "disabled"
	Idle      State = "idle"     // not needed yet, or not any more
	Starting  State = "starting" // first connection, or a new one
	Ready     State = "ready"
	NeedsAuth State = "needs-auth" // somebody must log in, or the key is wrong
	Degraded  State = "degraded"   // it was ready and is being connected again; its last tools are known
	Failed    State = "failed"     // it can't be reached; it will be tried again
	Closed    State = "closed"
)

// Status is what is known of a server at one moment.
type Status struct {
	Name       string    `json:"name"`
	State      State     `json:"state"`
	Type       Type      `json:"type"`
	Protocol   string    `json:"protocol,omitempty"`
	Server     string    `json:"server,omitempty"` // what it calls itself, with its version
	Tools      int       `json:"tools"`
	Generation int       `json:"generation"` // how often it was connected
	Stray      int       `json:"stray,omitempty"`
	Since      time.Time `json:"since,omitzero"`
	NextTry    time.Time `json:"next_try,omitzero"`
	Err        string    `json:"error,omitempty"`
}
