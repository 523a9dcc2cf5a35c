package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	noopmetric "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/trace"
	nooptrace "go.opentelemetry.io/otel/trace/noop"

	"helve/agent"
	"helve/executor"
	"helve/internal/excerpt"
	"helve/tool"
)

// Config says where spans and metrics go, for a host that has its own providers.
// They stay the host's: [Telemetry.Shutdown] does not touch them.
type Config struct {
	Traces  trace.TracerProvider // nil: no spans
	Metrics metric.MeterProvider // nil: no metrics

	// Content puts messages, arguments and results on spans, redacted and cut. They
	// hold what people said: leave it false unless whoever reads the traces may
	// read that.
	Content bool

	// Latest gives metrics the names of the unreleased conventions.
	Latest bool
}

// Telemetry watches models, tools and agents. A nil *Telemetry is one that is off:
// its methods return what they are given, so that nothing is slower for it. It is
// safe for concurrent use.
type Telemetry struct {
	tracer  trace.Tracer
	metrics instruments
	content bool
	models  labels // that answered
	codes   labels // of errors of MCP servers

	pipeline *pipeline // what Start made; nil where the host has its own providers
}

// New returns a Telemetry that uses the host's providers, or nil where there are
// none. The error is that of a meter that refuses an instrument.
func New(config Config) (*Telemetry, error) {
	if config.Traces == nil && config.Metrics == nil {
		return nil, nil
	}
	if config.Traces == nil {
		config.Traces = nooptrace.NewTracerProvider()
	}
	if config.Metrics == nil {
		config.Metrics = noopmetric.NewMeterProvider()
	}
	m := maker{meter: config.Metrics.Meter(scope, metric.WithSchemaURL(schemaURL))}
	t := &Telemetry{
		tracer:  config.Traces.Tracer(scope, trace.WithSchemaURL(schemaURL)),
		content: config.Content,
	}
	if config.Latest {
		t.metrics = m.latest()
	} else {
		t.metrics = m.released()
	}
	if m.err != nil {
		return nil, fmt.Errorf("telemetry: %w", m.err)
	}
	return t, nil
}

// Agent returns config with its client and its tools watched, and with the IDs of
// spans in its log. Run the agent inside [Telemetry.Run].
func (t *Telemetry) Agent(config agent.Config) agent.Config {
	if t == nil {
		return config
	}
	if config.Client != nil {
		config.Client = t.Client(config.Client)
	}
	tools := config.Executor.Tools
	if tools == nil {
		tools, _ = tool.NewRegistry(config.Tools...) // only to know their names; agent.New reports what is wrong with them
	}
	config.Executor = t.executor(config.Executor, tools)
	if config.Executor.Logger == nil {
		config.Executor.Logger = slog.Default()
	}
	config.Executor.Logger = slog.New(t.LogHandler(config.Executor.Logger.Handler()))
	return config
}

// Executor returns config with its tools watched, for who runs calls without an
// agent.
func (t *Telemetry) Executor(config executor.Config) executor.Config {
	if t == nil {
		return config
	}
	return t.executor(config, config.Tools)
}

func (t *Telemetry) executor(config executor.Config, tools *tool.Registry) executor.Config {
	if tools == nil {
		tools = &tool.Registry{}
	}
	config.Hooks = append(config.Hooks[:len(config.Hooks):len(config.Hooks)], &toolHook{t, tools})
	return config
}

// endSpan ends a span, with the class of its error if there was one. What the
// error says stays in the log, which has the span's ID.
func endSpan(span trace.Span, failed string, at time.Time) {
	if failed != "" {
		span.SetAttributes(attribute.String(attrErrorType, failed))
		span.SetStatus(codes.Error, "")
	}
	span.End(trace.WithTimestamp(at))
}

// record measures what took d, with the class of its error if there was one.
func record(ctx context.Context, h metric.Float64Histogram, d time.Duration, failed string, attrs []attribute.KeyValue) {
	if !h.Enabled(ctx) {
		return
	}
	if failed != "" {
		attrs = with(attrs, attribute.String(attrErrorType, failed))
	}
	h.Record(ctx, d.Seconds(), metric.WithAttributes(attrs...))
}

// with returns attrs with one more, and leaves attrs to others as it is.
func with(attrs []attribute.KeyValue, more attribute.KeyValue) []attribute.KeyValue {
	return append(attrs[:len(attrs):len(attrs)], more)
}

// mostName is how many bytes of a name or an ID an attribute holds.
const mostName = 200

// name makes an attribute of what somebody else wrote: short, and UTF-8, without
// which a whole batch can't be sent.
func name(key, value string) attribute.KeyValue {
	return attribute.String(key, clean(value, mostName))
}

func clean(s string, most int) string {
	return strings.ToValidUTF8(excerpt.Of(s, most), "\uFFFD")
}

// text is name for what need not be there.
func text(attrs []attribute.KeyValue, key, value string) []attribute.KeyValue {
	if value == "" {
		return attrs
	}
	return append(attrs, name(key, value))
}

// number leaves out 0, which means unknown, and what can't be.
func number(attrs []attribute.KeyValue, key string, value int) []attribute.KeyValue {
	if value <= 0 {
		return attrs
	}
	return append(attrs, attribute.Int(key, value))
}
