// Package overmcp lets who measures tool calls learn which of them went over the Model
// Context Protocol. Package telemetry has the meters and packages mcp and mcp/serve the
// protocol, and neither should know the other: what they say to each other goes with the
// context of a call.
//
//	out  a host calls a server's tool: telemetry says Observe, mcp tells the observer
//	in   a client calls a tool here: mcp/serve says Serve, telemetry asks Served
package overmcp

import (
	"context"
	"time"
)

// Call is a request tools/call, as OpenTelemetry's conventions for MCP describe one.
type Call struct {
	Protocol  string // mcp.protocol.version
	Transport string // network.transport: pipe or tcp
}

// Failure is why a request failed; the zero value is that it did not. Both fields come of
// small sets, but for Status, which a server makes up.
type Failure struct {
	Type   string // error.type
	Status string // rpc.response.status_code: that of an error of the protocol
}

// Observer is told of a request, once, when it is over.
type Observer func(ctx context.Context, c Call, took time.Duration, f Failure)

type observerKey struct{}

// Observe has o told of each request that is made for the call with the context returned.
func Observe(ctx context.Context, o Observer) context.Context {
	return context.WithValue(ctx, observerKey{}, o)
}

// ObserverOf returns who is to be told; nil is nobody.
func ObserverOf(ctx context.Context) Observer {
	o, _ := ctx.Value(observerKey{}).(Observer)
	return o
}

type servedKey struct{}

// Serve notes that a client made the call with the context returned.
func Serve(ctx context.Context, c Call) context.Context {
	return context.WithValue(ctx, servedKey{}, c)
}

// Served returns the request that the call with ctx is, or is a part of.
func Served(ctx context.Context) (Call, bool) {
	c, ok := ctx.Value(servedKey{}).(Call)
	return c, ok
}
