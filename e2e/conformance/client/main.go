// Command client is what the official MCP conformance suite tests: a small host on
// helve/mcp. The suite starts a server that misbehaves in one way, a scenario, runs the
// command with the server's URL as its last argument, and watches what is sent. See
// e2e/mcp-conformance-client.sh.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"time"

	"helve/mcp"
)

// given is what a scenario tells its client, besides the URL.
type given struct {
	ClientID     string     `json:"client_id"`
	ClientSecret string     `json:"client_secret"`
	ToolCalls    []wantCall `json:"toolCalls"`
}

type wantCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, nil)))
	if err := run(os.Args[len(os.Args)-1]); err != nil {
		fmt.Fprintln(os.Stderr, "client:", err)
		os.Exit(1)
	}
}

func run(url string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 25*time.Second)
	defer cancel()
	var g given
	if text := os.Getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		if err := json.Unmarshal([]byte(text), &g); err != nil {
			return fmt.Errorf("MCP_CONFORMANCE_CONTEXT: %w", err)
		}
	}
	tokens, err := os.MkdirTemp("", "helve-conformance-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tokens)
	h := &host{
		config:  mcp.Config{Name: "conformance", URL: url, OAuth: login(os.Getenv("MCP_CONFORMANCE_SCENARIO"), g), Sampling: mcp.Ask},
		options: mcp.Options{TokenDir: tokens, Elicitation: true, Sampling: true},
	}
	if h.client, err = mcp.New(h.config, h.options); err != nil {
		return err
	}
	defer h.client.Close()
	return h.use(ctx, g.ToolCalls)
}

// login is what the person who configured the server knows of its login.
func login(scenario string, g given) *mcp.OAuth {
	switch scenario {
	case "auth/pre-registration":
		return &mcp.OAuth{ClientID: g.ClientID, ClientSecret: mcp.Secret(g.ClientSecret), Grant: "authorization_code"}
	case "auth/client-credentials-basic":
		return &mcp.OAuth{ClientID: g.ClientID, ClientSecret: mcp.Secret(g.ClientSecret)}
	case "auth/basic-cimd":
		return &mcp.OAuth{ClientID: "https://conformance-test.local/client-metadata.json"}
	}
	return nil
}
