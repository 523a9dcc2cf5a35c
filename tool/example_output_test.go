package tool_test

import (
	"context"
	"fmt"

	"helve/tool"
)

func ExampleOutputter() {
	type Weather struct {
		City    string  `json:"city"`
		Celsius float64 `json:"celsius"`
	}
	weather := tool.Must(tool.New("weather", "Tell the weather.", func(_ context.Context, in struct {
		City string `json:"city"`
	}) (Weather, error) {
		return Weather{in.City, 21}, nil
	}))
	if o, ok := weather.(tool.Outputter); ok {
		fmt.Println(o.OutputSchema())
	}
	// Output: {"additionalProperties":false,"properties":{"celsius":{"type":"number"},"city":{"type":"string"}},"required":["city","celsius"],"type":"object"}
}
