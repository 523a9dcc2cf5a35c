package telemetry

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
)

// settings are what the standard variables say.
type settings struct {
	disabled        bool
	traces, metrics signal
	content, latest bool
	prometheusAddr  string // of OTEL_METRICS_EXPORTER=prometheus

	warnings []string
	secrets  []string // values of headers: no log may show them
}

// signal is where spans or metrics go.
type signal struct {
	exporters []string // otlp, console, prometheus; none is left out
	grpc      bool     // otlp goes by gRPC, else by HTTP
}

func (s settings) off() bool { return len(s.traces.exporters)+len(s.metrics.exporters) == 0 }

// readSettings reads the variables that are this package's to read, and checks those
// that the SDK and its exporters read themselves, as far as what they send, and where,
// depends on them.
func readSettings(getenv func(string) string) (settings, error) {
	r := reader{getenv: getenv}
	var s settings
	s.disabled = r.boolean("OTEL_SDK_DISABLED")
	if s.disabled {
		return s, errors.Join(r.errs...)
	}
	s.traces = r.signal("TRACES", "otlp", "console")
	s.metrics = r.signal("METRICS", "otlp", "console", "prometheus")
	s.content = r.capture()
	s.latest = r.optIn()
	s.prometheusAddr = net.JoinHostPort(strings.Trim(r.or("OTEL_EXPORTER_PROMETHEUS_HOST", "localhost"), "[]"), r.or("OTEL_EXPORTER_PROMETHEUS_PORT", "9464"))
	for _, name := range []string{"OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_METRICS_HEADERS"} {
		s.secrets = append(s.secrets, r.headers(name)...)
	}
	r.sdk(s)
	s.warnings = r.warnings
	return s, errors.Join(r.errs...)
}

// reader reads variables and gathers what is wrong with them. An empty variable is
// one that is not set, as OpenTelemetry wants it.
type reader struct {
	getenv   func(string) string
	errs     []error
	warnings []string
}

func (r *reader) get(name string) string { return strings.TrimSpace(r.getenv(name)) }

func (r *reader) or(name, otherwise string) string {
	if v := r.get(name); v != "" {
		return v
	}
	return otherwise
}

// wrong notes an error, once: many variables are read for each signal.
func (r *reader) wrong(format string, args ...any) {
	err := fmt.Errorf("telemetry: "+format, args...)
	if !slices.ContainsFunc(r.errs, func(e error) bool { return e.Error() == err.Error() }) {
		r.errs = append(r.errs, err)
	}
}

func (r *reader) warn(format string, args ...any) {
	r.warnings = append(r.warnings, fmt.Sprintf(format, args...))
}

func (r *reader) boolean(name string) bool {
	v := r.get(name)
	if v != "" && !strings.EqualFold(v, "true") && !strings.EqualFold(v, "false") {
		r.wrong("%s is %q: say true or false", name, v)
	}
	return strings.EqualFold(v, "true")
}

func (r *reader) list(name string) []string {
	var all []string
	for item := range strings.SplitSeq(r.getenv(name), ",") {
		if item = strings.TrimSpace(item); item != "" {
			all = append(all, item)
		}
	}
	return all
}

// signal reads where spans (TRACES) or metrics (METRICS) go.
func (r *reader) signal(kind string, known ...string) signal {
	variable := "OTEL_" + kind + "_EXPORTER"
	var s signal
	exporters := r.list(variable)
	if len(exporters) == 0 && r.otlpIsMeant(kind) {
		exporters = []string{"otlp"}
	}
	for _, e := range exporters {
		switch {
		case e == "none", slices.Contains(s.exporters, e):
		case slices.Contains(known, e):
			s.exporters = append(s.exporters, e)
		default:
			r.wrong("%s names %q: use %s or none", variable, e, strings.Join(known, ", "))
		}
	}
	if slices.Contains(s.exporters, "otlp") {
		s.grpc = r.protocol(kind) == "grpc"
		r.endpoint(kind, s.grpc)
	}
	return s
}

// otlpIsMeant reports whether a variable is set that says how to reach a
// collector. OpenTelemetry would send to localhost even without one; a program
// that people run on their own machine does not.
func (r *reader) otlpIsMeant(kind string) bool {
	for _, what := range []string{"ENDPOINT", "PROTOCOL", "HEADERS", "INSECURE", "CERTIFICATE"} {
		if r.get("OTEL_EXPORTER_OTLP_"+what) != "" || r.get("OTEL_EXPORTER_OTLP_"+kind+"_"+what) != "" {
			return true
		}
	}
	return false
}

// forSignal reads the signal's own variable, or else the one for all.
func (r *reader) forSignal(kind, what string) (name, value string) {
	if own := "OTEL_EXPORTER_OTLP_" + kind + "_" + what; r.get(own) != "" {
		return own, r.get(own)
	}
	name = "OTEL_EXPORTER_OTLP_" + what
	return name, r.get(name)
}

func (r *reader) protocol(kind string) string {
	name, v := r.forSignal(kind, "PROTOCOL")
	switch v {
	case "", "grpc", "http/protobuf", "http/json":
	default:
		r.wrong("%s is %q: use http/protobuf, http/json or grpc", name, v)
	}
	if v == "http/json" && kind == "METRICS" { // OpenTelemetry has an exporter of it for traces only
		const own = "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL"
		if name == own {
			r.wrong("%s is http/json, which metrics don't have: use http/protobuf or grpc", own)
		} else {
			r.warn("%s is http/json, which metrics don't have: they go as http/protobuf. %s=http/protobuf says that you know", name, own)
		}
	}
	return v
}

func (r *reader) endpoint(kind string, grpc bool) {
	name, v := r.forSignal(kind, "ENDPOINT")
	if v == "" {
		return
	}
	u, err := url.Parse(v)
	switch {
	case err != nil:
		r.wrong("%s is no address: write it as http://HOST:PORT", name) // its text may hold a password
	case u.Scheme == "unix" && grpc:
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		r.wrong("%s is %q: write it as http://HOST:PORT or https://HOST:PORT", name, u.Redacted())
	}
}

// headers returns the values of a list of headers. An error says which one is
// wrong by its number: what it is may be the secret itself.
func (r *reader) headers(name string) (values []string) {
	for i, pair := range strings.Split(r.getenv(name), ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		key, value, ok := strings.Cut(pair, "=")
		decoded, err := url.PathUnescape(strings.TrimSpace(value))
		if !ok || strings.TrimSpace(key) == "" || err != nil {
			r.wrong("%s: header %d is not NAME=VALUE, with %%20 for a space and %%2C for a comma", name, i+1)
			continue
		}
		values = append(values, decoded, strings.TrimSpace(value))
	}
	return values
}

// optIn reads whether the unreleased names are wanted. The list is for all
// instrumentations, so that what does not concern this one is nobody's mistake.
func (r *reader) optIn() (latest bool) {
	const name, known = "OTEL_SEMCONV_STABILITY_OPT_IN", "gen_ai_latest_experimental"
	for _, item := range r.list(name) {
		switch {
		case item == known:
			latest = true
		case strings.HasPrefix(item, "gen_ai"):
			r.warn("%s names %q, which helve does not know: it knows %s", name, item, known)
		}
	}
	return latest
}

// capture reads whether content is captured. Of OpenTelemetry's instrumentations
// some take the names of places and some a boolean.
func (r *reader) capture() bool {
	const name = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
	switch v := r.get(name); strings.ToUpper(v) {
	case "", "NO_CONTENT", "FALSE":
		return false
	case "SPAN_ONLY", "SPAN_AND_EVENT", "TRUE":
		return true
	case "EVENT_ONLY":
		r.warn("%s is EVENT_ONLY, and helve has content on spans only: nothing is captured", name)
		return false
	default:
		r.wrong("%s is %q: use SPAN_ONLY or NO_CONTENT", name, v)
		return false
	}
}
