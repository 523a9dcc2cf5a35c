package executor_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"helve/executor"
	"helve/tool"
)

// How is a call repeated that may work the next time?
func ExampleRetry() {
	attempts := 0
	quote := tool.Must(tool.New("quote", "The price of a share.", func(context.Context, struct{}) (string, error) {
		attempts++
		if attempts < 3 {
			return "", errors.New("the exchange does not answer")
		}
		return "42.10", nil
	}, tool.ReadOnly())) // a tool that changes things is repeated only for an error marked Retryable
	registry, err := tool.NewRegistry(quote)
	if err != nil {
		fmt.Println(err)
		return
	}
	e := executor.New(executor.Config{
		Tools:      registry,
		Middleware: []executor.Middleware{executor.Retry(executor.RetryPolicy{MaxAttempts: 3, MinDelay: time.Millisecond})},
		Logger:     slog.New(slog.DiscardHandler),
	})
	r := e.Execute(context.Background(), []tool.Call{{Name: "quote"}})[0]
	fmt.Println(r.Output.Text(), "after", attempts, "attempts")
	// Output:
	// 42.10 after 3 attempts
}
