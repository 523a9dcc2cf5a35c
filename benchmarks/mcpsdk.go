package main

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sdkInput is input without the tags: the SDK reads a jsonschema tag as a
// description and takes limits from an explicit schema.
type sdkInput struct {
	City   string `json:"city"`
	Unit   string `json:"unit,omitempty"`
	Days   int    `json:"days,omitempty"`
	Detail bool   `json:"detail,omitempty"`
}

func sdkSchema(tb testing.TB) *jsonschema.Schema {
	s, err := jsonschema.For[sdkInput](nil)
	if err != nil {
		tb.Fatal(err)
	}
	s.Properties["city"].MinLength = jsonschema.Ptr(1)
	s.Properties["unit"].Enum = []any{"celsius", "fahrenheit"}
	s.Properties["unit"].Default = json.RawMessage(`"celsius"`)
	s.Properties["days"].Minimum = jsonschema.Ptr(1.0)
	s.Properties["days"].Maximum = jsonschema.Ptr(14.0)
	s.Properties["days"].Default = json.RawMessage(`3`)
	return s
}

// mcpsdkClient is a client session with a server in the same process, over the
// SDK's in-memory transport.
func mcpsdkClient(tb testing.TB, fn toolFunc, args []json.RawMessage) job {
	s := mcp.NewServer(&mcp.Implementation{Name: "benchmark", Version: "1.0.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: toolName, Description: description, InputSchema: sdkSchema(tb)},
		func(ctx context.Context, _ *mcp.CallToolRequest, in sdkInput) (*mcp.CallToolResult, any, error) {
			text, err := fn(ctx, input(in))
			if err != nil {
				return nil, nil, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
		})
	toServer, toClient := mcp.NewInMemoryTransports()
	serving, err := s.Connect(tb.Context(), toClient, nil)
	if err != nil {
		tb.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "benchmark", Version: "1.0.0"}, nil).Connect(tb.Context(), toServer, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = session.Close()
		_ = serving.Wait()
	})

	var results []*mcp.CallToolResult
	return job{
		run: func(ctx context.Context) (err error) {
			results, err = together(len(args), func(i int) (*mcp.CallToolResult, error) {
				return session.CallTool(ctx, &mcp.CallToolParams{Name: toolName, Arguments: args[i]})
			})
			return err
		},
		answers: func() []string {
			texts := make([]string, len(results))
			for i, r := range results {
				texts[i] = r.Content[0].(*mcp.TextContent).Text
			}
			return texts
		},
	}
}
