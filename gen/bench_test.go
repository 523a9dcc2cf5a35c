package gen_test

import (
	"context"
	"encoding/json"
	"testing"

	"helve/gen/testdata/kinds"
	"helve/tool"
)

type forecastInput struct {
	City  string `json:"city"`
	Days  int    `json:"days" jsonschema:"default=3"`
	Units string `json:"units" jsonschema:"default=metric"`
}

// BenchmarkInvoke compares one function as tool.New calls it and as generated code
// does: with plain arguments, which tool.New reads without encoding/json too, and
// with nested ones, which it does not.
func BenchmarkInvoke(b *testing.B) {
	plain := json.RawMessage(`{"city":"Oslo","days":3,"units":"metric"}`)
	nested := json.RawMessage(everything)
	for _, bench := range []struct {
		name string
		tool tool.Tool
		args json.RawMessage
	}{
		{"plain/New", tool.Must(tool.New("forecast", "Forecast.", func(_ context.Context, in forecastInput) (string, error) {
			return kinds.Forecast(in.City, in.Days, in.Units), nil
		})), plain},
		{"plain/generated", generated(b, "forecast"), plain},
		{"nested/New", tool.Must(tool.New("take_everything", "Take.", kinds.TakeEverything)), nested},
		{"nested/generated", generated(b, "take_everything"), nested},
	} {
		b.Run(bench.name, func(b *testing.B) {
			ctx := context.Background()
			args, err := tool.Prepare(bench.tool.Definition(), bench.args)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bench.tool.Call(ctx, tool.Call{Arguments: args}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
