package session_test

import (
	"fmt"

	"helve/message"
	"helve/session"
)

func ExampleWindow() {
	history := []message.Message{
		message.System("You are a cook."),
		message.User("How do I boil an egg?"),
		message.Assistant(message.Text("Seven minutes in boiling water.")),
		message.User("And a potato?"),
	}
	for _, m := range (session.Window{MaxTokens: 20}).Fit(history) {
		fmt.Println(m.Role, m.Text())
	}
	// Output:
	// system You are a cook.
	// user And a potato?
}

func ExampleEstimate() {
	fmt.Println(session.Estimate(message.User("How do I boil an egg?")))
	fmt.Println(session.Estimate(message.User("鸡蛋怎么煮？")))
	// Output:
	// 10
	// 10
}
