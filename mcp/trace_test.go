package mcp_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http/httptest"
	"strconv"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	otel "go.opentelemetry.io/otel/trace"

	"helve/executor"
	"helve/mcp"
	"helve/mcp/serve"
	"helve/telemetry"
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

// Both sides measure a request, and a result that says that the tool failed is no success.
func TestMetrics(t *testing.T) {
	t.Parallel()
	here, there := sdkmetric.NewManualReader(), sdkmetric.NewManualReader()
	measured := func(r sdkmetric.Reader, tools ...tool.Tool) *executor.Executor {
		tel, err := telemetry.New(telemetry.Config{Metrics: sdkmetric.NewMeterProvider(sdkmetric.WithReader(r))})
		if err != nil {
			t.Fatal(err)
		}
		registry, err := tool.NewRegistry(tools...)
		if err != nil {
			t.Fatal(err)
		}
		return executor.New(tel.Executor(executor.Config{Tools: registry, Logger: slog.New(slog.DiscardHandler)}))
	}
	look := tool.Must(tool.New("look", "Looks.", func(_ context.Context, in struct {
		At string `json:"at"`
	}) (string, error) {
		if in.At == "sun" {
			return "", errors.New("too bright")
		}
		return "seen", nil
	}))
	s := serve.New(serve.Options{Name: "measured"})
	t.Cleanup(func() { s.Close() })
	if err := s.Set(serve.Content{Tools: []tool.Tool{look}, Executor: measured(there, look)}); err != nil {
		t.Fatal(err)
	}
	handler, err := s.Handler(serve.HTTP{})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(handler)
	t.Cleanup(web.Close)
	client, err := mcp.New(mcp.Config{Name: "far", URL: web.URL}, mcp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	tools, err := client.Tools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e := measured(here, tools...)
	for i, at := range []string{"moon", "moon", "sun"} {
		e.Execute(t.Context(), []tool.Call{{ID: strconv.Itoa(i), Name: "far__look", Arguments: []byte(`{"at":"` + at + `"}`)}})
	}
	const labels = "mcp.method.name=tools/call,mcp.protocol.version=2026-07-28,network.transport=tcp"
	for _, tt := range []struct {
		metric, tool string
		reader       *sdkmetric.ManualReader
	}{
		{"mcp.client.operation.duration", "far__look", here},
		{"mcp.server.operation.duration", "look", there},
	} {
		want := map[string]uint64{
			"gen_ai.operation.name=execute_tool,gen_ai.tool.name=" + tt.tool + "," + labels:                       2,
			"error.type=tool_error,gen_ai.operation.name=execute_tool,gen_ai.tool.name=" + tt.tool + "," + labels: 1,
		}
		if got := counts(t, tt.reader, tt.metric); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", tt.metric, got, want)
		}
	}
}

// counts are how often a duration was measured, by its attributes.
func counts(t *testing.T, r *sdkmetric.ManualReader, name string) map[string]uint64 {
	t.Helper()
	var data metricdata.ResourceMetrics
	if err := r.Collect(t.Context(), &data); err != nil {
		t.Fatal(err)
	}
	all := map[string]uint64{}
	for _, scope := range data.ScopeMetrics {
		for _, m := range scope.Metrics {
			if m.Name != name {
				continue
			}
			for _, p := range m.Data.(metricdata.Histogram[float64]).DataPoints {
				all[p.Attributes.Encoded(attribute.DefaultEncoder())] = p.Count
			}
		}
	}
	return all
}
