package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/executor"
	"helve/mcp/serve"
	"helve/tool"
)

// served says which server a process is.
type served struct {
	by                    string // bare or helve
	http, json, stateless bool
	tools                 int
}

// args are the arguments with which this program is that server.
func (s served) args() []string {
	return []string{
		"-serve=" + s.by, fmt.Sprintf("-http=%t", s.http), fmt.Sprintf("-json=%t", s.json),
		fmt.Sprintf("-stateless=%t", s.stateless), fmt.Sprintf("-tools=%d", s.tools),
	}
}

// The tools: echo gives back its text, page gives 64 KiB, and spent says what the
// server's process has used so far.
type echoed struct {
	Text string `json:"text"`
}

var page = strings.Repeat("2026-11-21T00:33:27Z INFO tool call tool=\"order\" result_bytes=13\n", 1024)[:64<<10]

const echoSchema = `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`

func spentJSON() string {
	text, _ := json.Marshal(spent()) // it is three numbers
	return string(text)
}

func serveUntilEOF(ctx context.Context, as served) error {
	overStdio, handler, err := bareServer, bareHandler(as), error(nil)
	if as.by == "helve" {
		s := helveServer(as)
		defer s.Close()
		overStdio = func(ctx context.Context, _ served) error { return s.ServeStdio(ctx, os.Stdin, os.Stdout) }
		if handler, err = s.Handler(serve.HTTP{}); err != nil {
			return err
		}
	}
	if !as.http {
		return overStdio(ctx, as)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%v/\n", l.Addr())
	go func() { _ = http.Serve(l, handler) }()
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// bare is a server of the SDK alone, whose handlers validate nothing.
func bare(as served) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "bare"}, nil)
	add := func(name, schema string, answer func(json.RawMessage) (string, error)) {
		s.AddTool(&sdk.Tool{Name: name, Description: "It is measured.", InputSchema: json.RawMessage(schema)}, func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			text, err := answer(r.Params.Arguments)
			if err != nil {
				return nil, err
			}
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}, nil
		})
	}
	echo := func(args json.RawMessage) (string, error) {
		var in echoed
		err := json.Unmarshal(args, &in)
		return in.Text, err
	}
	add("echo", echoSchema, echo)
	add("page", `{"type":"object"}`, func(json.RawMessage) (string, error) { return page, nil })
	add("spent", `{"type":"object"}`, func(json.RawMessage) (string, error) { return spentJSON(), nil })
	for i := range as.tools {
		add(fmt.Sprintf("tool_%d", i), echoSchema, echo)
	}
	return s
}

func bareServer(ctx context.Context, as served) error {
	return bare(as).Run(ctx, &sdk.StdioTransport{})
}

func bareHandler(as served) http.Handler {
	s := bare(as)
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, &sdk.StreamableHTTPOptions{JSONResponse: as.json, Stateless: as.stateless})
}

func helveServer(as served) *serve.Server {
	type nothing struct{}
	echo := func(_ context.Context, in echoed) (string, error) { return in.Text, nil }
	tools := []tool.Tool{
		tool.Must(tool.New("echo", "It is measured.", echo)),
		tool.Must(tool.New("page", "It is measured.", func(context.Context, nothing) (string, error) { return page, nil })),
		tool.Must(tool.New("spent", "It is measured.", func(context.Context, nothing) (string, error) { return spentJSON(), nil })),
	}
	for i := range as.tools {
		tools = append(tools, tool.Must(tool.New(fmt.Sprintf("tool_%d", i), "It is measured.", echo)))
	}
	s := serve.New(serve.Options{Log: silent})
	registry, err := tool.NewRegistry(tools...)
	if err != nil {
		panic(err) // the names above differ
	}
	s.Set(serve.Content{Executor: executor.New(executor.Config{Tools: registry, Logger: silent}), Tools: tools})
	return s
}

var silent = slog.New(slog.DiscardHandler)
