package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"helve/internal/overmcp"
)

// A call that goes over the Model Context Protocol has no span of its own for that: the
// conventions put the attributes on the call's. Its requests are measured apart.

// served returns the request of an MCP client that a call answers; nil where there is
// none, or where the call is one of several that a tool makes to answer it.
func (h *toolHook) served(ctx context.Context) *overmcp.Call {
	c, ok := overmcp.Served(ctx)
	if _, inside := ctx.Value(toolSpanKey{h}).(*toolSpan); !ok || inside {
		return nil
	}
	return &c
}

// answered measures the request of an MCP client. For the client each error is a result
// that says so, but for that of a call which it took back.
func (h *toolHook) answered(ctx context.Context, s *toolSpan, over time.Time, failed string) {
	if s.served == nil {
		return
	}
	if failed != "" && failed != errorCanceled {
		failed = errorTool
	}
	record(ctx, h.telemetry.metrics.mcpServer, over.Sub(s.begun), failed, mcpLabels(*s.served, s.label))
}

// overMCP has the requests measured that a call makes of an MCP server.
func (h *toolHook) overMCP(ctx context.Context, s *toolSpan) context.Context {
	t := h.telemetry
	if !t.metrics.mcpClient.Enabled(ctx) {
		return ctx
	}
	return overmcp.Observe(ctx, func(ctx context.Context, c overmcp.Call, took time.Duration, f overmcp.Failure) {
		attrs := mcpLabels(c, s.label)
		if f.Status != "" {
			f.Status = t.codes.of(f.Status)
			f.Type = f.Status
			attrs = append(attrs, attribute.String(attrStatusCode, f.Status))
		}
		record(ctx, t.metrics.mcpClient, took, f.Type, attrs)
	})
}

func mcpLabels(c overmcp.Call, label string) []attribute.KeyValue {
	return append(mcpAttributes(c), attribute.String(attrOperation, opExecuteTool), attribute.String(attrToolName, label))
}

func mcpAttributes(c overmcp.Call) []attribute.KeyValue {
	return []attribute.KeyValue{
		attribute.String(attrMCPMethod, methodCall),
		attribute.String(attrMCPProtocol, c.Protocol),
		attribute.String(attrTransport, c.Transport),
	}
}
