package telemetry

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadSettings(t *testing.T) {
	t.Parallel()
	const addr = "localhost:9464"
	otlp := signal{exporters: []string{"otlp"}}
	for _, tt := range []struct {
		name string
		env  map[string]string
		want settings
	}{
		{"nothing", nil, settings{prometheusAddr: addr}},
		{"variables of others", map[string]string{"OTEL_SERVICE_NAME": "x", "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "http://h", "OTEL_LOGS_EXPORTER": "otlp"}, settings{prometheusAddr: addr}},
		{"an endpoint for all", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://h:4318"}, settings{traces: otlp, metrics: otlp, prometheusAddr: addr}},
		{"an endpoint for metrics", map[string]string{"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "http://h:4318/m"}, settings{metrics: otlp, prometheusAddr: addr}},
		{"only headers", map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "api-key=s%20cret"}, settings{traces: otlp, metrics: otlp, prometheusAddr: addr, secrets: []string{"s cret", "s%20cret"}}},
		{"an endpoint, but no metrics", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://h:4318", "OTEL_METRICS_EXPORTER": "none"}, settings{traces: otlp, prometheusAddr: addr}},
		{"the default endpoint", map[string]string{"OTEL_TRACES_EXPORTER": "otlp"}, settings{traces: otlp, prometheusAddr: addr}},
		{"several exporters", map[string]string{"OTEL_TRACES_EXPORTER": " otlp,console,otlp "}, settings{traces: signal{exporters: []string{"otlp", "console"}}, prometheusAddr: addr}},
		{"gRPC for traces", map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "grpc"}, settings{traces: signal{exporters: []string{"otlp"}, grpc: true}, metrics: otlp, prometheusAddr: addr}},
		{"Prometheus", map[string]string{"OTEL_METRICS_EXPORTER": "prometheus", "OTEL_EXPORTER_PROMETHEUS_HOST": "0.0.0.0", "OTEL_EXPORTER_PROMETHEUS_PORT": "1"}, settings{metrics: signal{exporters: []string{"prometheus"}}, prometheusAddr: "0.0.0.0:1"}},
		{"Prometheus on IPv6", map[string]string{"OTEL_METRICS_EXPORTER": "prometheus", "OTEL_EXPORTER_PROMETHEUS_HOST": "::1"}, settings{metrics: signal{exporters: []string{"prometheus"}}, prometheusAddr: "[::1]:9464"}},
		{"disabled", map[string]string{"OTEL_SDK_DISABLED": "True", "OTEL_TRACES_EXPORTER": "nonsense"}, settings{disabled: true}},
		{"not disabled", map[string]string{"OTEL_SDK_DISABLED": "false"}, settings{prometheusAddr: addr}},
		{"the latest names", map[string]string{"OTEL_SEMCONV_STABILITY_OPT_IN": "http, gen_ai_latest_experimental"}, settings{latest: true, prometheusAddr: addr}},
		{"content on spans", map[string]string{"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "SPAN_ONLY"}, settings{content: true, prometheusAddr: addr}},
		{"content everywhere", map[string]string{"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "span_and_event"}, settings{content: true, prometheusAddr: addr}},
		{"content as a boolean", map[string]string{"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "true"}, settings{content: true, prometheusAddr: addr}},
		{"no content", map[string]string{"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "NO_CONTENT"}, settings{prometheusAddr: addr}},
		{"no content as a boolean", map[string]string{"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "False"}, settings{prometheusAddr: addr}},
		{"content in events alone", map[string]string{"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "EVENT_ONLY"}, settings{prometheusAddr: addr,
			warnings: []string{"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT is EVENT_ONLY, and helve has content on spans only: nothing is captured"}}},
		{"JSON for traces", map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "http/json"}, settings{traces: otlp, metrics: otlp, prometheusAddr: addr,
			warnings: []string{"OTEL_EXPORTER_OTLP_PROTOCOL is http/json, which metrics don't have: they go as http/protobuf. OTEL_EXPORTER_OTLP_METRICS_PROTOCOL=http/protobuf says that you know"}}},
		{"a fleet's sampler", map[string]string{"OTEL_TRACES_EXPORTER": "otlp", "OTEL_METRICS_EXPORTER": "none", "OTEL_TRACES_SAMPLER": "xray"}, settings{traces: otlp, prometheusAddr: addr,
			warnings: []string{`OTEL_TRACES_SAMPLER is "xray", which helve has not: all traces are kept`}}},
		{"JSON for traces alone", map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "http/json", "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL": "http/protobuf"}, settings{traces: otlp, metrics: otlp, prometheusAddr: addr}},
		{"names that nobody knows", map[string]string{"OTEL_SEMCONV_STABILITY_OPT_IN": "database/dup,gen_ai_latest"}, settings{prometheusAddr: addr,
			warnings: []string{`OTEL_SEMCONV_STABILITY_OPT_IN names "gen_ai_latest", which helve does not know: it knows gen_ai_latest_experimental`}}},
		{"what is not used is not checked", map[string]string{"OTEL_TRACES_EXPORTER": "console", "OTEL_EXPORTER_OTLP_TIMEOUT": "abc", "OTEL_METRIC_EXPORT_INTERVAL": "abc", "OTEL_TRACES_SAMPLER_ARG": "abc"}, settings{traces: signal{exporters: []string{"console"}}, prometheusAddr: addr}},
		{"settings of the SDK", map[string]string{
			"OTEL_TRACES_EXPORTER": "otlp", "OTEL_METRICS_EXPORTER": "otlp",
			"OTEL_BSP_MAX_QUEUE_SIZE": "4096", "OTEL_BSP_SCHEDULE_DELAY": "100", "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT": "-1", "OTEL_METRIC_EXPORT_INTERVAL": "1000",
			"OTEL_TRACES_SAMPLER": "ParentBased_TraceIDRatio", "OTEL_TRACES_SAMPLER_ARG": "0.25", "OTEL_METRICS_EXEMPLAR_FILTER": "always_off",
			"OTEL_EXPORTER_OTLP_TIMEOUT": "0", "OTEL_EXPORTER_OTLP_COMPRESSION": "gzip", "OTEL_EXPORTER_OTLP_METRICS_COMPRESSION": "none", "OTEL_EXPORTER_OTLP_INSECURE": "TRUE",
			"OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE": "Delta", "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION": "base2_exponential_bucket_histogram",
		}, settings{traces: otlp, metrics: otlp, prometheusAddr: addr}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := readSettings(func(name string) string { return tt.env[name] })
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(settings{}, signal{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadSettingsSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, value, want string }{
		{"OTEL_SDK_DISABLED", "1", `OTEL_SDK_DISABLED is "1": say true or false`},
		{"OTEL_TRACES_EXPORTER", "otlp,zipkin", `OTEL_TRACES_EXPORTER names "zipkin": use otlp, console or none`},
		{"OTEL_TRACES_EXPORTER", "prometheus", `OTEL_TRACES_EXPORTER names "prometheus": use otlp, console or none`},
		{"OTEL_METRICS_EXPORTER", "statsd", `OTEL_METRICS_EXPORTER names "statsd": use otlp, console, prometheus or none`},
		{"OTEL_EXPORTER_OTLP_PROTOCOL", "http", `OTEL_EXPORTER_OTLP_PROTOCOL is "http": use http/protobuf, http/json or grpc`},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318", `OTEL_EXPORTER_OTLP_ENDPOINT is "localhost:4318": write it as http://HOST:PORT or https://HOST:PORT`},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "ftp://u:secret@h", `OTEL_EXPORTER_OTLP_ENDPOINT is "ftp://u:xxxxx@h": write it`},
		{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://u:secret@h:port", `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is no address: write it as`},
		{"OTEL_EXPORTER_OTLP_HEADERS", "a=b,secret", `OTEL_EXPORTER_OTLP_HEADERS: header 2 is not NAME=VALUE`},
		{"OTEL_EXPORTER_OTLP_HEADERS", "a=secret%", `OTEL_EXPORTER_OTLP_HEADERS: header 1 is not NAME=VALUE`},
		{"OTEL_EXPORTER_OTLP_HEADERS", "=secret", `OTEL_EXPORTER_OTLP_HEADERS: header 1 is not NAME=VALUE`},
		{"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "yes", `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT is "yes": use SPAN_ONLY or NO_CONTENT`},
	} {
		_, err := readSettings(func(name string) string {
			if name == tt.name {
				return tt.value
			}
			return ""
		})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s=%s: got %v, want %s", tt.name, tt.value, err, tt.want)
		}
	}
}
