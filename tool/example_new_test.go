package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"helve/tool"
)

// How do I make a tool of a Go function?
func ExampleNew() {
	type Input struct {
		Query string `json:"query" jsonschema:"minLength=1" jsonschema_description:"What to look for"`
		Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50,default=2"`
	}
	search, err := tool.New("search", "Search the handbook.",
		func(_ context.Context, in Input) ([]string, error) {
			hits := []string{"Leave", "Sick leave", "Leaving the company"}
			return hits[:min(in.Limit, len(hits))], nil
		}, tool.ReadOnly())
	if err != nil {
		fmt.Println(err)
		return
	}

	// The executor does this for a model's call.
	ctx := context.Background()
	result, err := tool.Invoke(ctx, search, tool.Call{Name: "search", Arguments: json.RawMessage(`{"query":"leave"}`)})
	fmt.Println(result.Text(), err)

	// The function never sees a call that does not fit.
	_, err = tool.Invoke(ctx, search, tool.Call{Name: "search", Arguments: json.RawMessage(`{"query":"","limit":99}`)})
	fmt.Println(strings.ReplaceAll(err.Error(), "; ", ";\n  "))
	// Output:
	// ["Leave","Sick leave"] <nil>
	// invalid_parameters: Invalid parameters for search: /limit must be at most 50, got 99;
	//   /query must have at least 1 character, got 0.
}
