package telemetry_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"helve/executor"
	"helve/telemetry"
)

// scrape reads /metrics, or another path, as Prometheus does.
func scrape(t *testing.T, addr, path string) (status int, text string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get("http://" + addr + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

func TestScrape(t *testing.T) {
	environment(t, nil)
	var log logBuffer
	tel := start(t, telemetry.Options{MetricsAddr: "127.0.0.1:0", Version: "1.2.3", Logger: log.logger()})
	defer tel.Shutdown(context.Background())
	e := executor.New(tel.Executor(executor.Config{Tools: registry(t, add()), Logger: slog.New(slog.DiscardHandler)}))
	execute(e, t.Context(), call("call_0815", "add", `{"a":1,"b":2}`))
	execute(e, t.Context(), call("call_0816", "add", `{"a":"one"}`))
	execute(e, t.Context(), call("call_0817", "invented\"}\n\xff", `{}`))
	converse(t, tel)

	status, text := scrape(t, tel.MetricsAddr(), "/metrics")
	if status != http.StatusOK {
		t.Fatalf("status %d: %s", status, text)
	}
	for _, want := range []string{
		`gen_ai_execute_tool_duration_seconds_count{gen_ai_tool_name="add",gen_ai_tool_type="function"} 1`,
		`gen_ai_execute_tool_duration_seconds_count{gen_ai_agent_name="offline",gen_ai_tool_name="add",gen_ai_tool_type="function"} 1`,
		`gen_ai_execute_tool_duration_seconds_count{error_type="invalid_parameters",gen_ai_tool_name="add",gen_ai_tool_type="function"} 1`,
		`gen_ai_execute_tool_duration_seconds_count{error_type="not_found",gen_ai_tool_name="_OTHER",gen_ai_tool_type="function"} 1`,
		`gen_ai_execute_tool_duration_seconds_bucket{gen_ai_tool_name="add",gen_ai_tool_type="function",le="81.92"} 1`,
		`gen_ai_invoke_agent_duration_seconds_count{gen_ai_agent_name="offline",gen_ai_request_model="offline"} 1`,
		`gen_ai_client_operation_duration_seconds_count{gen_ai_operation_name="chat",gen_ai_provider_name="sim",gen_ai_request_model="offline",gen_ai_response_model="offline"} `,
		`gen_ai_client_token_usage_sum{`, `gen_ai_token_type="input"`,
		`service_version="1.2.3"`, "go_goroutines ", "process_start_time_seconds ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
	for _, never := range []string{"call_0", "invented", "otel_scope"} {
		if strings.Contains(text, never) {
			t.Errorf("%s is in the metrics", never)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
	if status, _ := scrape(t, tel.MetricsAddr(), "/"); status != http.StatusNotFound {
		t.Errorf("/ has status %d", status)
	}
	if !strings.Contains(log.String(), `"url":"http://`+tel.MetricsAddr()+`/metrics"`) {
		t.Errorf("the log does not say where: %s", log.String())
	}
}

func TestPrometheusByVariable(t *testing.T) {
	environment(t, map[string]string{"OTEL_METRICS_EXPORTER": "prometheus", "OTEL_EXPORTER_PROMETHEUS_HOST": "127.0.0.1", "OTEL_EXPORTER_PROMETHEUS_PORT": "0"})
	tel := start(t, telemetry.Options{Logger: slog.New(slog.DiscardHandler)})
	defer tel.Shutdown(context.Background())
	if status, text := scrape(t, tel.MetricsAddr(), "/metrics"); status != http.StatusOK || !strings.Contains(text, "go_goroutines") {
		t.Errorf("status %d: %s", status, text)
	}
}

func TestScrapesEndWithShutdown(t *testing.T) {
	environment(t, nil)
	tel := start(t, telemetry.Options{MetricsAddr: "127.0.0.1:0", Logger: slog.New(slog.DiscardHandler)})
	addr := tel.MetricsAddr()
	idle, err := net.Dial("tcp", addr) // a client that never asks
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tel.Shutdown(ctx)
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatalf("the address is not free: %v", err)
	}
	listener.Close()
}

func TestAddressesThatCannotBeServed(t *testing.T) {
	environment(t, map[string]string{"OTEL_TRACES_EXPORTER": "console"})
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for addr, want := range map[string]string{
		taken.Addr().String(): "another program listens there",
		"9464":                "write it as HOST:PORT",
		"127.0.0.1":           "write it as HOST:PORT",
		"192.0.2.1:9464":      "192.0.2.1:9464",
		"localhost:99999":     "invalid port",
	} {
		tel, err := telemetry.Start(t.Context(), telemetry.Options{MetricsAddr: addr})
		if tel != nil || err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), addr) {
			t.Errorf("%s: got %v, %v", addr, tel, err)
		}
	}
}

func TestDisabledServesNothing(t *testing.T) {
	environment(t, map[string]string{"OTEL_SDK_DISABLED": "true"})
	var log logBuffer
	if tel := start(t, telemetry.Options{MetricsAddr: "127.0.0.1:0", Logger: log.logger()}); tel != nil {
		t.Error("telemetry is on")
	}
	if !strings.Contains(log.String(), "OTEL_SDK_DISABLED") {
		t.Errorf("the log says %s", log.String())
	}
}
