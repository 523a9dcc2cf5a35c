package tool_test

import (
	"context"
	"encoding/json"
	"fmt"

	"helve/schema"
	"helve/tool"
)

// How do I make a tool whose schema is known at run time only?
func ExampleFromSchema() {
	parameters := []byte(`{
		"type": "object",
		"properties": {"city": {"type": "string"}},
		"required": ["city"]
	}`)
	weather, err := tool.FromSchema("get_weather", "Get current weather for a city", parameters,
		func(_ context.Context, args json.RawMessage) (any, error) {
			var in struct{ City string }
			if err := json.Unmarshal(args, &in); err != nil {
				return nil, err
			}
			return map[string]any{"temp": 22, "city": in.City}, nil
		})
	if err != nil {
		fmt.Println(err)
		return
	}

	rendered, _ := weather.Definition().FunctionTool(schema.OpenAI)
	fmt.Println(string(rendered))
	result, err := tool.Invoke(context.Background(), weather, tool.Call{Arguments: json.RawMessage(`{"city":"Oslo"}`)})
	fmt.Println(result.Text(), err)
	// Output:
	// {"type":"function","function":{"name":"get_weather","description":"Get current weather for a city","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}
	// {"city":"Oslo","temp":22} <nil>
}
