package mcp

import (
	"context"
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

	// Changed is called, from a goroutine of the client's own, when the server's tools
	// are not what [Client.Tools] returned last.
	Changed func()
}

// Client keeps the connection to one server. It is safe for concurrent use.
type Client struct{}

// New makes a client. Nothing is started before the first need.
func New(c Config, o Options) (*Client, error) { return nil, errors.New("not yet") }

// Tools returns the server's tools, connecting to it if need be, by their names.
func (c *Client) Tools(ctx context.Context) ([]tool.Tool, error) { return nil, errors.New("not yet") }

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
