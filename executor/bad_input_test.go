package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"helve/executor"
	"helve/message"
	"helve/tool"
)

// The list "Bad input, and what it gets" of the issue, as far as it is the
// executor's.

func TestBadInput_Arguments(t *testing.T) {
	t.Parallel()
	e := newExecutor(t, executor.Config{}, echo())
	for _, tt := range []struct{ name, arguments, says string }{
		{"missing", `{}`, "text"},
		{"empty", ``, "text"},
		{"null", `null`, "text"},
		{"mistyped", `{"text":5}`, "/text"},
		{"extra", `{"text":"a","extra":1}`, "/extra"},
		{"twice", `{"text":"a","text":"b"}`, "/text"},
		{"no object", `["text"]`, "object"},
		{"cut short", `{"text":"a`, "JSON"},
		{"followed by more", `{"text":"a"} and so on`, "JSON"},
		{"not JSON", `text=a`, "JSON"},
		{"deep", strings.Repeat("[", 100_000), ""},
		{"10 MB", `{"text":"` + strings.Repeat("a", 10<<20) + `"}`, "10485771 bytes long and at most 1048576 are allowed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := e.Execute(t.Context(), []tool.Call{call("1", "echo", tt.arguments), call("2", "echo", `{"text":"kept"}`)})
			if kind(got[0]) != tool.KindInvalidParameters || !strings.Contains(modelReads(got[0]), tt.says) {
				t.Errorf("%v, want invalid_parameters with %q", got[0].Err, tt.says)
			}
			if n := len(modelReads(got[0])); n > 16<<10 {
				t.Errorf("the model reads %d bytes", n)
			}
			if got[1].Output.Text() != "kept" {
				t.Errorf("the other call: %v", got[1].Err)
			}
		})
	}
}

func TestBadInput_ManyViolationsStayReadable(t *testing.T) {
	t.Parallel()
	numbers := tool.Must(tool.New("sum", "Adds.", func(context.Context, struct {
		Numbers []int `json:"numbers"`
	}) (int, error) {
		return 0, nil
	}))
	arguments := `{"numbers":["` + strings.Repeat(`x","`, 100_000) + `x"]}`
	r := execute1(newExecutor(t, executor.Config{}, numbers), call("1", "sum", arguments))
	if n := len(modelReads(r)); kind(r) != tool.KindInvalidParameters || n > 32<<10 {
		t.Errorf("kind %q, and the model reads %d bytes", kind(r), n)
	}
}

func TestBadInput_ThousandCalls(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ most, want int }{{0, 128}, {1000, 1000}, {5000, 1000}} {
		var log logBuffer
		var ran atomic.Int64
		count := simple("count", func(context.Context) (string, error) { ran.Add(1); return "counted", nil })
		e := newExecutor(t, executor.Config{MaxCalls: tt.most, Logger: log.logger(slog.LevelWarn)}, count)
		calls := make([]tool.Call, 1000)
		for i := range calls {
			calls[i] = call(fmt.Sprint(i), "count", "")
		}
		got := e.Execute(t.Context(), calls)
		if int(ran.Load()) != tt.want {
			t.Errorf("%d ran, want %d", ran.Load(), tt.want)
		}
		for i, r := range got {
			refused := i >= tt.want
			if r.Call.ID != fmt.Sprint(i) || (kind(r) == tool.KindUnavailable) != refused || (r.Output.Text() == "counted") == refused {
				t.Fatalf("result %d: %+v", i, r)
			}
		}
		if warned := strings.Contains(log.String(), "calls=1000 run=128"); warned != (tt.want < 1000) {
			t.Errorf("the log has %q", log.String())
		}
	}
}

func TestBadInput_HugeResult(t *testing.T) {
	t.Parallel()
	huge := simple("huge", func(context.Context) (string, error) { return strings.Repeat("é", 50<<20), nil })
	r := execute1(newExecutor(t, executor.Config{MaxResult: 1001}, huge), call("1", "huge", ""))
	want := strings.Repeat("é", 500) + "\n[cut: the first 1000 of 104857600 bytes are shown; ask for less]"
	if got := modelReads(r); got != want {
		t.Errorf("the model reads %d bytes: …%s", len(got), got[max(0, len(got)-100):])
	}
}

func TestBadInput_HugeErrorText(t *testing.T) {
	t.Parallel()
	huge := simple("huge", func(context.Context) (string, error) { return "", fmt.Errorf("%s", strings.Repeat("é", 1<<20)) })
	r := execute1(newExecutor(t, executor.Config{}, huge), call("1", "huge", ""))
	if got := modelReads(r); len(got) > 9<<10 || !strings.Contains(got, "[cut: 2097152 bytes in all]") {
		t.Errorf("the model reads %d bytes", len(got))
	}
}

func TestBadInput_ResultWithoutAJSONForm(t *testing.T) {
	t.Parallel()
	returns := func(v any) tool.Tool {
		return tool.Must(tool.FromSchema("returns", "Returns.", []byte(`{"type":"object"}`),
			func(context.Context, json.RawMessage) (any, error) { return v, nil }))
	}
	for _, tt := range []struct {
		name  string
		value any
		says  string
	}{
		{"NaN", math.NaN(), "The tool returned the number NaN, which JSON can't hold."},
		{"infinity within", map[string]any{"a": []float64{1, math.Inf(1)}}, "The tool returned the number +Inf, which JSON can't hold."},
		{"channel", make(chan int), "The tool returned a chan int, which has no JSON form."},
		{"function within", map[string]any{"f": func() {}}, "The tool returned a func(), which has no JSON form."},
	} {
		r := execute1(newExecutor(t, executor.Config{}, returns(tt.value)), call("1", "returns", ""))
		if kind(r) != tool.KindExecution || r.Err.Message != tt.says {
			t.Errorf("%s: %v", tt.name, r.Err)
		}
	}
}

func TestBadInput_EmptyResultIsSaid(t *testing.T) {
	t.Parallel()
	nothing := tool.Must(tool.New("nothing", "Returns no parts.", func(context.Context, struct{}) ([]message.Part, error) { return nil, nil }))
	if got := modelReads(execute1(newExecutor(t, executor.Config{}, nothing), call("1", "nothing", ""))); got != "(no output)" {
		t.Errorf("the model reads %q", got)
	}
}

func TestBadInput_ToolThatEndsItsGoroutine(t *testing.T) {
	t.Parallel()
	var log logBuffer
	quits := simple("quits", func(context.Context) (string, error) { runtime.Goexit(); return "", nil })
	e := newExecutor(t, executor.Config{Logger: log.logger(slog.LevelError)}, quits)
	r := execute1(e, call("1", "quits", ""))
	if kind(r) != tool.KindExecution || r.Err.Message != "The tool stopped without an answer." {
		t.Errorf("got %v", r.Err)
	}
	if !strings.Contains(log.String(), "the tool called runtime.Goexit") {
		t.Errorf("the log has %q", log.String())
	}
	p := e.Start(t.Context(), call("2", "quits", ""))
	if r := p.Result(); kind(r) != tool.KindExecution {
		t.Errorf("started: %v", r.Err)
	}
}

func TestBadInput_NameOfAnyLength(t *testing.T) {
	t.Parallel()
	var log logBuffer
	e := newExecutor(t, executor.Config{Logger: log.logger(slog.LevelInfo)}, echo())
	name := strings.Repeat("n", 1<<20)
	r := execute1(e, call(name, name, "{}"))
	if kind(r) != tool.KindNotFound || len(modelReads(r)) > 1000 || len(log.String()) > 1000 {
		t.Errorf("the model reads %d bytes, the log has %d", len(modelReads(r)), len(log.String()))
	}
}

// TestFailedCallKeepsItsArtifact: it is the host's, whatever the model is told.
func TestFailedCallKeepsItsArtifact(t *testing.T) {
	t.Parallel()
	fails := tool.Must(tool.New("fails", "Fails with a log.", func(context.Context, struct{}) (tool.Result, error) {
		return tool.WithArtifact("half", "the whole log"), errors.New("failed")
	}))
	r := execute1(newExecutor(t, executor.Config{}, fails), call("1", "fails", ""))
	answer, _ := r.Message().ToolResult()
	if r.Err == nil || r.Output.Artifact != "the whole log" || len(r.Output.Content) > 0 || answer.Artifact != "the whole log" || strings.Contains(answer.Text(), "log") {
		t.Errorf("error %v, output %+v, message %+v", r.Err, r.Output, answer)
	}
}
