package tool

import "helve/message"

// Attacher is an artifact that marks some of itself as fit to leave the host.
//
// An artifact is the host's own and is sent to nobody (document 002, section 2). A
// host that serves tools to others, such as the Model Context Protocol server of
// package mcp/serve, sends what Attachments returns after the result's content: a
// picture or a recording as such, a file as something to fetch. Leave out what the
// content holds already, and what only the host may see.
type Attacher interface {
	Attachments() []message.Part
}
