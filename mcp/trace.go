package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	otel "go.opentelemetry.io/otel/trace"
)

// trace tells the server which trace a call is part of (SEP-414), and the span of the
// call that it is one over MCP: there is no second span for it. The names are those of
// OpenTelemetry's conventions for MCP.
func (s *session) trace(ctx context.Context, meta sdk.Meta) {
	span := otel.SpanFromContext(ctx)
	if !span.SpanContext().IsValid() {
		return
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	for key, value := range carrier {
		meta[key] = value
	}
	if !span.IsRecording() {
		return
	}
	_, protocol := s.about()
	network := "tcp"
	if s.client.config.Command != "" {
		network = "pipe"
	}
	span.SetAttributes(
		attribute.String("mcp.method.name", "tools/call"),
		attribute.String("mcp.protocol.version", protocol),
		attribute.String("network.transport", network),
	)
}
