package message_test

import (
	"encoding/json"
	"fmt"

	"helve/message"
)

// A run was stopped while its tool was working. The person asks something else.
func stopped() []message.Message {
	return []message.Message{
		message.User("Order two pizzas."),
		message.Assistant(message.Text("I order."), message.ToolCall{ID: "call_1", Name: "order", Arguments: json.RawMessage(`{"count":2}`)}),
		message.User("Are they on their way?"),
	}
}

func ExampleCheck() {
	for _, p := range message.Check(stopped()) {
		fmt.Println(p)
	}
	// Output:
	// message 1: unanswered_call: call "call_1" of tool "order" has no result: add one in a tool message directly after this message
}

func ExampleRepair() {
	history, mended := message.Repair(stopped())
	fmt.Println(len(mended), "problem mended")
	for _, m := range history {
		if r, ok := m.ToolResult(); ok {
			fmt.Println(m.Role, r.CallID, r.Text())
			continue
		}
		fmt.Println(m.Role, m.Text())
	}
	// Output:
	// 1 problem mended
	// user Order two pizzas.
	// assistant I order.
	// tool call_1 {"success":false,"error":"The call did not finish. Whether it had an effect is unknown: find out before you call it again.","code":"canceled"}
	// user Are they on their way?
}
