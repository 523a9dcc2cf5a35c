package main

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"log/slog"
	"sync/atomic"
	"testing"

	"helve/agent"
	"helve/executor"
	"helve/message"
	"helve/model"
	"helve/tool"
)

// counter is a hook as a host would have one for its metrics.
type counter struct{ started, ended atomic.Int64 }

func (c *counter) Start(ctx context.Context, _ tool.Call) context.Context {
	c.started.Add(1)
	return ctx
}

func (c *counter) End(context.Context, executor.Report) { c.ended.Add(1) }

// helveExecutor is the executor as it comes, with a hook and with a log that
// discards: arguments validated and defaults applied, a deadline that holds,
// recover, call order.
func helveExecutor(tb testing.TB, fn toolFunc, args []json.RawMessage) job {
	return helve(tb, fn, args, slog.DiscardHandler)
}

// helveLoggedExecutor writes the log line of each call too, with secrets
// redacted; only the bytes go nowhere.
func helveLoggedExecutor(tb testing.TB, fn toolFunc, args []json.RawMessage) job {
	return helve(tb, fn, args, slog.NewJSONHandler(io.Discard, nil))
}

func helve(tb testing.TB, fn toolFunc, args []json.RawMessage, log slog.Handler) job {
	registry, err := tool.NewRegistry(tool.Must(tool.New(toolName, description, fn)))
	if err != nil {
		tb.Fatal(err)
	}
	e := executor.New(executor.Config{
		Tools:  registry,
		Hooks:  []executor.Hook{&counter{}},
		Logger: slog.New(log),
	})
	calls := make([]tool.Call, len(args))
	for i := range calls {
		calls[i] = tool.Call{ID: callID(i), Name: toolName, Arguments: args[i]}
	}
	var messages []message.Message
	return job{
		run: func(ctx context.Context) error {
			messages = make([]message.Message, len(calls))
			for i, r := range e.Execute(ctx, calls) {
				messages[i] = r.Message()
			}
			return nil
		},
		answers: func() []string {
			texts := make([]string, len(messages))
			for i, m := range messages {
				result, _ := m.ToolResult()
				texts[i] = result.Text()
			}
			return texts
		},
	}
}

// helveModel calls the tool once for each of args, and replies with what the last
// call gave.
type helveModel struct{ args []json.RawMessage }

func (helveModel) Info() model.Info {
	return model.Info{Provider: "benchmark", FunctionCalling: model.Yes}
}

func (m helveModel) Stream(_ context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		if result, ok := req.Messages[len(req.Messages)-1].ToolResult(); ok {
			_ = yield(model.TextDelta(result.Text()), nil) && yield(model.Finish{Reason: model.FinishStop}, nil)
			return
		}
		for i, args := range m.args {
			if !yield(model.ToolCall{ID: callID(i), Name: toolName, Arguments: args}, nil) {
				return
			}
		}
		yield(model.Finish{Reason: model.FinishToolCalls}, nil)
	}
}

func helveAgent(tb testing.TB, fn toolFunc, args []json.RawMessage) job {
	a, err := agent.New(agent.Config{
		Client:   helveModel{args},
		Tools:    []tool.Tool{tool.Must(tool.New(toolName, description, fn))},
		Executor: executor.Config{Hooks: []executor.Hook{&counter{}}, Logger: slog.New(slog.DiscardHandler)},
	})
	if err != nil {
		tb.Fatal(err)
	}
	var reply *agent.Reply
	return job{
		run: func(ctx context.Context) (err error) {
			reply, err = a.Run(ctx, "How is the weather?")
			return err
		},
		answers: func() []string { return []string{reply.Text} },
	}
}
