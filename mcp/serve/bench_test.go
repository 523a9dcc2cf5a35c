package serve_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/executor"
	"helve/mcp/serve"
	"helve/tool"
)

type echoInput struct {
	Text string `json:"text"`
}

// BenchmarkEcho compares a call of 11 bytes with the same by the SDK alone, whose
// handler validates nothing.
func BenchmarkEcho(b *testing.B) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		b.Run("sdk/"+version, func(b *testing.B) {
			server := sdk.NewServer(&sdk.Implementation{Name: "bare"}, nil)
			server.AddTool(&sdk.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)},
				func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
					var in echoInput
					if err := json.Unmarshal(r.Params.Arguments, &in); err != nil {
						return nil, err
					}
					return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: in.Text}}}, nil
				})
			echo(b, version, func(in io.ReadCloser, out io.WriteCloser) {
				session, err := server.Connect(context.Background(), &sdk.IOTransport{Reader: in, Writer: out}, nil)
				if err == nil {
					session.Wait()
				}
			})
		})
		b.Run("helve/"+version, func(b *testing.B) {
			t := tool.Must(tool.New("echo", "Echo.", func(_ context.Context, in echoInput) (string, error) { return in.Text, nil }))
			registry, _ := tool.NewRegistry(t)
			log := slog.New(slog.DiscardHandler)
			server := serve.New(serve.Options{Log: log})
			defer server.Close()
			server.Set(serve.Content{Executor: executor.New(executor.Config{Tools: registry, Logger: log}), Tools: []tool.Tool{t}})
			echo(b, version, func(in io.ReadCloser, out io.WriteCloser) {
				server.ServeStdio(context.Background(), in, out)
			})
		})
	}
}

func echo(b *testing.B, version string, serve func(io.ReadCloser, io.WriteCloser)) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		serve(in, out)
	}()
	session, err := newClient(nil).Connect(context.Background(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		r, err := session.CallTool(context.Background(), &sdk.CallToolParams{Name: "echo", Arguments: echoInput{"hello world"}})
		if err != nil || r.Content[0].(*sdk.TextContent).Text != "hello world" {
			b.Fatal(err)
		}
	}
	session.Close()
	<-ended
}
