package tool_test

import (
	"context"
	"fmt"

	"helve/tool"
)

// How does a tool get what the model must not choose, such as who is asking?
func ExampleRuntimeFrom() {
	type User struct{ Name string }
	type Input struct {
		Text string `json:"text"`
	}
	remember := tool.Must(tool.New("remember", "Remember a note for the user.",
		func(ctx context.Context, in Input) (string, error) {
			rt := tool.RuntimeFrom(ctx)
			user, ok := tool.Value[User](ctx)
			if !ok {
				return "", fmt.Errorf("nobody is signed in")
			}
			key := "notes/" + user.Name + "/" + string(rt.CallID)
			if err := rt.Store.Put(ctx, key, []byte(in.Text), 0); err != nil {
				return "", err
			}
			return "Noted.", nil
		}))

	// The agent makes this context: its caller passes agent.With(User{"ada"}).
	store := tool.NewMemoryStore()
	ctx := tool.WithRuntime(context.Background(), &tool.Runtime{CallID: "call_1", Store: store, Values: []any{User{"ada"}}})

	result, err := tool.Invoke(ctx, remember, tool.Call{ID: "call_1", Name: "remember", Arguments: []byte(`{"text":"buy milk"}`)})
	fmt.Println(result.Text(), err)
	keys, err := store.List(ctx, "notes/")
	fmt.Println(keys, err)

	// No argument takes the place of an injected value.
	_, err = tool.Invoke(ctx, remember, tool.Call{ID: "call_2", Name: "remember", Arguments: []byte(`{"text":"x","User":{"Name":"bob"}}`)})
	fmt.Println(tool.AsError(err).Kind)
	// Output:
	// Noted. <nil>
	// [notes/ada/call_1] <nil>
	// invalid_parameters
}
