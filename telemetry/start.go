package telemetry

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// Options are what a program says besides the environment. The zero value serves.
type Options struct {
	// MetricsAddr serves metrics to Prometheus at http://HOST:PORT/metrics. Without
	// a host, as in ":9464", it listens on every address of the machine, so write
	// 127.0.0.1:9464 where nobody else should read them. Port 0 is a free one; see
	// [Telemetry.MetricsAddr]. Empty serves nothing.
	MetricsAddr string

	Version string       // of the program
	Logger  *slog.Logger // for what goes wrong while it runs; nil: slog.Default()
	Console io.Writer    // for the exporter "console", safe for concurrent use; nil: standard error
}

// Start does what the standard OTEL_* variables and options say: see the package
// documentation for which. Where they say nothing it returns nil, which is a
// Telemetry that is off. End it with [Telemetry.Shutdown].
//
// An error says which variable is wrong, or why the address can't be served. It
// does not need a collector that answers.
func Start(ctx context.Context, options Options) (*Telemetry, error) {
	s, err := readSettings(os.Getenv)
	if err != nil {
		return nil, err
	}
	log := cmp.Or(options.Logger, slog.Default())
	for _, w := range s.warnings {
		log.WarnContext(ctx, w)
	}
	if s.disabled {
		if options.MetricsAddr != "" {
			log.WarnContext(ctx, "no metrics are served, for OTEL_SDK_DISABLED is true")
		}
		return nil, nil
	}
	addr := options.MetricsAddr
	if slices.Contains(s.metrics.exporters, exporterPrometheus) {
		addr = cmp.Or(addr, s.prometheusAddr)
	}
	if s.off() && addr == "" {
		return nil, nil
	}
	p := newPipeline(log, s.secrets)
	config := Config{Content: s.content, Latest: s.latest}
	if err := p.start(ctx, s, addr, options, &config); err != nil {
		p.shutdown(ctx)
		return nil, err
	}
	t, err := New(config)
	if err != nil {
		p.shutdown(ctx)
		return nil, err
	}
	t.pipeline = p
	return t, nil
}

// MetricsAddr returns the host and port at which metrics are served, or nothing
// where they are not.
func (t *Telemetry) MetricsAddr() string {
	if t == nil || t.pipeline == nil || t.pipeline.scrapes == nil {
		return ""
	}
	return t.pipeline.scrapes.addr
}

// Shutdown sends what was not sent yet and ends what [Start] began. It takes no
// longer than five seconds, nor than ctx allows: a collector that does not answer
// costs its last spans, and a line in the log. Call it once, when nothing runs any
// more, with a context that has not ended: after Ctrl-C, context.WithoutCancel(ctx).
func (t *Telemetry) Shutdown(ctx context.Context) {
	if t != nil && t.pipeline != nil {
		t.pipeline.shutdown(ctx)
	}
}

// patience is how long a program that wants to end waits for its collector.
const patience = 5 * time.Second

// pipeline is the providers that Start makes, with what stands behind them.
type pipeline struct {
	complaint *complaint
	cut       context.Context // ends with the pipeline's patience: exports end with it
	cutNow    context.CancelFunc
	closers   []func(context.Context) error
	scrapes   *scrapes
}

func newPipeline(log *slog.Logger, secrets []string) *pipeline {
	p := &pipeline{complaint: newComplaint(log, secrets)}
	p.cut, p.cutNow = context.WithCancel(context.Background())
	return p
}

// start fills in the providers of config. What it has begun when it fails is
// ended by shutdown.
func (p *pipeline) start(ctx context.Context, s settings, addr string, options Options, config *Config) (err error) {
	var listener net.Listener
	if addr != "" { // first, for it fails the most easily
		if listener, err = listenForScrapes(ctx, addr); err != nil {
			return fmt.Errorf("telemetry: serve metrics at %s: %w", addr, err)
		}
		defer func() {
			if err != nil {
				listener.Close()
			}
		}()
	}
	who, err := resource.New(ctx,
		resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "helve"), attribute.String("service.version", cmp.Or(options.Version, "unknown"))),
		resource.WithFromEnv()) // the last wins; the host's name and the command line are nobody's business
	if err != nil {
		return fmt.Errorf("telemetry: OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	console := options.Console
	if console == nil {
		console = os.Stderr // standard output has the program's answer
	}
	if err := p.traces(ctx, s.traces, console, who, config); err != nil {
		return err
	}
	return p.metrics(ctx, s.metrics, console, who, listener, config)
}

func (p *pipeline) traces(ctx context.Context, s signal, console io.Writer, who *resource.Resource, config *Config) error {
	options := []sdktrace.TracerProviderOption{sdktrace.WithResource(who)}
	for _, name := range s.exporters {
		e, err := newSpanExporter(ctx, name, s.grpc, console)
		if err != nil {
			return fmt.Errorf("telemetry: traces to %s: %w", name, err)
		}
		options = append(options, sdktrace.WithBatcher(&spanExporter{e, p}))
	}
	if len(options) > 1 {
		provider := sdktrace.NewTracerProvider(options...)
		p.closers = append(p.closers, provider.Shutdown)
		config.Traces = provider
	}
	return nil
}

func (p *pipeline) metrics(ctx context.Context, s signal, console io.Writer, who *resource.Resource, listener net.Listener, config *Config) error {
	options := []sdkmetric.Option{sdkmetric.WithResource(who)}
	for _, name := range s.exporters {
		if name == exporterPrometheus {
			continue // it has the listener
		}
		e, err := newMetricExporter(ctx, name, s.grpc, console)
		if err != nil {
			return fmt.Errorf("telemetry: metrics to %s: %w", name, err)
		}
		options = append(options, sdkmetric.WithReader(sdkmetric.NewPeriodicReader(&metricExporter{e, p})))
	}
	if listener != nil {
		registry := prometheus.NewRegistry()
		reader, err := newScrapeReader(registry)
		if err != nil {
			return fmt.Errorf("telemetry: %w", err)
		}
		options = append(options, sdkmetric.WithReader(reader))
		defer func() { // once the provider feeds the reader
			p.scrapes = serveScrapes(listener, registry, p.complaint.log)
			p.closers = append(p.closers, p.scrapes.close)
		}()
	}
	if len(options) > 1 {
		provider := sdkmetric.NewMeterProvider(options...)
		p.closers = append(p.closers, provider.Shutdown)
		config.Metrics = provider
	}
	return nil
}

// shutdown closes all at once, so that they share the time there is.
func (p *pipeline) shutdown(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	defer p.cutNow()
	var all sync.WaitGroup
	for _, close := range p.closers {
		all.Go(func() {
			p.complaint.about(ctx, close(ctx))
		})
	}
	all.Wait()
}

// until returns ctx, ended also when the pipeline's patience ends.
func (p *pipeline) until(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(p.cut, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}
