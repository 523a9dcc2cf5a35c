// Package modeltest helps to test what has to do with a [model.Client].
//
// [Script] is a client that plays answers written down in the test, and keeps
// the requests it got. It is for tests of what uses a client:
//
//	client := modeltest.NewScript(
//		modeltest.Calls(message.ToolCall{ID: "call_1", Name: "add", Arguments: json.RawMessage(`{"a":1,"b":2}`)}),
//		modeltest.Text("It is ", "3."),
//	)
//
// [Run] checks that a client keeps the rules of [model.Client]. It is for those
// who write one, and needs three requests that the client answers in a known
// way:
//
//	func TestClient(t *testing.T) {
//		modeltest.Run(t, modeltest.Harness{Client: client, Text: …, Call: …, Stall: …})
//	}
package modeltest
