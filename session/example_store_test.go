package session_test

import (
	"context"
	"encoding/json"
	"fmt"

	"helve/message"
	"helve/session"
)

// After a restart, the sessions with an open run are the ones to resume.
func ExampleStore() {
	ctx := context.Background()
	var store session.Store = session.NewMemory()
	for _, id := range []string{"done", "interrupted"} {
		s, err := store.Open(ctx, id)
		if err != nil {
			fmt.Println(err)
			return
		}
		state := json.RawMessage(`null`)
		if id == "interrupted" {
			state = json.RawMessage(`{"turn":2}`)
		}
		if err := s.Save(ctx, 0, []message.Message{message.User("Hello")}, state); err != nil {
			fmt.Println(err)
			return
		}
	}
	sessions, err := store.List(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, info := range sessions {
		fmt.Println(info.ID, info.Messages, info.Open)
	}
	// Output:
	// done 1 false
	// interrupted 1 true
}
