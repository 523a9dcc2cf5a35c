package telemetry_test

import (
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	collectormetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collectortraces "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"helve/agent"
	"helve/executor"
	"helve/model"
	"helve/model/modeltest"
	"helve/model/sim"
	"helve/telemetry"
)

// environment sets the OTEL variables of a test, and none but them. The tests that
// use it can't run in parallel: the exporters read the process's environment.
func environment(t *testing.T, vars map[string]string) {
	t.Helper()
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "OTEL_") {
			t.Setenv(name, "")
		}
	}
	for name, value := range vars {
		t.Setenv(name, value)
	}
}

func start(t *testing.T, options telemetry.Options) *telemetry.Telemetry {
	t.Helper()
	tel, err := telemetry.Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	return tel
}

// collector receives OTLP over HTTP and gRPC.
type collector struct {
	mu      sync.Mutex
	traces  []*tracepb.ResourceSpans
	metrics []string // names
	headers []string // of the name x-key
	paths   []string
}

func (c *collector) addTraces(r *collectortraces.ExportTraceServiceRequest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.traces = append(c.traces, r.ResourceSpans...)
}

func (c *collector) addMetrics(r *collectormetrics.ExportMetricsServiceRequest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, resource := range r.ResourceMetrics {
		for _, scope := range resource.ScopeMetrics {
			for _, m := range scope.Metrics {
				c.metrics = append(c.metrics, m.Name)
			}
		}
	}
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reader := r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		reader = z
	}
	body, err := io.ReadAll(reader)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	c.headers = append(c.headers, r.Header.Get("x-key"))
	c.paths = append(c.paths, r.URL.Path)
	c.mu.Unlock()
	var traces collectortraces.ExportTraceServiceRequest
	var metrics collectormetrics.ExportMetricsServiceRequest
	switch {
	case r.URL.Path == "/v1/traces" && proto.Unmarshal(body, &traces) == nil:
		c.addTraces(&traces)
	case r.URL.Path == "/v1/metrics" && proto.Unmarshal(body, &metrics) == nil:
		c.addMetrics(&metrics)
	default:
		http.Error(w, "what is this?", http.StatusBadRequest)
	}
}

type grpcTraces struct {
	collectortraces.UnimplementedTraceServiceServer
	c *collector
}

func (g grpcTraces) Export(ctx context.Context, r *collectortraces.ExportTraceServiceRequest) (*collectortraces.ExportTraceServiceResponse, error) {
	g.c.noteHeader(ctx)
	g.c.addTraces(r)
	return &collectortraces.ExportTraceServiceResponse{}, nil
}

type grpcMetrics struct {
	collectormetrics.UnimplementedMetricsServiceServer
	c *collector
}

func (g grpcMetrics) Export(ctx context.Context, r *collectormetrics.ExportMetricsServiceRequest) (*collectormetrics.ExportMetricsServiceResponse, error) {
	g.c.noteHeader(ctx)
	g.c.addMetrics(r)
	return &collectormetrics.ExportMetricsServiceResponse{}, nil
}

func (c *collector) noteHeader(ctx context.Context) {
	md, _ := metadata.FromIncomingContext(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.headers = append(c.headers, strings.Join(md.Get("x-key"), ","))
}

// spanNames are the names of the spans that came, sorted.
func (c *collector) spanNames() []string {
	var names []string
	for _, r := range c.traces {
		for _, scope := range r.ScopeSpans {
			for _, s := range scope.Spans {
				names = append(names, s.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

func (c *collector) attribute(key string) string {
	all := map[string]string{}
	note := func(attrs []*commonpb.KeyValue) {
		for _, a := range attrs {
			all[a.Key] = a.Value.GetStringValue()
		}
	}
	for _, r := range c.traces {
		note(r.GetResource().GetAttributes())
	}
	return all[key]
}

// converse runs an agent on the offline model, over HTTP.
func converse(t *testing.T, tel *telemetry.Telemetry) {
	t.Helper()
	server, err := sim.Start(sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client, err := server.Client()
	if err != nil {
		t.Fatal(err)
	}
	a, err := agent.New(tel.Agent(agent.Config{Client: client, Tools: tools(add()), Executor: executor.Config{Logger: slog.New(slog.DiscardHandler)}}))
	if err != nil {
		t.Fatal(err)
	}
	run := telemetry.Invocation{Agent: "offline", Model: client.Info()}
	reply, err := agent.Collect(tel.Run(t.Context(), run, func(ctx context.Context) events { return a.Stream(ctx, "add a=1 b=2") }))
	if err != nil || !strings.Contains(reply.Text, "3") {
		t.Fatalf("got %v, %v", reply, err)
	}
}

func TestExportOverHTTP(t *testing.T) {
	var c collector
	server := httptest.NewServer(&c)
	defer server.Close()
	environment(t, map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT":    server.URL,
		"OTEL_EXPORTER_OTLP_HEADERS":     "x-key=s%20cret",
		"OTEL_EXPORTER_OTLP_COMPRESSION": "gzip",
		"OTEL_RESOURCE_ATTRIBUTES":       "deployment.environment=test,service.version=9",
		"OTEL_SERVICE_NAME":              "my-helve",
	})
	var log logBuffer
	tel := start(t, telemetry.Options{Version: "1.2.3", Logger: log.logger()})
	converse(t, tel)
	tel.Shutdown(t.Context())
	c.check(t)
	for key, want := range map[string]string{"service.name": "my-helve", "service.version": "9", "deployment.environment": "test", "telemetry.sdk.language": "go", "host.name": "", "process.command_args": ""} {
		if got := c.attribute(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	if log.String() != "" {
		t.Errorf("the log says %s", log.String())
	}
}

// Traces go as JSON where that is asked for; metrics can't, and helve says so.
func TestExportAsJSON(t *testing.T) {
	var came sync.Map
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		came.Store(r.URL.Path, r.Header.Get("Content-Type"))
		w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
	}))
	defer server.Close()
	environment(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL, "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json"})
	var log logBuffer
	tel := start(t, telemetry.Options{Logger: log.logger()})
	converse(t, tel)
	tel.Shutdown(t.Context())
	for path, want := range map[string]string{"/v1/traces": "application/json", "/v1/metrics": "application/x-protobuf"} {
		if got, _ := came.Load(path); got != want {
			t.Errorf("%s got %v, want %s", path, got, want)
		}
	}
	if said := log.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, "OTEL_EXPORTER_OTLP_PROTOCOL is http/json, which metrics don't have") {
		t.Errorf("the log says %s", said)
	}
}

func TestExportOverGRPC(t *testing.T) {
	var c collector
	server := grpc.NewServer()
	collectortraces.RegisterTraceServiceServer(server, grpcTraces{c: &c})
	collectormetrics.RegisterMetricsServiceServer(server, grpcMetrics{c: &c})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer func() {
		server.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	environment(t, map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": "http://" + listener.Addr().String(),
		"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc",
		"OTEL_EXPORTER_OTLP_HEADERS":  "x-key=s%20cret",
	})
	tel := start(t, telemetry.Options{Version: "1.2.3"})
	converse(t, tel)
	tel.Shutdown(t.Context())
	c.check(t)
	if got := c.attribute("service.version"); got != "1.2.3" {
		t.Errorf("the version is %q", got)
	}
}

// check looks at what came of [converse].
func (c *collector) check(t *testing.T) {
	t.Helper()
	want := []string{"chat offline", "chat offline", "execute_tool add", "invoke_agent offline"}
	if diff := cmp.Diff(want, c.spanNames()); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"gen_ai.client.operation.duration", "gen_ai.execute_tool.duration", "gen_ai.invoke_agent.duration", "gen_ai.client.token.usage"} {
		if !slices.Contains(c.metrics, name) {
			t.Errorf("%s is not in %v", name, c.metrics)
		}
	}
	for _, h := range c.headers {
		if h != "s cret" {
			t.Errorf("a request has the key %q", h)
		}
	}
}

func TestConsoleIsNotStandardOutput(t *testing.T) {
	environment(t, map[string]string{"OTEL_TRACES_EXPORTER": "console", "OTEL_METRICS_EXPORTER": "console"})
	var console logBuffer
	tel := start(t, telemetry.Options{Console: &console})
	converse(t, tel)
	tel.Shutdown(t.Context())
	for _, want := range []string{`"Name":"invoke_agent offline"`, `"Name":"gen_ai.execute_tool.duration"`} {
		if !strings.Contains(console.String(), want) {
			t.Errorf("%s is not on the console:\n%s", want, console.String())
		}
	}
}

func TestStartWithoutReason(t *testing.T) {
	for name, vars := range map[string]map[string]string{
		"nothing":      nil,
		"none":         {"OTEL_TRACES_EXPORTER": "none", "OTEL_METRICS_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:1"},
		"only content": {"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "true"},
		"disabled":     {"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:1"},
	} {
		t.Run(name, func(t *testing.T) {
			environment(t, vars)
			if tel := start(t, telemetry.Options{}); tel != nil {
				t.Error("telemetry is on")
			}
		})
	}
}

func TestStartSaysWhatIsWrong(t *testing.T) {
	for want, vars := range map[string]map[string]string{
		"OTEL_TRACES_EXPORTER":     {"OTEL_TRACES_EXPORTER": "zipkin"},
		"OTEL_BSP_MAX_QUEUE_SIZE":  {"OTEL_TRACES_EXPORTER": "console", "OTEL_BSP_MAX_QUEUE_SIZE": "-1"},
		"OTEL_RESOURCE_ATTRIBUTES": {"OTEL_TRACES_EXPORTER": "console", "OTEL_RESOURCE_ATTRIBUTES": "no value"},
	} {
		environment(t, vars)
		tel, err := telemetry.Start(t.Context(), telemetry.Options{MetricsAddr: "127.0.0.1:0"})
		if tel != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, %v", tel, err)
		}
	}
}

// A collector that accepts and never answers must not hold up the program's end.
func TestShutdownDoesNotWaitForADeadCollector(t *testing.T) {
	for _, protocol := range []string{"http/protobuf", "grpc"} {
		t.Run(protocol, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close() // its backlog accepts, and nobody reads
			environment(t, map[string]string{
				"OTEL_EXPORTER_OTLP_ENDPOINT": "http://" + listener.Addr().String(),
				"OTEL_EXPORTER_OTLP_PROTOCOL": protocol,
				"OTEL_EXPORTER_OTLP_HEADERS":  "x-key=s%20cret",
			})
			var log logBuffer
			tel := start(t, telemetry.Options{Logger: log.logger()})
			converse(t, tel)
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			tel.Shutdown(ctx)
			said := log.String()
			if strings.Count(said, "telemetry could not be sent") != 1 || !strings.Contains(said, "did not answer in time") || strings.Contains(said, "cret") {
				t.Errorf("the log says %s", said)
			}
		})
	}
}

func TestCollectorThatRefuses(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "I don't know the key "+r.Header.Get("x-key")+strings.Repeat(" at all", 1000), http.StatusForbidden)
	}))
	defer server.Close()
	environment(t, map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL, "OTEL_EXPORTER_OTLP_HEADERS": "x-key=s%20cret"})
	var log logBuffer
	tel := start(t, telemetry.Options{Logger: log.logger()})
	converse(t, tel)
	tel.Shutdown(t.Context())
	said := log.String()
	if strings.Count(said, "\n") != 1 || !strings.Contains(said, "403 Forbidden") || strings.Contains(said, "s cret") || len(said) > 2000 {
		t.Errorf("the log says %s", said)
	}
}

func TestLatestNamesByVariable(t *testing.T) {
	environment(t, map[string]string{"OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental", "OTEL_METRICS_EXPORTER": "console"})
	var console logBuffer
	tel := start(t, telemetry.Options{Console: &console})
	if _, err := model.Generate(t.Context(), tel.Client(modeltest.NewScript(modeltest.Text("Hello."))), &model.Request{}); err != nil {
		t.Fatal(err)
	}
	tel.Shutdown(t.Context())
	if said := console.String(); !strings.Contains(said, "gen_ai.client.inference.duration") || strings.Contains(said, "gen_ai.client.operation.duration") {
		t.Errorf("the console says %s", said)
	}
}
