package executor_test

import (
	"context"
	"fmt"
	"log/slog"

	"helve/executor"
	"helve/tool"
)

// How does a person have the last word on a call?
func ExampleApprove() {
	type in struct{ Table string }
	tools, err := tool.NewRegistry(tool.Must(tool.New("drop", "Drop a table.", func(_ context.Context, in in) (string, error) {
		return "dropped " + in.Table, nil
	})))
	if err != nil {
		fmt.Println(err)
		return
	}
	ask := func(_ context.Context, call tool.Call, _ tool.Definition) (bool, error) {
		fmt.Printf("May %s run with %s? ", call.Name, executor.Redact(call.Arguments))
		return string(call.Arguments) == `{"Table":"old"}`, nil // what the person says
	}
	e := executor.New(executor.Config{Tools: tools, Middleware: []executor.Middleware{executor.Approve(ask, "drop")}, Logger: slog.New(slog.DiscardHandler)})
	for _, arguments := range []string{`{"Table":"old"}`, `{"Table":"users"}`} {
		r := e.Execute(context.Background(), []tool.Call{{ID: "1", Name: "drop", Arguments: []byte(arguments)}})[0]
		if r.Err != nil {
			fmt.Println(r.Err.Kind)
			continue
		}
		fmt.Println(r.Output.Text())
	}
	// Output:
	// May drop run with {"Table":"old"}? dropped old
	// May drop run with {"Table":"users"}? denied
}
