package serve_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http/httptest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/executor"
	"helve/mcp/serve"
	"helve/tool"
)

type orderInput struct {
	Dish string `json:"dish" jsonschema_description:"What to order"`
}

// order is a tool that asks before it does something.
func order(ctx context.Context, in orderInput) (string, error) {
	answers, err := tool.RuntimeFrom(ctx).Ask(ctx, tool.Form{Message: "Order " + in.Dish + "?"})
	if err != nil {
		return "", err
	}
	if answers[0].Action != tool.Accept {
		return "Not ordered.", nil
	}
	return "Ordered " + in.Dish + ".", nil
}

// restaurant is a server with one tool.
func restaurant() *serve.Server {
	t := tool.Must(tool.New("order", "Order a dish.", order))
	registry, err := tool.NewRegistry(t)
	if err != nil {
		log.Fatal(err)
	}
	s := serve.New(serve.Options{Name: "restaurant", Version: "1.0"})
	if err := s.Set(serve.Content{Executor: executor.New(executor.Config{Tools: registry}), Tools: registry.Tools()}); err != nil {
		log.Fatal(err)
	}
	return s
}

// customer is a client whose person says yes.
func customer() *sdk.Client {
	return sdk.NewClient(&sdk.Implementation{Name: "customer"}, &sdk.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			fmt.Println(r.Params.Message)
			return &sdk.ElicitResult{Action: "accept"}, nil
		},
	})
}

func buy(session *sdk.ClientSession) {
	result, err := session.CallTool(context.Background(), &sdk.CallToolParams{Name: "order", Arguments: orderInput{"soup"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Content[0].(*sdk.TextContent).Text)
}

func ExampleServer() {
	s := restaurant()
	handler, err := s.Handler(serve.HTTP{})
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	defer s.Close()

	session, err := customer().Connect(context.Background(), &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: server.Client()}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	buy(session)
	// Output:
	// Order soup?
	// Ordered soup.
}

// A program that serves its client over standard input and output calls Guard first
// and gives what it returned to ServeStdio; here two pipes are in their place.
func ExampleServer_stdio() {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error)
	go func() { ended <- restaurant().ServeStdio(context.Background(), in, out) }()

	session, err := customer().Connect(context.Background(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		log.Fatal(err)
	}
	buy(session)
	session.Close()
	fmt.Println("ended:", <-ended)
	// Output:
	// Order soup?
	// Ordered soup.
	// ended: <nil>
}
