package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcpEcho is an MCP server on standard input and output, with one tool, for scripts:
// mcpecho [-says FILE] [-fails TEXT] [-log FILE] [-more] [-shows] [-newer FILE]
// [-down FILE] [-big]. With -more there are a tool that asks who calls it, and one that waits for
// a file; with -shows one whose results are more than text, with -big
// one whose schema is too large. Once there is the FILE of
// -newer, echo takes another argument, and with that of -down nothing starts.
func mcpEcho() {
	says := flag.String("says", "", "the file with the tool's description")
	fails := flag.String("fails", "", "write this to standard error, and end")
	starts := flag.String("log", "", "the file to which each start adds a line")
	more := flag.Bool("more", false, "have the tools order and wait")
	shows := flag.Bool("shows", false, "have the tool show")
	newer := flag.String("newer", "", "where it is, echo is newer")
	down := flag.String("down", "", "where it is, end")
	big := flag.Bool("big", false, "have the tool big, whose schema is too large")
	flag.Parse()
	if _, err := os.Stat(*down); err == nil {
		os.Exit(1)
	}
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
	if _, err := os.Stat(*newer); err == nil {
		sdk.AddTool(s, &sdk.Tool{Name: "echo", Description: description}, echoLoudly)
	} else {
		sdk.AddTool(s, &sdk.Tool{Name: "echo", Description: description}, func(_ context.Context, _ *sdk.CallToolRequest, in heard) (*sdk.CallToolResult, any, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "echo: " + in.Text}}}, nil, nil
		})
	}
	if *shows {
		sdk.AddTool(s, &sdk.Tool{Name: "show", Description: "Shows a picture of a thing, and more."}, show)
	}
	if *more {
		sdk.AddTool(s, &sdk.Tool{Name: "order", Description: "Orders a dish."}, orderDish)
		sdk.AddTool(s, &sdk.Tool{Name: "wait", Description: "Makes the file FILE.waits, and waits for FILE."}, wait)
	}
	if *big {
		sdk.AddTool(s, &sdk.Tool{Name: "big", InputSchema: map[string]any{"type": "object", "description": strings.Repeat("x", 64<<10)}}, wait)
	}
	if err := s.Run(context.Background(), &sdk.StdioTransport{}); err != nil {
		log.Print(err)
	}
}

type loud struct {
	Text  string `json:"text"`
	Times int    `json:"times"`
}

func echoLoudly(_ context.Context, _ *sdk.CallToolRequest, in loud) (*sdk.CallToolResult, any, error) {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "echo:" + strings.Repeat(" "+in.Text, in.Times)}}}, nil, nil
}

type thing struct {
	Thing string `json:"thing"`
}

func show(_ context.Context, _ *sdk.CallToolRequest, in thing) (*sdk.CallToolResult, any, error) {
	return &sdk.CallToolResult{
		IsError: in.Thing == "nothing",
		Content: []sdk.Content{
			&sdk.TextContent{Text: "a " + in.Thing},
			&sdk.ImageContent{Data: []byte("picture"), MIMEType: "image/png"},
			&sdk.AudioContent{Data: []byte("sound"), MIMEType: "audio/wav"},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///note", MIMEType: "text/plain", Text: "<note>"}},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///blob", Blob: []byte("blob")}},
			&sdk.ResourceLink{URI: "https://example.org/more", Name: "more"},
		},
		StructuredContent: json.RawMessage(`{"price":1.10,"of":"a"}`),
		Meta:              sdk.Meta{"example.org/trace": "7"},
	}, nil, nil
}

type dish struct {
	Dish string `json:"dish"`
}

func orderDish(ctx context.Context, r *sdk.CallToolRequest, in dish) (*sdk.CallToolResult, any, error) {
	answer, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "How many of " + in.Dish + "?", RequestedSchema: map[string]any{
		"type": "object", "required": []string{"n"}, "properties": map[string]any{"n": map[string]any{"type": "integer"}},
	}})
	if err != nil {
		return nil, nil, err
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: fmt.Sprint(answer.Action, " ", answer.Content["n"])}}}, nil, nil
}

type awaited struct {
	File string `json:"file"`
}

func wait(ctx context.Context, _ *sdk.CallToolRequest, in awaited) (*sdk.CallToolResult, any, error) {
	if err := os.WriteFile(in.File+".waits", nil, 0o644); err != nil {
		return nil, nil, err
	}
	if err := awaitFile(ctx, in.File); err != nil {
		return nil, nil, err
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "it came"}}}, nil, nil
}

// awaitFile waits until there is a file.
func awaitFile(ctx context.Context, name string) error {
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		if _, err := os.Stat(name); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-look.C:
		}
	}
}
