package badserver_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// These tests show that the faults bite: the Go SDK as it is reads the server well, and
// fails at each fault the way reference/mcp.md measured.

func connect(t *testing.T, transport sdk.Transport, within time.Duration) (*sdk.ClientSession, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	t.Cleanup(cancel)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {},
		ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
		},
	})
	session, err := client.Connect(ctx, transport, nil)
	if err == nil {
		t.Cleanup(func() { session.Close() })
	}
	return session, err
}

func overStdio(t *testing.T, fault string) sdk.Transport {
	return &sdk.CommandTransport{Command: command(t, fault, newRecord(t)), TerminateDuration: 100 * time.Millisecond}
}

func overHTTP(t *testing.T, fault string) sdk.Transport {
	s := serve(t, fault)
	return &sdk.StreamableClientTransport{Endpoint: s.url, HTTPClient: &http.Client{Transport: s.client.Transport}, MaxRetries: -1}
}

func call(t *testing.T, s *sdk.ClientSession, name string, arguments any) (*sdk.CallToolResult, error) {
	t.Helper()
	return s.CallTool(short(t), &sdk.CallToolParams{Name: name, Arguments: arguments})
}

func TestSDKReadsTheServer(t *testing.T) {
	t.Parallel()
	transports := map[string]func(t *testing.T) sdk.Transport{
		"stdio":         func(t *testing.T) sdk.Transport { return overStdio(t, "") },
		"stdio, modern": func(t *testing.T) sdk.Transport { return overStdio(t, "discover") },
		"HTTP":          func(t *testing.T) sdk.Transport { return overHTTP(t, "") },
		"HTTP, modern":  func(t *testing.T) sdk.Transport { return overHTTP(t, "discover") },
		"HTTP, burst":   func(t *testing.T) sdk.Transport { return overHTTP(t, "list-changed-burst") },
		"SSE": func(t *testing.T) sdk.Transport {
			s := serve(t, "legacy-sse")
			return &sdk.SSEClientTransport{Endpoint: s.url, HTTPClient: &http.Client{Transport: s.client.Transport}}
		},
	}
	for name, transport := range transports {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := connect(t, transport(t), 20*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			list, err := s.ListTools(short(t), nil)
			if err != nil || len(list.Tools) < 20 {
				t.Fatalf("%v %v", list, err)
			}
			for tool, answer := range map[string]string{"echo": "hi", "elicit": "the answer: accept Ada"} {
				result, err := call(t, s, tool, map[string]any{"text": "hi"})
				if err != nil {
					t.Errorf("%s: %v", tool, err)
					continue
				}
				if text, _ := result.Content[0].(*sdk.TextContent); text == nil || text.Text != answer {
					t.Errorf("%s: %v", tool, result.Content[0])
				}
			}
		})
	}
}

func TestSDKCannotConnect(t *testing.T) {
	t.Parallel()
	for name, transport := range map[string]func(t *testing.T) sdk.Transport{
		"banner":           func(t *testing.T) sdk.Transport { return overStdio(t, "banner") },
		"hang":             func(t *testing.T) sdk.Transport { return overStdio(t, "hang") },
		"hang-discover":    func(t *testing.T) sdk.Transport { return overStdio(t, "hang-discover") },
		"exit-on-discover": func(t *testing.T) sdk.Transport { return overStdio(t, "exit-on-discover") },
		"exit":             func(t *testing.T) sdk.Transport { return overStdio(t, "exit") },
		"never-reads":      func(t *testing.T) sdk.Transport { return overStdio(t, "never-reads") },
		"string-ids":       func(t *testing.T) sdk.Transport { return overStdio(t, "string-ids") },
		"wrong-jsonrpc":    func(t *testing.T) sdk.Transport { return overStdio(t, "wrong-jsonrpc") },
		"html":             func(t *testing.T) sdk.Transport { return overHTTP(t, "html") },
		"html-discover":    func(t *testing.T) sdk.Transport { return overHTTP(t, "html-discover") },
		"status=500":       func(t *testing.T) sdk.Transport { return overHTTP(t, "status=500") },
		"slow-headers":     func(t *testing.T) sdk.Transport { return overHTTP(t, "slow-headers") },
		"content-type":     func(t *testing.T) sdk.Transport { return overHTTP(t, "content-type") },
		"legacy-sse":       func(t *testing.T) sdk.Transport { return overHTTP(t, "legacy-sse") },
		"rest":             func(t *testing.T) sdk.Transport { return overHTTP(t, "rest") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := connect(t, transport(t), 700*time.Millisecond); err == nil {
				t.Error("it connected: the fault does not bite")
			}
		})
	}
}

func TestSDKCannotCall(t *testing.T) {
	t.Parallel()
	tests := []struct {
		tool string
		args map[string]any
	}{
		{"unknown_content", nil},
		{"bad_base64", nil},
		{"data_url", nil},
		{"huge", map[string]any{"megabytes": 17}},
		{"die", nil},
		{"kill", nil},
		{"error", nil},
	}
	for _, tt := range tests {
		t.Run(tt.tool, func(t *testing.T) {
			t.Parallel()
			s, err := connect(t, overStdio(t, ""), 20*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := call(t, s, tt.tool, tt.args); err == nil {
				t.Error("it was called: the fault does not bite")
			}
		})
	}
}

// The SDK follows pages for ever.
func TestSDKFollowsPagesForEver(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"endless-pages", "repeating-cursor"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			s, err := connect(t, overStdio(t, fault), 20*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for range s.Tools(short(t), nil) {
				if n++; n == 500 {
					return
				}
			}
			t.Errorf("the list ended after %d", n)
		})
	}
}

// After a lost session the SDK never calls again.
func TestSDKLosesTheSession(t *testing.T) {
	t.Parallel()
	s, err := connect(t, overHTTP(t, "session-lost=1"), 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for i, works := range []bool{true, false, false} {
		if _, err := call(t, s, "counter", nil); (err == nil) != works {
			t.Errorf("call %d: %v", i, err)
		}
	}
}
