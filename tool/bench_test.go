package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"helve/tool"
)

type benchInput struct {
	City  string  `json:"city" jsonschema:"minLength=1"`
	Days  int     `json:"days,omitempty" jsonschema:"minimum=1,maximum=14,default=3"`
	Units string  `json:"units,omitempty" jsonschema:"enum=metric,enum=imperial"`
	Lat   float64 `json:"lat,omitempty"`
}

// BenchmarkInvoke is one call of a typed tool without an executor: validation,
// decoding, the function and its result.
func BenchmarkInvoke(b *testing.B) {
	forecast := tool.Must(tool.New("forecast", "Forecast the weather.",
		func(context.Context, benchInput) (string, error) { return "sunny", nil }))
	structured := tool.Must(tool.New("forecast", "Forecast the weather.",
		func(context.Context, benchInput) (struct{ Sky string }, error) {
			return struct{ Sky string }{"sunny"}, nil
		}))
	result := tool.Must(tool.New("forecast", "Forecast the weather.",
		func(context.Context, benchInput) (tool.Result, error) { return tool.Text("sunny"), nil }))
	raw := tool.Must(tool.FromSchema("forecast", "Forecast the weather.", forecast.Definition().Schema().JSON(),
		func(context.Context, json.RawMessage) (any, error) { return "sunny", nil }))

	args := json.RawMessage(`{"city":"Oslo","days":3,"units":"metric","lat":59.9}`)
	for _, bench := range []struct {
		name string
		tool tool.Tool
	}{{"string", forecast}, {"struct", structured}, {"Result", result}, {"FromSchema", raw}} {
		b.Run(bench.name, func(b *testing.B) {
			ctx := context.Background()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := tool.Invoke(ctx, bench.tool, tool.Call{ID: "call_1", Name: "forecast", Arguments: args}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tool.New("forecast", "Forecast the weather.",
			func(context.Context, benchInput) (string, error) { return "", nil }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRegistry_Lookup(b *testing.B) {
	registry := &tool.Registry{}
	for i := range 100 {
		t := tool.Must(tool.FromSchema(fmt.Sprintf("tool_%02d", i), "One of many.", []byte(`{"type":"object"}`),
			func(context.Context, json.RawMessage) (any, error) { return nil, nil }))
		if err := registry.Register(t); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := registry.Lookup("tool_42"); !ok {
			b.Fatal("tool_42 is not there")
		}
	}
}
