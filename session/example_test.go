package session_test

import (
	"context"
	"fmt"

	"helve/message"
	"helve/session"
)

func Example() {
	ctx := context.Background()
	store := session.NewMemory()
	s, err := store.Open(ctx, "user-42")
	if err != nil {
		fmt.Println(err)
		return
	}
	turn := []message.Message{message.User("Hello"), message.Assistant(message.Text("Hi."))}
	for range 2 { // saving again, as after a crash, changes nothing
		if err := s.Save(ctx, 0, turn, nil); err != nil {
			fmt.Println(err)
			return
		}
	}
	messages, _, err := s.Load(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range messages {
		fmt.Println(m.Role, m.Text())
	}
	// Output:
	// user Hello
	// assistant Hi.
}
