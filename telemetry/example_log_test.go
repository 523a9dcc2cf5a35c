package telemetry_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"helve/telemetry"
)

// How does a line of the log lead to its trace?
func ExampleTelemetry_LogHandler() {
	t, err := telemetry.New(telemetry.Config{Traces: sdktrace.NewTracerProvider()})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})
	log := slog.New(t.LogHandler(text))

	span := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{0xab, 15: 1}, SpanID: trace.SpanID{0xcd, 7: 1}})
	log.InfoContext(trace.ContextWithSpanContext(context.Background(), span), "inside a span")
	log.Info("outside")
	// Output:
	// level=INFO msg="inside a span" trace_id=ab000000000000000000000000000001 span_id=cd00000000000001
	// level=INFO msg=outside
}
