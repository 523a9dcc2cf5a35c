package telemetry_test

import (
	"context"
	"fmt"
	"iter"
	"log/slog"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"helve/agent"
	"helve/executor"
	"helve/model/modeltest"
	"helve/telemetry"
	"helve/tool"
)

// How does a host with an OpenTelemetry of its own watch an agent?
func ExampleNew() {
	spans := tracetest.NewInMemoryExporter() // in place of what the host has
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
	t, err := telemetry.New(telemetry.Config{Traces: provider})
	if err != nil {
		fmt.Println(err)
		return
	}
	client := modeltest.NewScript(
		modeltest.Calls(call("call_1", "add", `{"a":1,"b":2}`)),
		modeltest.Text("It is 3."),
	)
	a, err := agent.New(t.Agent(agent.Config{
		Client:   client,
		Tools:    []tool.Tool{add()},
		Executor: executor.Config{Logger: slog.New(slog.DiscardHandler)},
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	run := telemetry.Invocation{Agent: "calculator", Model: client.Info()}
	reply, err := agent.Collect(t.Run(context.Background(), run, func(ctx context.Context) iter.Seq2[agent.Event, error] {
		return a.Stream(ctx, "What is 1+2?")
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(reply.Text)
	for _, s := range spans.GetSpans() { // in the order in which they ended
		fmt.Println(s.Name)
	}
	// Output:
	// It is 3.
	// chat script
	// execute_tool add
	// chat script
	// invoke_agent calculator
}
