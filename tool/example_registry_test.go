package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"helve/tool"
)

// How do I keep tools by name, and what does a model read that invents one?
func ExampleRegistry() {
	say := func(name, text string) tool.Tool {
		return tool.Must(tool.New(name, "Say something.",
			func(context.Context, struct{}) (string, error) { return text, nil }))
	}
	registry, err := tool.NewRegistry(say("hello", "Hello!"), say("goodbye", "Bye!"), say("hello", "Hi."))
	var duplicate *tool.DuplicateError
	fmt.Println(errors.As(err, &duplicate), err)

	for _, d := range registry.Definitions() {
		fmt.Println(d.Name)
	}
	result, err := registry.Execute(context.Background(), "hello", nil)
	fmt.Println(result.Text(), err)

	_, err = registry.Execute(context.Background(), "helo", nil)
	answer, _ := json.Marshal(tool.AsError(err))
	fmt.Println(string(answer))
	// Output:
	// true tool hello: the name is taken: the first tool of that name is kept
	// goodbye
	// hello
	// Hello! <nil>
	// {"success":false,"error":"Tool not found: helo","code":"not_found","available":["hello"]}
}
