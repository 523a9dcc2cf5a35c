package tool_test

import (
	"context"
	"fmt"

	"helve/tool"
)

// How do I tell the model little and keep the rest for my program?
func ExampleWithArtifact() {
	type Input struct {
		Query string `json:"query"`
	}
	type row struct{ ID, Text string }
	find := tool.Must(tool.New("find", "Find rows.",
		func(_ context.Context, in Input) (tool.Result, error) {
			rows := []row{{"r1", "first"}, {"r2", "second"}}
			return tool.WithArtifact(fmt.Sprintf("Found %d rows for %q.", len(rows), in.Query), rows), nil
		}))

	result, err := tool.Invoke(context.Background(), find, tool.Call{Arguments: []byte(`{"query":"leave"}`)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("model:", result.Text())
	fmt.Println("host: ", result.Artifact.([]row)[1].Text)
	// Output:
	// model: Found 2 rows for "leave".
	// host:  second
}
