package executor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"testing"

	"helve/executor"
	"helve/tool"
)

type weatherInput struct {
	City   string `json:"city" jsonschema:"minLength=1" jsonschema_description:"The city to look up"`
	Unit   string `json:"unit,omitempty" jsonschema:"enum=celsius,enum=fahrenheit,default=celsius"`
	Days   int    `json:"days,omitempty" jsonschema:"minimum=1,maximum=14,default=3"`
	Detail bool   `json:"detail,omitempty"`
}

const weatherArguments = `{"city":"Shanghai","unit":"celsius","days":5,"detail":true}`

// countHook is the cheapest hook that there can be, so that the figures are the
// executor's own.
type countHook struct{}

func (countHook) Start(ctx context.Context, _ tool.Call) context.Context { return ctx }
func (countHook) End(context.Context, executor.Report)                   {}

// benchExecutor has all that a run in earnest has: validation, deadline,
// recover, a hook and a logger.
func benchExecutor(b *testing.B, logger slog.Handler) *executor.Executor {
	b.Helper()
	weather := tool.Must(tool.New("weather", "The weather of a city.", func(_ context.Context, in weatherInput) (string, error) {
		return in.City + ": sunny", nil
	}))
	return newExecutor(b, executor.Config{Hooks: []executor.Hook{countHook{}}, Logger: slog.New(logger)}, weather, answers("ping", "pong"))
}

func BenchmarkExecute(b *testing.B) {
	calls := func(n int, name, arguments string) []tool.Call {
		calls := make([]tool.Call, n)
		for i := range calls {
			calls[i] = call(fmt.Sprint("call_", i), name, arguments)
		}
		return calls
	}
	off, written := slog.DiscardHandler, slog.NewTextHandler(io.Discard, nil)
	for _, bm := range []struct {
		name   string
		calls  []tool.Call
		logger slog.Handler
	}{
		{"one", calls(1, "weather", weatherArguments), off},
		{"one_without_arguments", calls(1, "ping", `{}`), off},
		{"one_logged", calls(1, "weather", weatherArguments), written},
		{"sixteen", calls(16, "weather", weatherArguments), off},
		{"hundred", calls(100, "weather", weatherArguments), off},
	} {
		b.Run(bm.name, func(b *testing.B) {
			e := benchExecutor(b, bm.logger)
			ctx, cancel := context.WithCancel(b.Context()) // as in a run that can be stopped
			defer cancel()
			b.ReportAllocs()
			for b.Loop() {
				for _, r := range e.Execute(ctx, bm.calls) {
					if r.Err != nil {
						b.Fatal(r.Err)
					}
				}
			}
		})
	}
}

func BenchmarkRedact(b *testing.B) {
	for name, arguments := range map[string]string{
		"plain":    weatherArguments,
		"sentence": `{"query":"How many days of leave are there in a year: and may I take them all at once?","limit":5}`,
		"secret":   `{"url":"https://example.com/?q=a","headers":{"Authorization":"Bearer abcdefgh12345"}}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				executor.Redact(json.RawMessage(arguments))
			}
		})
	}
}
