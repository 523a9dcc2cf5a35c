package httptool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	"helve/httptool"
	"helve/netpolicy"
	"helve/tool"
)

// How do I make a tool of an API?
func ExampleNew() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"path": %q, "query": %q, "weather": {"temp": 22, "wind": 3}}`, r.URL.Path, r.URL.RawQuery)
	}))
	defer server.Close()

	weather, err := httptool.New(httptool.Config{
		Name:        "get_weather",
		Description: "Get the current weather of a city.",
		APIURL:      server.URL + "/cities/{city}/weather",
		Parameters: httptool.JSON(`{
			"city":  {"type": "string", "required": true},
			"units": {"type": "string", "enum": ["metric", "imperial"], "default": "metric"}
		}`),
		Auth: httptool.Auth{AuthMethod: "bearer", Token: "token-of-the-api"},
	}, netpolicy.Policy{AllowPrivate: true}) // the server of this example is on this machine
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := tool.Invoke(context.Background(), weather, tool.Call{Arguments: json.RawMessage(`{"city":"São Paulo/../x"}`)})
	fmt.Println(result.Text(), err)
	result, err = tool.Invoke(context.Background(), weather, tool.Call{Arguments: json.RawMessage(`{"city":"São Paulo"}`)})
	fmt.Println(result.Text(), err)
	// Output:
	//  invalid_parameters: get_weather: an argument would make . or .. a segment of the URL's path
	// {"path":"/cities/São Paulo/weather","query":"units=metric","weather":{"temp":22,"wind":3}} <nil>
}

// How does the model get less than the whole answer?
func ExampleResponse() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"took": 12, "hits": [{"title": "A", "score": 0.9, "html": "<p>…"}, {"title": "B", "score": 0.1, "html": "<p>…"}]}`)
	}))
	defer server.Close()

	search, err := httptool.New(httptool.Config{
		Name:        "search_tool",
		Description: "Search.",
		APIURL:      server.URL,
		Response:    httptool.Response{Select: "$.hits[?(@.score > 0.5)]", Fields: []string{"title"}},
	}, netpolicy.Policy{AllowPrivate: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := tool.Invoke(context.Background(), search, tool.Call{})
	fmt.Println("model:", result.Text(), err)
	fmt.Println("host: ", len(result.Artifact.(httptool.Answer).Body), "bytes")
	// Output:
	// model: [{"title":"A"}] <nil>
	// host:  118 bytes
}
