package executor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"helve/executor"
	"helve/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newExecutor returns an executor of tools that logs nowhere unless config says
// so.
func newExecutor(t testing.TB, config executor.Config, tools ...tool.Tool) *executor.Executor {
	t.Helper()
	registry, err := tool.NewRegistry(tools...)
	if err != nil {
		t.Fatal(err)
	}
	config.Tools = registry
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	return executor.New(config)
}

// simple is a tool without parameters.
func simple(name string, f func(context.Context) (string, error), options ...tool.Option) tool.Tool {
	return tool.Must(tool.New(name, "A tool for tests.", func(ctx context.Context, _ struct{}) (string, error) { return f(ctx) }, options...))
}

// answers is a tool that always says the same.
func answers(name, text string, options ...tool.Option) tool.Tool {
	return simple(name, func(context.Context) (string, error) { return text, nil }, options...)
}

type echoInput struct {
	Text string `json:"text" jsonschema:"minLength=1"`
}

// echo answers with what it is given.
func echo(options ...tool.Option) tool.Tool {
	return tool.Must(tool.New("echo", "Says it again.", func(_ context.Context, in echoInput) (string, error) { return in.Text, nil }, options...))
}

func call(id, name, arguments string) tool.Call {
	return tool.Call{ID: id, Name: name, Arguments: json.RawMessage(arguments)}
}

func execute1(e *executor.Executor, c tool.Call) executor.Result {
	return e.Execute(context.Background(), []tool.Call{c})[0]
}

func kind(r executor.Result) tool.Kind {
	if r.Err == nil {
		return ""
	}
	return r.Err.Kind
}

// modelReads is the text that a model gets for a result.
func modelReads(r executor.Result) string {
	answer, _ := r.Message().ToolResult()
	return answer.Text()
}

// logBuffer keeps log lines, without their time, of many goroutines.
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

func (l *logBuffer) logger(level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: level, ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
}
