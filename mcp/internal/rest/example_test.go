package rest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"helve/mcp/internal/rest"
)

func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/execute" {
			_, _ = io.WriteString(w, `{"result":3}`)
			return
		}
		_, _ = io.WriteString(w, `[{"name":"add","description":"Add two numbers.","parameters":[
			{"name":"a","type":"number","required":true},{"name":"b","type":"number","required":true}]}]`)
	}))
	defer server.Close()

	client, err := rest.New(rest.Options{URL: server.URL, Client: server.Client()})
	if err != nil {
		fmt.Println(err)
		return
	}
	tools, _, err := client.List(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", tools[0])
	result, err := client.Call(context.Background(), "add", []byte(`{"a":1,"b":2}`))
	fmt.Println(result.Text(), err)
	// Output:
	// {"description":"Add two numbers.","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]},"name":"add"}
	// 3 <nil>
}
