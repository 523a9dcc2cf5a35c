package executor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"

	"helve/executor"
	"helve/tool"
)

// How does a host change calls, or answer them itself?
func ExampleMiddleware() {
	type input struct {
		Path string `json:"path"`
	}
	read := tool.Must(tool.New("read", "Reads a file.", func(_ context.Context, in input) (string, error) {
		return "the content of " + in.Path, nil
	}))
	registry, err := tool.NewRegistry(read)
	if err != nil {
		fmt.Println(err)
		return
	}
	guard := func(next executor.Handler) executor.Handler {
		return func(ctx context.Context, req executor.Request) (tool.Result, error) {
			var in input
			if err := json.Unmarshal(req.Call.Arguments, &in); err != nil {
				return next(ctx, req) // it will say what is wrong with them
			}
			if strings.HasPrefix(in.Path, "/etc/") { // answer without the tool
				return tool.Result{}, &tool.Error{Kind: tool.KindPermissionDenied, Message: "Files in /etc are off limits."}
			}
			arguments, err := json.Marshal(input{strings.TrimPrefix(in.Path, "file://")})
			if err != nil {
				return tool.Result{}, err
			}
			req.Call.Arguments = arguments // req is a copy
			return next(ctx, req)
		}
	}
	e := executor.New(executor.Config{
		Tools:      registry,
		Middleware: []executor.Middleware{guard},
		Logger:     slog.New(slog.DiscardHandler),
	})
	for _, path := range []string{"file:///tmp/notes", "/etc/passwd"} {
		arguments, _ := json.Marshal(input{path})
		r := e.Execute(context.Background(), []tool.Call{{Name: "read", Arguments: arguments}})[0]
		answer, _ := r.Message().ToolResult()
		fmt.Println(answer.Text())
	}
	// Output:
	// the content of /tmp/notes
	// {"success":false,"error":"Files in /etc are off limits.","code":"permission_denied"}
}
