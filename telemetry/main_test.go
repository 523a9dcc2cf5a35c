package telemetry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/goleak"

	"helve/agent"
	"helve/executor"
	"helve/message"
	"helve/model"
	"helve/telemetry"
	"helve/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// watch is a Telemetry whose spans and metrics a test can read.
type watch struct {
	*telemetry.Telemetry
	t      testing.TB
	spans  *tracetest.SpanRecorder
	reader *sdkmetric.ManualReader
}

func newWatch(t testing.TB, change ...func(*telemetry.Config)) *watch {
	t.Helper()
	w := &watch{t: t, spans: tracetest.NewSpanRecorder(), reader: sdkmetric.NewManualReader()}
	config := telemetry.Config{
		Traces:  sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(w.spans)),
		Metrics: sdkmetric.NewMeterProvider(sdkmetric.WithReader(w.reader)),
	}
	for _, c := range change {
		c(&config)
	}
	var err error
	if w.Telemetry, err = telemetry.New(config); err != nil {
		t.Fatal(err)
	}
	return w
}

func capturing(c *telemetry.Config) { c.Content = true }
func latest(c *telemetry.Config)    { c.Latest = true }

// tree shows the ended spans, children under their parents, in the order in which
// they began, with the class of their error.
func (w *watch) tree() string {
	spans := w.spans.Ended()
	slices.SortStableFunc(spans, func(a, b sdktrace.ReadOnlySpan) int { return a.StartTime().Compare(b.StartTime()) })
	var b strings.Builder
	var show func(parent trace.SpanID, indent string)
	show = func(parent trace.SpanID, indent string) {
		for _, s := range spans {
			if s.Parent().SpanID() != parent {
				continue
			}
			fmt.Fprintf(&b, "%s%s %s", indent, s.SpanKind(), s.Name())
			if e, ok := attrs(s.Attributes())["error.type"]; ok {
				fmt.Fprintf(&b, " [%s %v]", s.Status().Code, e)
			}
			b.WriteByte('\n')
			show(s.SpanContext().SpanID(), indent+"  ")
		}
	}
	show(trace.SpanID{}, "")
	return b.String()
}

// span returns the only ended span of that name.
func (w *watch) span(name string) sdktrace.ReadOnlySpan {
	w.t.Helper()
	var found sdktrace.ReadOnlySpan
	for _, s := range w.spans.Ended() {
		if s.Name() == name {
			if found != nil {
				w.t.Fatalf("there are several spans %q", name)
			}
			found = s
		}
	}
	if found == nil {
		w.t.Fatalf("there is no span %q in\n%s", name, w.tree())
	}
	return found
}

func attrs(list []attribute.KeyValue) map[string]any {
	m := map[string]any{}
	for _, a := range list {
		m[string(a.Key)] = a.Value.AsInterface()
	}
	return m
}

// points shows the metrics, a line a point: the name, the attributes in their
// order, and how many values were recorded or their sum for what has no duration.
func (w *watch) points() []string {
	w.t.Helper()
	var data metricdata.ResourceMetrics
	if err := w.reader.Collect(context.Background(), &data); err != nil {
		w.t.Fatal(err)
	}
	var lines []string
	for _, s := range data.ScopeMetrics {
		for _, m := range s.Metrics {
			switch d := m.Data.(type) {
			case metricdata.Histogram[float64]:
				for _, p := range d.DataPoints {
					lines = append(lines, fmt.Sprintf("%s %s{%s} count %d", m.Name, m.Unit, p.Attributes.Encoded(attribute.DefaultEncoder()), p.Count))
				}
			case metricdata.Histogram[int64]:
				for _, p := range d.DataPoints {
					lines = append(lines, fmt.Sprintf("%s %s{%s} count %d sum %d", m.Name, m.Unit, p.Attributes.Encoded(attribute.DefaultEncoder()), p.Count, p.Sum))
				}
			case metricdata.Sum[int64]:
				for _, p := range d.DataPoints {
					lines = append(lines, fmt.Sprintf("%s %s{%s} total %d", m.Name, m.Unit, p.Attributes.Encoded(attribute.DefaultEncoder()), p.Value))
				}
			default:
				w.t.Fatalf("metric %s is a %T", m.Name, d)
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// everything is all that was recorded, as text, to look for what must not be in it.
func (w *watch) everything() string {
	var b strings.Builder
	for _, s := range w.spans.Ended() {
		fmt.Fprintf(&b, "%s %v %v %v\n", s.Name(), s.Attributes(), s.Events(), s.Status())
	}
	return b.String() + strings.Join(w.points(), "\n")
}

// newAgent returns a watched agent. Its log goes nowhere unless config says so.
func (w *watch) newAgent(client model.Client, config agent.Config, tools ...tool.Tool) *agent.Agent {
	w.t.Helper()
	config.Client, config.Tools = client, tools
	if config.Executor.Logger == nil {
		config.Executor.Logger = slog.New(slog.DiscardHandler)
	}
	a, err := agent.New(w.Agent(config))
	if err != nil {
		w.t.Fatal(err)
	}
	return a
}

type sumInput struct {
	A int `json:"a"`
	B int `json:"b"`
}

// add is a tool that works.
func add() tool.Tool {
	return tool.Must(tool.New("add", "Adds two numbers.", func(_ context.Context, in sumInput) (int, error) { return in.A + in.B, nil }))
}

// simple is a tool without parameters.
func simple(name string, f func(context.Context) (string, error), options ...tool.Option) tool.Tool {
	return tool.Must(tool.New(name, "A tool for tests.", func(ctx context.Context, _ struct{}) (string, error) { return f(ctx) }, options...))
}

func call(id, name, arguments string) message.ToolCall {
	return message.ToolCall{ID: id, Name: name, Arguments: json.RawMessage(arguments)}
}

func execute(e *executor.Executor, ctx context.Context, c message.ToolCall) executor.Result {
	return e.Execute(ctx, []tool.Call{tool.Call(c)})[0]
}

// logBuffer keeps what many goroutines write.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *logBuffer) logger() *slog.Logger { return slog.New(slog.NewJSONHandler(l, nil)) }

func sendable(s string, most int) bool { return utf8.ValidString(s) && len(s) <= most }

func tools(t ...tool.Tool) []tool.Tool { return t }

type events = iter.Seq2[agent.Event, error]
