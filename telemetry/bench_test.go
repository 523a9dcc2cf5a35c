package telemetry_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"helve/executor"
	"helve/model"
	"helve/model/modeltest"
	"helve/telemetry"
	"helve/tool"
)

// dropped is an exporter that costs nothing, so that the figures are the spans'
// own.
type dropped struct{}

func (dropped) ExportSpans(context.Context, []sdktrace.ReadOnlySpan) error { return nil }
func (dropped) Shutdown(context.Context) error                             { return nil }

// states are what telemetry can cost: "without" is code that does not know it, and
// "off" is the same with a Telemetry that is nil.
func states(b *testing.B) []struct {
	name   string
	config telemetry.Config
} {
	spans := sdktrace.NewTracerProvider(sdktrace.WithBatcher(dropped{}))
	rarely := sdktrace.NewTracerProvider(sdktrace.WithBatcher(dropped{}), sdktrace.WithSampler(sdktrace.NeverSample()))
	b.Cleanup(func() {
		_ = spans.Shutdown(context.Background())
		_ = rarely.Shutdown(context.Background())
	})
	metrics := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewManualReader()))
	return []struct {
		name   string
		config telemetry.Config
	}{
		{"off", telemetry.Config{}},
		{"metrics", telemetry.Config{Metrics: metrics}},
		{"spans", telemetry.Config{Traces: spans}},
		{"spans_unsampled", telemetry.Config{Traces: rarely}},
		{"both", telemetry.Config{Traces: spans, Metrics: metrics}},
	}
}

func newTelemetry(b *testing.B, config telemetry.Config) *telemetry.Telemetry {
	b.Helper()
	tel, err := telemetry.New(config)
	if err != nil {
		b.Fatal(err)
	}
	return tel
}

func BenchmarkExecute(b *testing.B) {
	run := func(b *testing.B, config executor.Config, n int) {
		e := executor.New(config)
		calls := make([]tool.Call, n)
		for i := range calls {
			calls[i] = tool.Call(call(fmt.Sprint("call_", i), "add", `{"a":1,"b":2}`))
		}
		b.ReportAllocs()
		for b.Loop() {
			for _, r := range e.Execute(b.Context(), calls) {
				if r.Err != nil {
					b.Fatal(r.Err)
				}
			}
		}
	}
	for _, n := range []int{1, 16} {
		config := executor.Config{Tools: registry(b, add()), Logger: slog.New(slog.DiscardHandler)}
		b.Run(fmt.Sprintf("calls=%d/without", n), func(b *testing.B) { run(b, config, n) })
		for _, s := range states(b) {
			tel := newTelemetry(b, s.config)
			b.Run(fmt.Sprintf("calls=%d/%s", n, s.name), func(b *testing.B) { run(b, tel.Executor(config), n) })
		}
	}
}

func BenchmarkClient(b *testing.B) {
	pieces := make([]string, 100)
	for i := range pieces {
		pieces[i] = "word "
	}
	script := modeltest.Respond(func(*model.Request) modeltest.Turn { return modeltest.Text(pieces...) })
	run := func(b *testing.B, client model.Client) {
		b.ReportAllocs()
		for b.Loop() {
			for _, err := range client.Stream(b.Context(), &model.Request{}) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.Run("without", func(b *testing.B) { run(b, script) })
	for _, s := range states(b) {
		tel := newTelemetry(b, s.config)
		b.Run(s.name, func(b *testing.B) { run(b, tel.Client(script)) })
	}
}
