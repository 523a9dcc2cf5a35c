package openai_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"helve/message"
	"helve/model"
	"helve/model/openai"
	"helve/tool"
)

func ExampleNew() {
	// Any server that speaks OpenAI's chat completions will do.
	server := httptest.NewServer(reply{body: deltas("stop", `{"content":"It is "}`, `{"content":"391."}`)})
	defer server.Close()

	client, err := openai.New(openai.Config{
		Model:   "some-model",
		BaseURL: server.URL + "/v1",
		APIKey:  "some-key", // in a program, os.Getenv("OPENAI_API_KEY")
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	resp, err := model.Generate(context.Background(), client, &model.Request{
		Messages: []message.Message{message.User("What is 17 * 23?")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resp.Message.Text())
	// Output: It is 391.
}

func ExampleClient_Stream() {
	server := httptest.NewServer(reply{body: deltas("tool_calls",
		`{"content":"Let me look."}`,
		`{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"weather","arguments":"{\"city\":"}}]}`,
		`{"tool_calls":[{"index":0,"function":{"arguments":"\"Paris\"}"}}]}`,
	)})
	defer server.Close()
	client, err := openai.New(openai.Config{Model: "some-model", BaseURL: server.URL + "/v1"})
	if err != nil {
		fmt.Println(err)
		return
	}

	request := &model.Request{
		Messages: []message.Message{message.User("What is the weather in Paris?")},
		Tools:    []tool.Definition{weather()},
	}
	for event, err := range client.Stream(context.Background(), request) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch e := event.(type) {
		case model.TextDelta:
			fmt.Println("text:", e)
		case model.ToolCall:
			fmt.Printf("call: %s(%s)\n", e.Name, e.Arguments)
		case model.Finish:
			fmt.Println("finish:", e.Reason)
		}
	}
	// Output:
	// text: Let me look.
	// call: weather({"city":"Paris"})
	// finish: tool_calls
}
