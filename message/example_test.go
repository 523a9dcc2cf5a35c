package message_test

import (
	"encoding/json"
	"fmt"

	"helve/message"
)

func ExampleMessage() {
	m := message.Assistant(
		message.Text("Let me see."),
		message.ToolCall{ID: "call_1", Name: "calculate", Arguments: json.RawMessage(`{"expression":"17 * 23"}`)},
	)
	data, err := json.Marshal(m)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(data))

	var back message.Message
	if err := json.Unmarshal(data, &back); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(back.Text(), back.ToolCalls()[0].Name)
	// Output:
	// {"role":"assistant","parts":[{"type":"text","text":"Let me see."},{"type":"tool_call","id":"call_1","name":"calculate","arguments":{"expression":"17 * 23"}}]}
	// Let me see. calculate
}
