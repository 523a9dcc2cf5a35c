package serve

import (
	"context"

	"go.opentelemetry.io/otel/propagation"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/internal/overmcp"
)

// measurable is ctx with what is to be measured of a call that a client makes.
func measurable(ctx context.Context, req *sdk.CallToolRequest) context.Context {
	c := overmcp.Call{Protocol: version(req), Transport: "pipe"}
	if req.Extra != nil { // as it is over HTTP alone
		c.Transport = "tcp"
	}
	return overmcp.Serve(ctx, c)
}

// traced is ctx as part of the trace that the client says its request is of (SEP-414).
func traced(ctx context.Context, meta sdk.Meta) context.Context {
	if meta["traceparent"] == nil {
		return ctx
	}
	carrier := propagation.MapCarrier{}
	for _, key := range []string{"traceparent", "tracestate"} {
		if value, ok := meta[key].(string); ok {
			carrier[key] = value
		}
	}
	return propagation.TraceContext{}.Extract(ctx, carrier)
}
