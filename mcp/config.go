package mcp

import (
	"time"

	"helve/internal/yamlfile"
)

// Secret is text from a file that nothing prints; its Reveal method returns it.
type Secret = yamlfile.Secret

// Config says how a server is reached and what of it is used. Of Command and URL
// exactly one is set.
type Config struct {
	Name string // of the server, and the beginning of its tools' names
	Type Type   // how to speak to it; "" is found out

	Command string // of a server on standard input and output: a program, by path or by name
	Args    []string
	Env     map[string]Secret // besides PATH, HOME and the like
	Dir     string            // where it runs; "" is the workspace

	URL          string
	APIKey       Secret            // document 004: mcp_api_key
	APIKeyHeader string            // "" is Authorization, with "Bearer " before the key
	Headers      map[string]Secret // more of them
	OAuth        *OAuth

	Protocol string // "" or auto, 2025-11-25, 2026-07-28

	Timeout        time.Duration // of a call in all; 0 leaves it to the executor
	IdleTimeout    time.Duration // of a call without progress; 120 s
	ConnectTimeout time.Duration // 30 s
	ListTimeout    time.Duration // 15 s

	Allow, Deny []string // globs of the server's own names of tools; no Allow is all
	Idempotent  []string // globs of tools that may be called again when an answer was lost

	Elicitation Policy // may the server ask the person? "" is ask
	Sampling    Policy // may it ask the model? "" is decline

	Disabled bool
}

// Type is how to speak to a server.
type Type string

const (
	Stdio Type = "stdio" // a program, by its standard input and output
	HTTP  Type = "http"  // Streamable HTTP
	SSE   Type = "sse"   // the older HTTP with server-sent events
	REST  Type = "rest"  // document 004's: GET the schemas, POST /execute
)

// Policy says what becomes of a server's question.
type Policy string

const (
	Ask     Policy = "ask"
	Decline Policy = "decline"
)

// OAuth says how to get a token. The zero value finds all out from the server, and
// needs a person who logs in once.
type OAuth struct {
	ClientID     string
	ClientSecret Secret // with it and without CallbackPort: client credentials
	Scopes       []string
	Grant        string // "" or authorization_code, client_credentials
	CallbackPort int    // of the redirect to this machine; 0 is any
}
