package telemetry_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"helve/executor"
	"helve/telemetry"
	"helve/tool"
)

// How does a program serve metrics of its tools to Prometheus?
func ExampleStart() {
	ctx := context.Background()
	quiet := slog.New(slog.DiscardHandler)
	t, err := telemetry.Start(ctx, telemetry.Options{MetricsAddr: "127.0.0.1:0", Logger: quiet})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer t.Shutdown(ctx)

	registry, err := tool.NewRegistry(add())
	if err != nil {
		fmt.Println(err)
		return
	}
	e := executor.New(t.Executor(executor.Config{Tools: registry, Logger: quiet}))
	e.Execute(ctx, []tool.Call{
		{ID: "1", Name: "add", Arguments: []byte(`{"a":1,"b":2}`)},
		{ID: "2", Name: "add", Arguments: []byte(`{"a":"one"}`)},
		{ID: "3", Name: "subtract"},
	})

	resp, err := http.Get("http://" + t.MetricsAddr() + "/metrics")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "gen_ai_execute_tool_duration_seconds_count") {
			fmt.Println(lines.Text())
		}
	}
	// Unordered output:
	// gen_ai_execute_tool_duration_seconds_count{gen_ai_tool_name="add",gen_ai_tool_type="function"} 1
	// gen_ai_execute_tool_duration_seconds_count{error_type="invalid_parameters",gen_ai_tool_name="add",gen_ai_tool_type="function"} 1
	// gen_ai_execute_tool_duration_seconds_count{error_type="not_found",gen_ai_tool_name="_OTHER",gen_ai_tool_type="function"} 1
}
