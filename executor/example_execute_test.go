package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"helve/executor"
	"helve/tool"
)

// How are the calls of one answer run, and what becomes of one that fails?
func ExampleExecutor_Execute() {
	type input struct {
		City string `json:"city"`
	}
	weather := tool.Must(tool.New("weather", "The weather of a city.", func(_ context.Context, in input) (string, error) {
		if in.City == "Atlantis" {
			return "", errors.New("no weather station in Atlantis")
		}
		return "Sunny in " + in.City, nil
	}))
	registry, err := tool.NewRegistry(weather)
	if err != nil {
		fmt.Println(err)
		return
	}
	e := executor.New(executor.Config{Tools: registry, Logger: slog.New(slog.DiscardHandler)})

	results := e.Execute(context.Background(), []tool.Call{
		{ID: "1", Name: "weather", Arguments: json.RawMessage(`{"city":"Paris"}`)},
		{ID: "2", Name: "weather", Arguments: json.RawMessage(`{"city":"Atlantis"}`)},
		{ID: "3", Name: "weather", Arguments: json.RawMessage(`{"city":"Shanghai"}`)},
	})
	for _, r := range results {
		answer, _ := r.Message().ToolResult()
		fmt.Println(answer.CallID, answer.Text())
	}
	// Output:
	// 1 Sunny in Paris
	// 2 {"success":false,"error":"no weather station in Atlantis","code":"execution"}
	// 3 Sunny in Shanghai
}
