package telemetry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/slogtest"

	"helve/agent"
	"helve/executor"
	"helve/model/modeltest"
	"helve/tool"
)

func TestLogHandlerKeepsTheRules(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	handler := newWatch(t).LogHandler(slog.NewJSONHandler(&b, nil))
	err := slogtest.TestHandler(handler, func() []map[string]any {
		var all []map[string]any
		for line := range bytes.Lines(b.Bytes()) {
			var m map[string]any
			if err := json.Unmarshal(line, &m); err != nil {
				t.Fatal(err)
			}
			all = append(all, m)
		}
		return all
	})
	if err != nil {
		t.Error(err)
	}
}

func TestLogHandlerAddsIDs(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	var log logBuffer
	logger := slog.New(w.LogHandler(w.LogHandler(slog.NewJSONHandler(&log, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))))
	say := simple("say", func(ctx context.Context) (string, error) {
		logger.InfoContext(ctx, "plain")
		logger.With("a", 1).WithGroup("g").With("b", 2).WithGroup("").InfoContext(ctx, "grouped", "c", 3)
		logger.With("a", 1).WithGroup("g").Info("outside", "c", 3)
		return "", nil
	})
	execute(w.newExecutor(executor.Config{}, say), t.Context(), call("1", "say", `{}`))
	span := w.span("execute_tool say").SpanContext()
	ids := fmt.Sprintf(`"trace_id":"%s","span_id":"%s"`, span.TraceID(), span.SpanID())
	want := `{"level":"INFO","msg":"plain",` + ids + `}
{"level":"INFO","msg":"grouped","a":1,` + ids + `,"g":{"b":2,"c":3}}
{"level":"INFO","msg":"outside","a":1,"g":{"c":3}}
`
	if log.String() != want {
		t.Errorf("got\n%swant\n%s", log.String(), want)
	}
}

// Document 004, section 5: every call is logged at INFO with its arguments, its
// result's size and its duration, and nothing secret.
func TestCallsAreLoggedWithTheirSpans(t *testing.T) {
	t.Parallel()
	w := newWatch(t)
	var log logBuffer
	login := tool.Must(tool.New("login", "Logs in.", func(_ context.Context, in struct {
		Password string `json:"password"`
		Note     string `json:"note"`
	}) (string, error) {
		return "", errors.New("no such user; Authorization: Bearer abcdefgh12345678")
	}))
	arguments := `{"password":"hunter2","note":"` + strings.Repeat("x", 8000) + `"}`
	a := w.newAgent(modeltest.NewScript(modeltest.Calls(call("1", "login", arguments)), modeltest.Text("No.")),
		agent.Config{Executor: executor.Config{Logger: log.logger()}}, login)
	if _, err := agent.Collect(w.stream(t.Context(), a, "Log in.")); err != nil {
		t.Fatal(err)
	}
	var record struct {
		Level     string `json:"level"`
		Tool      string `json:"tool"`
		Arguments string `json:"arguments"`
		Duration  int64  `json:"duration"`
		Kind      string `json:"error_kind"`
		TraceID   string `json:"trace_id"`
		SpanID    string `json:"span_id"`
	}
	if err := json.Unmarshal([]byte(log.String()), &record); err != nil {
		t.Fatalf("%v: %s", err, log.String())
	}
	span := w.span("execute_tool login").SpanContext()
	if record.Level != "INFO" || record.Tool != "login" || record.Kind != "execution" || record.TraceID != span.TraceID().String() || record.SpanID != span.SpanID().String() {
		t.Errorf("the record is %+v", record)
	}
	if len(record.Arguments) > 1100 || !strings.HasPrefix(record.Arguments, `{"note":"xxx`) {
		t.Errorf("the arguments are %s", record.Arguments)
	}
	for _, secret := range []string{"hunter2", "abcdefgh"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("%s is in the log", secret)
		}
	}
}
