package mcp_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"helve/mcp"
	"helve/mcp/serve"
	"helve/tool"
)

// How does a program use the tools of a server?
func ExampleClient() {
	server := exampleServer()
	defer server.Close()

	client, err := mcp.New(mcp.Config{Name: "office", URL: server.URL}, mcp.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()

	ctx := context.Background()
	tools, err := client.Tools(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range tools {
		d := t.Definition()
		fmt.Println(d.Name, "-", d.Description)
		result, err := tool.Invoke(ctx, t, tool.Call{ID: "call_1", Name: d.Name, Arguments: []byte(`{"name":"Ada"}`)})
		fmt.Println(result.Text(), err)
	}
	fmt.Println(client.Status().State)
	// Output:
	// office__greet - Greets somebody.
	// Hello, Ada! <nil>
	// ready
}

// exampleServer serves a tool over HTTP.
func exampleServer() *httptest.Server {
	type person struct {
		Name string `json:"name"`
	}
	greet := tool.Must(tool.New("greet", "Greets somebody.", func(_ context.Context, p person) (string, error) {
		return "Hello, " + p.Name + "!", nil
	}))
	s := serve.New(serve.Options{Name: "office"})
	if err := s.Set(serve.Content{Tools: []tool.Tool{greet}}); err != nil {
		panic(err)
	}
	handler, err := s.Handler(serve.HTTP{})
	if err != nil {
		panic(err)
	}
	return httptest.NewServer(handler)
}
