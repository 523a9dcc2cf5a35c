package modeltest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"helve/message"
	"helve/model"
	"helve/model/modeltest"
)

func ExampleNewScript() {
	client := modeltest.NewScript(
		modeltest.Calls(message.ToolCall{ID: "call_1", Name: "add", Arguments: json.RawMessage(`{"a":1,"b":2}`)}),
		modeltest.Text("It is ", "3."),
	)
	request := &model.Request{Messages: []message.Message{message.User("1 + 2?")}}

	first, _ := model.Generate(context.Background(), client, request)
	call := first.Message.ToolCalls()[0]
	fmt.Println(call.Name, string(call.Arguments))

	request.Messages = append(request.Messages, first.Message, message.Result(message.ToolResult{
		CallID: call.ID, Name: call.Name, Content: []message.Part{message.Text("3")},
	}))
	second, _ := model.Generate(context.Background(), client, request)
	fmt.Println(second.Message.Text())
	fmt.Println(len(client.Requests()), "requests, the last with", len(client.Requests()[1].Messages), "messages")
	// Output:
	// add {"a":1,"b":2}
	// It is 3.
	// 2 requests, the last with 3 messages
}

func ExampleRun() {
	// In a test of your own client this is the whole body of a function
	// TestClient(t *testing.T).
	_ = func(t *testing.T) {
		modeltest.Run(t, harness(modeltest.Respond(respond)))
	}
}
