package dialect_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"

	"helve/dialect"
	"helve/message"
	"helve/model"
	"helve/schema"
	"helve/tool"
)

func ExampleRepairJSON() {
	value, repairs, err := dialect.RepairJSON([]byte(`{city: 'Zürich', "days": 3,}`))
	fmt.Println(string(value), err)
	for _, r := range repairs {
		fmt.Println(r.Offset, r.Kind)
	}

	_, _, err = dialect.RepairJSON([]byte(`{"command": "rm -r build`))
	fmt.Println(errors.Is(err, dialect.ErrTruncated))
	// Output:
	// {"city":"Zürich","days":3} <nil>
	// 1 unquoted
	// 7 single_quotes
	// 27 trailing_comma
	// true
}

func ExampleDialect_Prompt() {
	tools := []tool.Definition{{
		Name: "get_weather", Description: "Get the weather for a city.",
		Parameters: schema.MustCompile(`{"type":"object","properties":{"city":{"type":"string","examples":["Oslo"]}},"required":["city"]}`),
	}}
	d, err := dialect.Lookup("hermes")
	if err != nil {
		panic(err)
	}
	fmt.Println(d.Prompt(tools, dialect.English))
	// Output:
	// # Tools
	//
	// You can call tools: they find out what you don't know, and do what you can't do yourself. These are all there are:
	//
	// <tools>
	// {"type": "function", "function": {"name": "get_weather", "description": "Get the weather for a city.", "parameters": {"type": "object", "properties": {"city": {"type": "string", "examples": ["Oslo"]}}, "required": ["city"]}}}
	// </tools>
	//
	// ## How to call a tool
	//
	// Write a call exactly in the form of this one, which calls get_weather:
	//
	// <tool_call>
	// {"name": "get_weather", "arguments": {"city": "Oslo"}}
	// </tool_call>
	//
	// The values in it are only samples. Call nothing but the tools listed above, by their exact names; give every required parameter, and each value in the type that the list says.
	//
	// One answer may hold several calls, one behind the other, where none of them needs the result of another.
	//
	// ## Results
	//
	// What a tool answers comes to you in the next message, in this form:
	//
	// <tool_response>
	// (what get_weather found)
	// </tool_response>
	//
	// End your answer after your last call, and wait. Never write a result yourself. Once you know enough, answer the user.
	//
	// ## When no tool fits
	//
	// If no tool helps with what is asked, or you need none, answer in plain text, without any call.
}

func ExampleForModel() {
	fmt.Println(dialect.ForModel("Qwen/Qwen2.5-7B-Instruct"))
	fmt.Println(dialect.ForModel("something-else") == nil)
	// Output:
	// hermes
	// true
}

func ExampleDialect_Example() {
	d, err := dialect.Lookup("hermes")
	if err != nil {
		panic(err)
	}
	fmt.Println(d.Example())
	// Output:
	// <tool_call>
	// {"name": "get_weather", "arguments": {"city": "Paris", "days": 2}}
	// </tool_call>
}

func ExampleDecoder() {
	d, err := dialect.Lookup("tag")
	if err != nil {
		panic(err)
	}
	decoder := d.NewDecoder(dialect.Options{})
	show := func(events []dialect.Event) {
		for _, e := range events {
			switch e.Kind {
			case dialect.Text:
				fmt.Printf("text %q\n", e.Text)
			case dialect.ToolCall:
				fmt.Printf("call %s %s\n", e.Call.Name, e.Call.Arguments)
			}
		}
	}
	for _, chunk := range []string{"Let me look. <tool_act", `ion name="search"><query value="a > b" `, "/></tool_action> Done."} {
		show(decoder.Feed(chunk))
	}
	show(decoder.End())
	// Output:
	// text "Let me look. "
	// call search {"query":"a > b"}
	// text " Done."
}

// says is a model that can only write text.
type says string

func (s says) Info() model.Info { return model.Info{Provider: "example", Model: "parrot"} }
func (s says) Stream(context.Context, *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		_ = yield(model.TextDelta(s), nil) && yield(model.Finish{Reason: model.FinishStop}, nil)
	}
}

func ExampleWrap() {
	client := dialect.Wrap(says(`Let me see. {"tool": "get_weather", "arguments": {"city": "Oslo"}}`), lookup("decision"))
	answer, err := model.Generate(context.Background(), client, &model.Request{
		Messages: []message.Message{message.User("How is the weather in Oslo?")},
		Tools:    []tool.Definition{{Name: "get_weather", Description: "Get the weather for a city."}},
	})
	if err != nil {
		panic(err)
	}
	for _, call := range answer.Message.ToolCalls() {
		fmt.Println(call.ID, call.Name, string(call.Arguments))
	}
	fmt.Println(answer.Message.Text())
	// Output:
	// call_1 get_weather {"city": "Oslo"}
	// Let me see.
}

func ExampleDetect() {
	client, err := dialect.Detect(says("Hello."), dialect.Strategy{TextOnly: true, Dialect: lookup("hermes"), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		panic(err)
	}
	fmt.Println(client.Info().FunctionCalling, client.Info().Dialect)
	// Output: yes hermes
}

func ExampleRescue() {
	client := dialect.Rescue(says(`<tool_action name="now"/>`), dialect.Auto())
	answer, err := model.Generate(context.Background(), client, &model.Request{
		Messages: []message.Message{message.User("What time is it?")},
		Tools:    []tool.Definition{{Name: "now", Description: "Tell the time."}},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.Message.ToolCalls()[0].Name)
	// Output: now
}

func lookup(name string) *dialect.Dialect {
	d, err := dialect.Lookup(name)
	if err != nil {
		panic(err)
	}
	return d
}

func ExampleDialect_Write() {
	d, err := dialect.Lookup("tag")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Write([]message.ToolCall{{Name: "get_weather", Arguments: json.RawMessage(`{"city": "Paris", "days": 2}`)}}))
	// Output:
	// <tool_action name="get_weather">
	//   <city value="Paris" />
	//   <days value="2" />
	// </tool_action>
}
