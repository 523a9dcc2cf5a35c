package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"helve/executor"
	"helve/internal/overmcp"
	"helve/tool"
)

// mostDescription is how many bytes of a description an attribute holds.
const mostDescription = 1 << 10

// toolHook makes a span "execute_tool NAME" of every call, and measures it.
type toolHook struct {
	telemetry *Telemetry
	tools     *tool.Registry
}

// toolSpan is a call on its way.
type toolSpan struct {
	span  trace.Span
	begun time.Time
	label string // the tool's name, or other

	served *overmcp.Call // nil if no MCP client made the call
}

// toolSpanKey has its hook, for there may be two.
type toolSpanKey struct{ hook *toolHook }

// Start implements [executor.Hook].
func (h *toolHook) Start(ctx context.Context, call tool.Call) context.Context {
	i := invocationFrom(ctx)
	if i != nil {
		i.tools.Add(1)
	}
	s := &toolSpan{begun: time.Now(), label: other, served: h.served(ctx)}
	t, known := h.tools.Lookup(call.Name)
	if known {
		s.label = call.Name
	}
	ctx, s.span = h.telemetry.tracer.Start(ctx, opExecuteTool+" "+s.label, trace.WithTimestamp(s.begun),
		trace.WithAttributes(attribute.String(attrOperation, opExecuteTool), name(attrToolName, call.Name)))
	if s.span.IsRecording() {
		attrs := []attribute.KeyValue{attribute.String(attrToolType, "function")}
		attrs = text(attrs, attrToolCallID, call.ID)
		if i != nil {
			attrs = text(attrs, attrConversation, i.Conversation)
			attrs = text(attrs, attrAgentName, i.Agent)
		}
		if known {
			attrs = append(attrs, attribute.String(attrToolDescription, clean(t.Definition().Description, mostDescription)))
		}
		if s.served != nil {
			attrs = append(attrs, mcpAttributes(*s.served)...)
		}
		if h.telemetry.content {
			attrs = append(attrs, attribute.String(attrToolArguments, executor.Redact(call.Arguments)))
		}
		s.span.SetAttributes(attrs...)
	}
	return h.overMCP(context.WithValue(ctx, toolSpanKey{h}, s), s)
}

// End implements [executor.Hook].
func (h *toolHook) End(ctx context.Context, report executor.Report) {
	s, ok := ctx.Value(toolSpanKey{h}).(*toolSpan)
	if !ok {
		return // Start panicked
	}
	over, failed := time.Now(), ""
	if report.Err != nil {
		failed = toolErrorType(report.Err)
	}
	if h.telemetry.content && s.span.IsRecording() {
		s.span.SetAttributes(resultContent(report))
	}
	attrs := []attribute.KeyValue{attribute.String(attrToolName, s.label), attribute.String(attrToolType, "function")}
	if i := invocationFrom(ctx); i != nil {
		attrs = text(attrs, attrAgentName, i.Agent)
	}
	record(ctx, h.telemetry.metrics.tool, over.Sub(s.begun), failed, attrs)
	h.answered(ctx, s, over, failed)
	endSpan(s.span, failed, over)
}
