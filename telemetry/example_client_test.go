package telemetry_test

import (
	"context"
	"fmt"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"helve/message"
	"helve/model"
	"helve/model/modeltest"
	"helve/telemetry"
)

// How is a model watched that no agent uses?
func ExampleTelemetry_Client() {
	spans := tracetest.NewInMemoryExporter()
	t, err := telemetry.New(telemetry.Config{Traces: sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))})
	if err != nil {
		fmt.Println(err)
		return
	}
	client := t.Client(modeltest.NewScript(modeltest.Text("Hello.")))
	req := &model.Request{Messages: []message.Message{message.User("Hi.")}, MaxTokens: 20}
	if _, err := model.Generate(context.Background(), client, req); err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range spans.GetSpans()[0].Attributes {
		if a.Key != "gen_ai.response.time_to_first_chunk" {
			fmt.Println(a.Key, "=", a.Value.String())
		}
	}
	// Output:
	// gen_ai.operation.name = chat
	// gen_ai.provider.name = modeltest
	// gen_ai.request.model = script
	// gen_ai.request.stream = true
	// gen_ai.request.max_tokens = 20
	// gen_ai.response.finish_reasons = ["stop"]
}
