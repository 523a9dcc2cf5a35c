package telemetry

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Of these the SDK would say nothing, or print something of its own, or panic.
func TestReadSettingsChecksWhatTheSDKReads(t *testing.T) {
	t.Parallel()
	const number = "write a whole number from "
	none := filepath.Join(t.TempDir(), "none")
	for _, tt := range []struct{ name, value, want string }{
		{"OTEL_BSP_MAX_QUEUE_SIZE", "-1", `is "-1": ` + number + "1 to 1048576"},
		{"OTEL_BSP_MAX_QUEUE_SIZE", "99999999999", `is "99999999999": ` + number},
		{"OTEL_BSP_MAX_QUEUE_SIZE", "99999999999999999999", number},
		{"OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "-1", number},
		{"OTEL_BSP_SCHEDULE_DELAY", "abc", `is "abc": ` + number + "1 to 86400000"},
		{"OTEL_BSP_SCHEDULE_DELAY", "0", number},
		{"OTEL_BSP_SCHEDULE_DELAY", " 5", number},
		{"OTEL_BSP_EXPORT_TIMEOUT", "9223372036854775807", number},
		{"OTEL_SPAN_EVENT_COUNT_LIMIT", "many", number},
		{"OTEL_METRIC_EXPORT_INTERVAL", "abc", number},
		{"OTEL_METRIC_EXPORT_TIMEOUT", "0", number},
		{"OTEL_EXPORTER_OTLP_TIMEOUT", "10s", number},
		{"OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "-1", number},
		{"OTEL_EXPORTER_OTLP_METRICS_TIMEOUT", "abc", number},
		{"OTEL_TRACES_SAMPLER", "bogus", `is "bogus": use always_on or always_off or`},
		{"OTEL_METRICS_EXEMPLAR_FILTER", "bogus", "use always_on or"},
		{"OTEL_EXPORTER_OTLP_COMPRESSION", "zip", `is "zip": use gzip or none`},
		{"OTEL_EXPORTER_OTLP_METRICS_COMPRESSION", "GZIP", "use gzip or none"},
		{"OTEL_EXPORTER_OTLP_INSECURE", "maybe", `is "maybe": say true or false`},
		{"OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "bogus", "use cumulative or delta or lowmemory"},
		{"OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION", "bogus", "use explicit_bucket_histogram or"},
		{"OTEL_EXPORTER_OTLP_CERTIFICATE", none, "no such file"},
		{"OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE", filepath.Dir(none), "it is no file of at most 1024 KiB"},
		{"OTEL_EXPORTER_OTLP_CLIENT_KEY", none, "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE and OTEL_EXPORTER_OTLP_CLIENT_KEY need each other"},
		{"OTEL_EXPORTER_OTLP_METRICS_PROTOCOL", "http/json", "is http/json, which metrics don't have: use http/protobuf or grpc"},
	} {
		_, err := readSettings(otlpWith(map[string]string{tt.name: tt.value}))
		if err == nil || !strings.Contains(err.Error(), tt.name) || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s=%s: got %v, want %s", tt.name, tt.value, err, tt.want)
		}
	}
}

func TestSamplerArgument(t *testing.T) {
	t.Parallel()
	for _, share := range []string{"abc", "-0.1", "1.1", "NaN"} {
		_, err := readSettings(otlpWith(map[string]string{"OTEL_TRACES_SAMPLER": "traceidratio", "OTEL_TRACES_SAMPLER_ARG": share}))
		if err == nil || !strings.Contains(err.Error(), "OTEL_TRACES_SAMPLER_ARG is \""+share+"\": write the share") {
			t.Errorf("%s: got %v", share, err)
		}
	}
}

func TestCertificates(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	certificate, key := newPair(t, dir)
	_, other := newPair(t, t.TempDir())
	const prefix = "OTEL_EXPORTER_OTLP_"
	for _, tt := range []struct {
		name, certificate, clientCertificate, clientKey string
		want                                            string // of the error; empty for none
	}{
		{"all is well", certificate, certificate, key, ""},
		{"a key for authorities", key, "", "", "there is no certificate in PEM form in it"},
		{"no client certificate", "", dir + "/none", key, prefix + "CLIENT_CERTIFICATE is"},
		{"no client key", "", certificate, dir + "/none", prefix + "CLIENT_KEY is"},
		{"another's key", "", certificate, other, "are no pair"},
		{"turned around", "", key, certificate, "are no pair"},
	} {
		_, err := readSettings(otlpWith(map[string]string{
			prefix + "CERTIFICATE": tt.certificate, prefix + "CLIENT_CERTIFICATE": tt.clientCertificate, prefix + "CLIENT_KEY": tt.clientKey,
		}))
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
}

// otlpWith is an environment that sends all to a collector.
func otlpWith(vars map[string]string) func(string) string {
	return func(name string) string {
		if name == "OTEL_EXPORTER_OTLP_ENDPOINT" {
			return "http://h:4318"
		}
		return vars[name]
	}
}

// newPair writes a certificate and its key.
func newPair(t *testing.T, dir string) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key = filepath.Join(dir, "certificate.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{certificate: {Type: "CERTIFICATE", Bytes: signed}, key: {Type: "PRIVATE KEY", Bytes: der}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certificate, key
}
