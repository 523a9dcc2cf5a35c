package mcp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/mcp"
	"helve/tool"
)

// A server refuses a call until the person has opened a link; then it is made again.
func TestLinkBeforeACall(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		answer tool.Action
		want   string
		kind   tool.Kind
	}{
		{tool.Accept, "paid", ""},
		{tool.Decline, "", tool.KindExecution},
	} {
		opened := false
		s := sdk.NewServer(&sdk.Implementation{Name: "shop"}, nil)
		s.AddTool(&sdk.Tool{Name: "pay", Description: "Pays.", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			if !opened {
				return nil, sdk.URLElicitationRequiredError([]*sdk.ElicitParams{{Mode: "url", Message: "Pay there", URL: "https://shop.example/pay", ElicitationID: "1"}})
			}
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "paid"}}}, nil
		})
		web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil))
		t.Cleanup(web.Close)
		client, err := mcp.New(mcp.Config{Name: "shop", URL: web.URL}, mcp.Options{Elicitation: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { client.Close() })
		tools, err := client.Tools(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx := tool.WithRuntime(t.Context(), &tool.Runtime{Answer: func(_ context.Context, _ tool.CallID, asked []tool.Question) ([]tool.Answer, error) {
			if link, ok := asked[0].(tool.Link); !ok || link.URL != "https://shop.example/pay" {
				t.Errorf("asked %+v", asked)
			}
			opened = test.answer == tool.Accept
			return []tool.Answer{{Action: test.answer}}, nil
		}})
		result, err := tool.Invoke(ctx, tools[0], tool.Call{Arguments: []byte(`{}`)})
		if result.Text() != test.want || (err == nil) != (test.kind == "") || err != nil && tool.AsError(err).Kind != test.kind {
			t.Errorf("%s: %q, %v", test.answer, result.Text(), err)
		}
	}
}
