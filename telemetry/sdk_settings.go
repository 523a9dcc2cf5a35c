package telemetry

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// bounds are what a number may be.
type bounds struct {
	name        string
	least, most int
}

// A mistyped number should not become an overflow, nor a queue without memory.
const (
	aDay      = 24 * 60 * 60 * 1000 // ms
	mostSpans = 1 << 20             // in a queue
	mostLimit = 1 << 30             // a limit's own limit; -1 means none
)

var (
	spanNumbers = []bounds{
		{"OTEL_BSP_SCHEDULE_DELAY", 1, aDay}, // 0 would never rest
		{"OTEL_BSP_EXPORT_TIMEOUT", 0, aDay},
		{"OTEL_BSP_MAX_QUEUE_SIZE", 1, mostSpans},
		{"OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 1, mostSpans},
		{"OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", -1, mostLimit},
		{"OTEL_ATTRIBUTE_COUNT_LIMIT", -1, mostLimit},
		{"OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", -1, mostLimit},
		{"OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", -1, mostLimit},
		{"OTEL_SPAN_EVENT_COUNT_LIMIT", -1, mostLimit},
		{"OTEL_SPAN_LINK_COUNT_LIMIT", -1, mostLimit},
		{"OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT", -1, mostLimit},
		{"OTEL_LINK_ATTRIBUTE_COUNT_LIMIT", -1, mostLimit},
	}
	metricNumbers = []bounds{
		{"OTEL_METRIC_EXPORT_INTERVAL", 1, aDay},
		{"OTEL_METRIC_EXPORT_TIMEOUT", 1, aDay},
	}
)

// sdk checks the variables that OpenTelemetry's SDK and exporters read themselves.
// Of a wrong one they would take the default and say it on standard error, or not at
// all, or panic.
func (r *reader) sdk(s settings) {
	if len(s.traces.exporters) > 0 {
		r.numbers(spanNumbers)
		r.sampler()
	}
	if len(s.metrics.exporters) > 0 {
		r.numbers(metricNumbers)
		r.oneOf("OTEL_METRICS_EXEMPLAR_FILTER", "always_on", "always_off", "trace_based")
	}
	if slices.Contains(s.traces.exporters, exporterOTLP) {
		r.otlp("OTEL_EXPORTER_OTLP_")
		r.otlp("OTEL_EXPORTER_OTLP_TRACES_")
	}
	if slices.Contains(s.metrics.exporters, exporterOTLP) {
		r.otlp("OTEL_EXPORTER_OTLP_")
		r.otlp("OTEL_EXPORTER_OTLP_METRICS_")
		r.oneOf("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "cumulative", "delta", "lowmemory")
		r.oneOf("OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION", "explicit_bucket_histogram", "base2_exponential_bucket_histogram")
	}
}

// otlp checks the variables with a prefix, which is for all signals or for one.
func (r *reader) otlp(prefix string) {
	r.numbers([]bounds{{prefix + "TIMEOUT", 0, aDay}})
	r.boolean(prefix + "INSECURE")
	if v := r.get(prefix + "COMPRESSION"); v != "" && v != "gzip" && v != "none" {
		r.wrong("%s is %q: use gzip or none", prefix+"COMPRESSION", v)
	}
	r.authorities(prefix + "CERTIFICATE")
	r.clientCertificate(prefix+"CLIENT_CERTIFICATE", prefix+"CLIENT_KEY")
}

// numbers checks whole numbers as the SDK reads most of them: spaces around one are
// a mistake.
func (r *reader) numbers(all []bounds) {
	for _, b := range all {
		v := r.getenv(b.name)
		if n, err := strconv.Atoi(v); v != "" && (err != nil || n < b.least || n > b.most) {
			r.wrong("%s is %q: write a whole number from %d to %d", b.name, v, b.least, b.most)
		}
	}
}

// oneOf checks a word, in any letter case.
func (r *reader) oneOf(name string, known ...string) string {
	v := strings.ToLower(r.get(name))
	if v != "" && !slices.Contains(known, v) {
		r.wrong("%s is %q: use %s", name, v, strings.Join(known, " or "))
	}
	return v
}

// sampler checks the sampler. Those that the specification knows and Go's SDK has not are
// set for whole fleets: the SDK then takes all, as its default does, and that is told.
func (r *reader) sampler() {
	const argument = "OTEL_TRACES_SAMPLER_ARG"
	switch v := strings.ToLower(r.get("OTEL_TRACES_SAMPLER")); v {
	case "xray", "jaeger_remote", "parentbased_jaeger_remote":
		r.warn("OTEL_TRACES_SAMPLER is %q, which helve has not: all traces are kept", v)
		return
	}
	sampler := r.oneOf("OTEL_TRACES_SAMPLER", "always_on", "always_off", "traceidratio",
		"parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio")
	v := r.get(argument)
	if v == "" || !strings.HasSuffix(sampler, "traceidratio") {
		return
	}
	if share, err := strconv.ParseFloat(v, 64); err != nil || !(share >= 0 && share <= 1) { // not even NaN
		r.wrong("%s is %q: write the share of traces to keep, from 0 to 1", argument, v)
	}
}

// authorities checks the certificates by which a collector is known. Without them
// those of the system would be trusted instead.
func (r *reader) authorities(name string) {
	path := r.get(name)
	if path == "" {
		return
	}
	data, err := readPEM(path)
	if err == nil && !x509.NewCertPool().AppendCertsFromPEM(data) {
		err = errors.New("there is no certificate in PEM form in it")
	}
	if err != nil {
		r.wrong("%s is %q: %w", name, path, err)
	}
}

// clientCertificate checks what helve shows to a collector.
func (r *reader) clientCertificate(certificate, key string) {
	certificatePath, keyPath := r.get(certificate), r.get(key)
	if certificatePath == "" && keyPath == "" {
		return
	}
	if certificatePath == "" || keyPath == "" {
		r.wrong("%s and %s need each other: set both or neither", certificate, key)
		return
	}
	certificatePEM, err := readPEM(certificatePath)
	if err != nil {
		r.wrong("%s is %q: %w", certificate, certificatePath, err)
		return
	}
	keyPEM, err := readPEM(keyPath)
	if err != nil {
		r.wrong("%s is %q: %w", key, keyPath, err)
		return
	}
	if _, err := tls.X509KeyPair(certificatePEM, keyPEM); err != nil {
		r.wrong("%s and %s are no pair: %w", certificate, key, err)
	}
}

const mostPEM = 1 << 20

// readPEM reads a file, which the exporter reads again: so it is no pipe.
func readPEM(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular(), info.Size() > mostPEM:
		return nil, fmt.Errorf("it is no file of at most %d KiB", mostPEM>>10)
	}
	return os.ReadFile(path)
}
