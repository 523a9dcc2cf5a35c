package remote_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/mcp/internal/remote"
)

// open makes a Remote for the example's server.
func open(handler http.HandlerFunc) (*remote.Remote, string, func()) {
	server := httptest.NewServer(handler)
	u, err := url.Parse(server.URL)
	if err != nil {
		panic(err)
	}
	r, err := remote.New(remote.Options{Name: "weather", URL: u})
	if err != nil {
		panic(err)
	}
	return r, server.URL, func() { r.Close(); server.Close() }
}

// What does a person read when a key is wrong?
func Example() {
	r, address, end := open(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		http.Error(w, "this key ended in May", http.StatusUnauthorized)
	})
	defer end()
	client := sdk.NewClient(&sdk.Implementation{Name: "helve"}, nil)
	transport := &sdk.StreamableClientTransport{Endpoint: address, HTTPClient: r.Client()}
	_, err := client.Connect(context.Background(), transport, nil)
	err = r.Explain(err)
	fmt.Println(strings.ReplaceAll(err.Error(), address, "http://127.0.0.1"))
	var status *remote.StatusError
	fmt.Println(errors.As(err, &status) && status.NeedsAuth())
	// Output:
	// mcp server weather: calling "initialize": sending "initialize": http://127.0.0.1: the server answered 401 Unauthorized (WWW-Authenticate: bearer invalid_token): this key ended in May
	// true
}

// May a call be made again?
func ExampleWatch() {
	r, address, end := open(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTooManyRequests)
	})
	defer end()
	ctx, outcome := remote.Watch(context.Background())
	message := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rain"}}`)
	req, err := http.NewRequestWithContext(ctx, "POST", address, message) // as the SDK does
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = r.Client().Do(req)
	fmt.Println(err != nil, outcome.NotRun())
	// Output: true true
}

// How does a server speak that refuses a POST?
func ExampleDetect() {
	r, _, end := open(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"tools": [{"name": "rain"}]}`)
	})
	defer end()
	fmt.Println(remote.Detect(context.Background(), r))
	// Output: rest <nil>
}
