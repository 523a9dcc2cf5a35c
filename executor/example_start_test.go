package executor_test

import (
	"context"
	"fmt"
	"log/slog"

	"helve/executor"
	"helve/tool"
)

// How does a host do something else while a call runs?
func ExampleExecutor_Start() {
	report := tool.Must(tool.New("report", "Writes the report.", func(context.Context, struct{}) (string, error) {
		return "all is well", nil
	}))
	registry, err := tool.NewRegistry(report)
	if err != nil {
		fmt.Println(err)
		return
	}
	e := executor.New(executor.Config{Tools: registry, Logger: slog.New(slog.DiscardHandler)})

	pending := e.Start(context.Background(), tool.Call{ID: "1", Name: "report"})
	fmt.Println("The report is being written.")
	<-pending.Done() // or select, with other things to wait for
	fmt.Println(pending.Result().Output.Text())
	// Output:
	// The report is being written.
	// all is well
}
