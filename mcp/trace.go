package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	otel "go.opentelemetry.io/otel/trace"
)

// trace tells the server which trace a call is part of (SEP-414), and the span of the
// call that it is one over MCP: there is no second span for it.
func trace(ctx context.Context, meta sdk.Meta) {
	span := otel.SpanFromContext(ctx)
	if !span.SpanContext().IsValid() {
		return
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	for key, value := range carrier {
		meta[key] = value
	}
	span.SetAttributes(attribute.String("mcp.method.name", "tools/call"))
}
