package sim_test

import (
	"context"
	"fmt"

	"helve/dialect"
	"helve/message"
	"helve/model"
	"helve/model/sim"
	"helve/schema"
	"helve/tool"
)

// A model that needs neither key nor network calls a tool.
func ExampleStart() {
	server, err := sim.Start(sim.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	client, err := server.Client()
	if err != nil {
		fmt.Println(err)
		return
	}
	resp, err := model.Generate(context.Background(), client, &model.Request{
		Messages: []message.Message{message.User("What's the weather in Paris?")},
		Tools: []tool.Definition{{
			Name:        "get_weather",
			Description: "Get the weather in a city.",
			Parameters:  schema.MustCompile(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`),
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, call := range resp.Message.ToolCalls() {
		fmt.Println(call.Name, string(call.Arguments))
	}
	// Output: get_weather {"city":"Paris"}
}

// A model without function calling has it by package dialect: the calls travel as
// text.
func ExampleOptions_dialect() {
	d, err := dialect.Lookup("decision")
	if err != nil {
		fmt.Println(err)
		return
	}
	server, err := sim.Start(sim.Options{Dialect: d})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	client, err := server.Client()
	if err != nil {
		fmt.Println(err)
		return
	}
	req := &model.Request{
		Messages: []message.Message{message.User("What's the weather in Paris?")},
		Tools: []tool.Definition{{
			Name:        "get_weather",
			Description: "Get the weather in a city.",
			Parameters:  schema.MustCompile(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`),
		}},
	}
	_, err = model.Generate(context.Background(), client, req)
	fmt.Println(err)

	resp, err := model.Generate(context.Background(), dialect.Wrap(client, d), req)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, call := range resp.Message.ToolCalls() {
		fmt.Println(call.Name, string(call.Arguments))
	}
	// Output:
	// sim: HTTP 400: offline does not support tools
	// get_weather {"city":"Paris"}
}
