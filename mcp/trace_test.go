package mcp_test

import (
	"context"
	"net/http/httptest"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	otel "go.opentelemetry.io/otel/trace"

	"helve/mcp"
	"helve/mcp/serve"
	"helve/tool"
)

// A call is part of one trace on both sides, and the span of the call says that it went
// over MCP.
func TestTrace(t *testing.T) {
	t.Parallel()
	var there otel.SpanContext
	s := serve.New(serve.Options{Name: "traced"})
	t.Cleanup(func() { s.Close() })
	look := tool.Must(tool.New("look", "Looks.", func(ctx context.Context, _ struct{}) (string, error) {
		there = otel.SpanContextFromContext(ctx)
		return "seen", nil
	}))
	if err := s.Set(serve.Content{Tools: []tool.Tool{look}}); err != nil {
		t.Fatal(err)
	}
	handler, err := s.Handler(serve.HTTP{})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(handler)
	t.Cleanup(web.Close)
	client, err := mcp.New(mcp.Config{Name: "traced", URL: web.URL}, mcp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	tools, err := client.Tools(t.Context())
	if err != nil {
		t.Fatal(err)
	}

	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
	ctx, span := provider.Tracer("test").Start(t.Context(), "execute_tool")
	if _, err := tool.Invoke(ctx, tools[0], tool.Call{Arguments: []byte(`{}`)}); err != nil {
		t.Fatal(err)
	}
	span.End()
	if there.TraceID() != span.SpanContext().TraceID() || there.SpanID() != span.SpanContext().SpanID() || !there.IsRemote() {
		t.Errorf("the tool saw %v, and the call was %v", there, span.SpanContext())
	}
	got := map[attribute.Key]string{}
	for _, a := range recorder.Ended()[0].Attributes() {
		got[a.Key] = a.Value.AsString()
	}
	if got["mcp.method.name"] != "tools/call" || got["mcp.protocol.version"] != "2026-07-28" || got["network.transport"] != "tcp" {
		t.Errorf("attributes %v", got)
	}
}
