package telemetry

import (
	"context"
	"io"

	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/exporters/stdout/stdoutmetric"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// Exporters, as OTEL_TRACES_EXPORTER and OTEL_METRICS_EXPORTER name them.
const (
	exporterOTLP       = "otlp"
	exporterConsole    = "console"
	exporterPrometheus = "prometheus"
)

// newSpanExporter and newMetricExporter make what [readSettings] found. They stand
// in the place of contrib's autoexport, which writes "console" to standard output,
// has exporters for logs, and says failed exports to a global handler.
func newSpanExporter(ctx context.Context, name string, grpc bool, console io.Writer) (sdktrace.SpanExporter, error) {
	switch {
	case name == exporterConsole:
		return stdouttrace.New(stdouttrace.WithWriter(console))
	case grpc:
		return otlptracegrpc.New(ctx)
	}
	return otlptracehttp.New(ctx)
}

func newMetricExporter(ctx context.Context, name string, grpc bool, console io.Writer) (sdkmetric.Exporter, error) {
	switch {
	case name == exporterConsole:
		return stdoutmetric.New(stdoutmetric.WithWriter(console))
	case grpc:
		return otlpmetricgrpc.New(ctx)
	}
	return otlpmetrichttp.New(ctx)
}

// spanExporter says failures once, in the program's log, where the SDK would say
// each on standard error.
type spanExporter struct {
	sdktrace.SpanExporter
	pipeline *pipeline
}

func (e *spanExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	ctx, cancel := e.pipeline.until(ctx)
	defer cancel()
	e.pipeline.complaint.about(ctx, e.SpanExporter.ExportSpans(ctx, spans))
	return nil
}

// metricExporter does it for metrics.
type metricExporter struct {
	sdkmetric.Exporter
	pipeline *pipeline
}

func (e *metricExporter) Export(ctx context.Context, data *metricdata.ResourceMetrics) error {
	ctx, cancel := e.pipeline.until(ctx)
	defer cancel()
	e.pipeline.complaint.about(ctx, e.Exporter.Export(ctx, data))
	return nil
}
