package mcp

import (
	"time"
)

// State is how a server is.
type State string

const (
	Disabled  State = "disabled"
	Idle      State = "idle"       // not needed yet
	Starting  State = "starting"   // it is being connected for the first time
	Ready     State = "ready"      // connected, and its tools are known
	NeedsAuth State = "needs-auth" // somebody must log in, or the key is wrong
	Degraded  State = "degraded"   // it was ready and is lost; its last tools are known, and it is tried again
	Failed    State = "failed"     // it could not be connected yet; it is tried again
	Closed    State = "closed"
	Wrong     State = "wrong" // it is none: what describes it has a fault
)

// Status is what is known of a server at one moment. Nothing in it is secret.
type Status struct {
	Name       string    `json:"name"`
	State      State     `json:"state"`
	Type       Type      `json:"type,omitempty"`
	Protocol   string    `json:"protocol,omitempty"` // its version, once connected
	Server     string    `json:"server,omitempty"`   // what it calls itself, with its version
	Tools      int       `json:"tools"`
	Generation int       `json:"generation"`      // how often it was connected
	Stray      int       `json:"stray,omitempty"` // lines on its standard output that were no messages
	Since      time.Time `json:"since,omitzero"`  // when State began
	NextTry    time.Time `json:"next_try,omitzero"`
	Err        string    `json:"error,omitempty"` // what went wrong last, in words for people

	// Of what the server listed last: which tools can't be used, and why, and which
	// patterns of Config.Allow fit none of them.
	LeftOut   []string `json:"left_out,omitempty"`
	Unmatched []string `json:"unmatched,omitempty"`
}
