//go:build linux

package stdio_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/mcp/internal/stdio"
)

// This test binary is a server, too, if the variable says so.
func Example() {
	ctx := context.Background()
	self, err := os.Executable()
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := stdio.Start(ctx, stdio.Command{
		Name: "greeter", Path: self, Env: stdio.Environment(map[string]string{"HELVE_STDIO_TEST": "session"}),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "example"}, nil)
	session, err := client.Connect(ctx, p.Transport(), nil)
	if err != nil {
		p.Close()
		fmt.Println(p.Explain(err))
		return
	}
	defer session.Close() // and the process
	result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "greet", Arguments: map[string]any{"Name": "Ada"}})
	if err != nil {
		fmt.Println(p.Explain(err))
		return
	}
	fmt.Println(result.Content[0].(*sdk.TextContent).Text)
	fmt.Println("stray lines:", p.Stray())
	// Output:
	// Hello, Ada!
	// stray lines: 1
}

func ExampleStart() {
	_, err := stdio.Start(context.Background(), stdio.Command{Name: "memory", Path: "npx", Env: []string{"PATH=/opt/bin"}})
	fmt.Println(err)
	fmt.Println(errors.Is(err, exec.ErrNotFound))
	// Output:
	// mcp server memory: the program "npx" is not found in PATH: install Node.js, which brings it, or set command to the program's whole path
	// true
}

func ExampleProcess_Explain() {
	p, err := stdio.Start(context.Background(), stdio.Command{
		Name: "weather", Path: "/bin/sh", Args: []string{"-c", "echo 'WEATHER_KEY is not set' >&2; exit 1"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	<-p.Done()
	p.Close()
	fmt.Println(p.Explain(io.EOF))
	// Output:
	// mcp server weather: EOF; the program ended: exit status 1; its standard error ends with:
	// WEATHER_KEY is not set
}

func ExampleEnvironment() {
	for _, variable := range stdio.Environment(map[string]string{"PATH": "/usr/bin", "GITHUB_TOKEN": "…"}) {
		if variable == "GITHUB_TOKEN=…" || variable == "PATH=/usr/bin" {
			fmt.Println(variable)
		}
	}
	// Output:
	// GITHUB_TOKEN=…
	// PATH=/usr/bin
}
