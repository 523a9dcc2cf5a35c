package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcpEcho is an MCP server on standard input and output, with one tool, for scripts:
// mcpecho [-says FILE] [-fails TEXT] [-log FILE].
func mcpEcho() {
	says := flag.String("says", "", "the file with the tool's description")
	fails := flag.String("fails", "", "write this to standard error, and end")
	starts := flag.String("log", "", "the file to which each start adds a line")
	flag.Parse()
	if *fails != "" {
		fmt.Fprintln(os.Stderr, *fails)
		os.Exit(1)
	}
	description := "Says what it hears."
	if *says != "" {
		text, err := os.ReadFile(*says)
		if err != nil {
			log.Fatal(err)
		}
		description = string(text)
	}
	if *starts != "" {
		f, err := os.OpenFile(*starts, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Fprintln(f, "started")
		f.Close()
	}
	s := sdk.NewServer(&sdk.Implementation{Name: "mcpecho", Version: "1.0"}, nil)
	type heard struct {
		Text string `json:"text"`
	}
	sdk.AddTool(s, &sdk.Tool{Name: "echo", Description: description}, func(_ context.Context, _ *sdk.CallToolRequest, in heard) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "echo: " + in.Text}}}, nil, nil
	})
	if err := s.Run(context.Background(), &sdk.StdioTransport{}); err != nil {
		log.Print(err)
	}
}
