package serve_test

import (
	"context"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/mcp/serve"
	"helve/tool"
)

// TestRefusedInEachEra has a tool that may not run because nobody can be asked: the
// model reads so, whatever the version.
func TestRefusedInEachEra(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, version string, connect func(*serve.Server, *sdk.Client) *sdk.ClientSession) {
		s := newServer(t, serve.Options{}, serve.Content{}, simple("remove", func(ctx context.Context) (string, error) {
			_, err := tool.RuntimeFrom(ctx).Ask(ctx, tool.Form{Name: "approve", Message: "May it run?"})
			return "", &tool.Error{Kind: tool.KindDenied, Message: "Nobody can be asked.", Err: err}
		}))
		session := connect(s, newClient(&sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}}))
		if r := call(t, session, "remove", nil); !r.IsError || text(t, r) != "Nobody can be asked." {
			t.Errorf("%+v", r)
		}
	})
}
