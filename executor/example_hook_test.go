package executor_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"helve/executor"
	"helve/tool"
)

// failures counts failed calls by tool and kind.
type failures struct {
	mu    sync.Mutex
	count map[string]int
}

func (f *failures) Start(ctx context.Context, _ tool.Call) context.Context { return ctx }

func (f *failures) End(_ context.Context, r executor.Report) {
	if r.Err == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count[r.Call.Name+": "+string(r.Err.Kind)]++
}

// How does a host measure its tools?
func ExampleHook() {
	ping := tool.Must(tool.New("ping", "Answers.", func(context.Context, struct{}) (string, error) { return "pong", nil }))
	registry, err := tool.NewRegistry(ping)
	if err != nil {
		fmt.Println(err)
		return
	}
	failed := &failures{count: map[string]int{}}
	e := executor.New(executor.Config{
		Tools:  registry,
		Hooks:  []executor.Hook{failed},
		Logger: slog.New(slog.DiscardHandler),
	})
	e.Execute(context.Background(), []tool.Call{
		{ID: "1", Name: "ping"},
		{ID: "2", Name: "pong"},
		{ID: "3", Name: "ping", Arguments: []byte(`{"loud":true}`)},
	})
	fmt.Println(failed.count)
	// Output:
	// map[ping: invalid_parameters:1 pong: not_found:1]
}
