package main

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// mcpgoClient is a client that talks to a server in the same process, both as
// they come.
func mcpgoClient(tb testing.TB, fn toolFunc, args []json.RawMessage) job {
	return mcpgo(tb, fn, args)
}

// mcpgoCheckedClient is the same with what the server can be asked for of what
// helve always does: validation and recover.
func mcpgoCheckedClient(tb testing.TB, fn toolFunc, args []json.RawMessage) job {
	return mcpgo(tb, fn, args, server.WithInputSchemaValidation(), server.WithRecovery())
}

func mcpgo(tb testing.TB, fn toolFunc, args []json.RawMessage, options ...server.ServerOption) job {
	s := server.NewMCPServer("benchmark", "1.0.0", options...)
	s.AddTool(mcp.NewTool(toolName,
		mcp.WithDescription(description),
		mcp.WithString("city", mcp.Required(), mcp.MinLength(1)),
		mcp.WithString("unit", mcp.Enum("celsius", "fahrenheit"), mcp.DefaultString("celsius")),
		mcp.WithInteger("days", mcp.Min(1), mcp.Max(14), mcp.DefaultNumber(3)),
		mcp.WithBoolean("detail"),
	), mcp.NewTypedToolHandler(func(ctx context.Context, _ mcp.CallToolRequest, in input) (*mcp.CallToolResult, error) {
		text, err := fn(ctx, in)
		if err != nil {
			return mcp.NewToolResultError(err.Error()), nil
		}
		return mcp.NewToolResultText(text), nil
	}))
	c, err := client.NewInProcessClient(s)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = c.Close() })
	if err := c.Start(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	hello := mcp.InitializeRequest{}
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "benchmark", Version: "1.0.0"}
	if _, err := c.Initialize(tb.Context(), hello); err != nil {
		tb.Fatal(err)
	}

	var results []*mcp.CallToolResult
	return job{
		run: func(ctx context.Context) (err error) {
			results, err = together(len(args), func(i int) (*mcp.CallToolResult, error) {
				return c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: toolName, Arguments: args[i]}})
			})
			return err
		},
		answers: func() []string {
			texts := make([]string, len(results))
			for i, r := range results {
				texts[i] = r.Content[0].(mcp.TextContent).Text
			}
			return texts
		},
	}
}
