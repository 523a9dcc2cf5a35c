package mcp

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	otel "go.opentelemetry.io/otel/trace"

	"helve/internal/overmcp"
	"helve/tool"
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
	c := s.overMCP()
	span.SetAttributes(
		attribute.String("mcp.method.name", "tools/call"),
		attribute.String("mcp.protocol.version", c.Protocol),
		attribute.String("network.transport", c.Transport),
	)
}

func (s *session) overMCP() overmcp.Call {
	_, protocol := s.about()
	network := "tcp"
	if s.client.config.Command != "" {
		network = "pipe"
	}
	return overmcp.Call{Protocol: protocol, Transport: network}
}

// measure tells who measures the call of one request of it.
func (s *session) measure(w *waiting, began time.Time, err error) {
	if observe := overmcp.ObserverOf(w.values); observe != nil {
		observe(w.values, s.overMCP(), time.Since(began), failureOf(w, err))
	}
}

// failureOf sorts the error of a request, into the words that package telemetry has for
// errors. What the error says is no part of it.
func failureOf(w *waiting, err error) overmcp.Failure {
	var (
		said *jsonrpc.Error
		cut  *lost
	)
	switch cause := context.Cause(w.ctx); {
	case err == nil:
		return overmcp.Failure{}
	case errors.Is(err, errToldSo):
		return overmcp.Failure{Type: "tool_error"}
	case errors.Is(cause, errIdle), cause != nil && tool.AsError(cause).Kind == tool.KindTimeout:
		return overmcp.Failure{Type: "timeout"}
	case cause != nil:
		return overmcp.Failure{Type: "canceled"}
	case needsAuth(err):
		return overmcp.Failure{Type: string(tool.KindPermissionDenied)}
	case errors.As(err, &cut):
		return overmcp.Failure{Type: "connection"}
	case errors.As(err, &said):
		code := strconv.FormatInt(said.Code, 10)
		return overmcp.Failure{Type: code, Status: code}
	}
	return overmcp.Failure{Type: "_OTHER"}
}
