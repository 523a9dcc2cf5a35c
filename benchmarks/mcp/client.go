package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/executor"
	"helve/mcp"
	"helve/tool"
)

// client is connected to a server.
type client struct {
	call  func(ctx context.Context, name string, args json.RawMessage) (string, error)
	list  func(ctx context.Context) (int, error) // of its tools, asked anew
	close func()
}

// address is where a client finds a server: at a URL, or as a child of its own.
type address struct {
	url      string
	server   served
	protocol string
}

// environment is what the servers' garbage collectors heed.
func environment() map[string]string {
	return map[string]string{"GOGC": cmp.Or(os.Getenv("GOGC"), "100")}
}

// startHTTP starts a server over HTTP.
func startHTTP(s served) (url string, stop func(), err error) {
	cmd := exec.Command(os.Args[0], s.args()...)
	cmd.Stderr = os.Stderr
	for name, value := range environment() {
		cmd.Env = append(os.Environ(), name+"="+value)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() { in.Close(); _ = cmd.Wait() }
	url, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("the server does not start: %w", err)
	}
	return strings.TrimSpace(url), stop, nil
}

func bareClient(ctx context.Context, at address) (*client, error) {
	var transport sdk.Transport
	if at.url != "" {
		pool := http.DefaultTransport.(*http.Transport).Clone()
		pool.MaxIdleConns, pool.MaxIdleConnsPerHost = 64, 64 // as helve's; the default would dial anew for most callers
		transport = &sdk.StreamableClientTransport{Endpoint: at.url, HTTPClient: &http.Client{Transport: pool}}
	} else {
		cmd := exec.Command(os.Args[0], at.server.args()...)
		cmd.Stderr = os.Stderr
		for name, value := range environment() {
			cmd.Env = append(os.Environ(), name+"="+value)
		}
		transport = &sdk.CommandTransport{Command: cmd}
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "bare"}, nil).Connect(ctx, transport, &sdk.ClientSessionOptions{ProtocolVersion: at.protocol})
	if err != nil {
		return nil, err
	}
	return &client{
		call: func(ctx context.Context, name string, args json.RawMessage) (string, error) {
			r, err := session.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: args})
			if err != nil {
				return "", err
			}
			return r.Content[0].(*sdk.TextContent).Text, nil
		},
		list: func(ctx context.Context) (int, error) {
			n := 0
			for _, err := range session.Tools(ctx, nil) {
				if err != nil {
					return 0, err
				}
				n++
			}
			return n, nil
		},
		close: func() { _ = session.Close() },
	}, nil
}

// helveClient calls as an agent does: through an executor.
func helveClient(ctx context.Context, at address) (*client, error) {
	config := mcp.Config{Name: "measured", Protocol: at.protocol, URL: at.url}
	if at.url != "" {
		config.Type = mcp.HTTP
	} else {
		config.Command, config.Args, config.Env = os.Args[0], at.server.args(), map[string]mcp.Secret{}
		for name, value := range environment() {
			config.Env[name] = mcp.Secret(value)
		}
	}
	c, err := mcp.New(config, mcp.Options{Log: silent})
	if err != nil {
		return nil, err
	}
	tools, err := c.Tools(ctx)
	if err != nil {
		c.Close()
		return nil, err
	}
	registry, err := tool.NewRegistry(tools...)
	if err != nil {
		c.Close()
		return nil, err
	}
	x := executor.New(executor.Config{Tools: registry, Logger: silent})
	return &client{
		call: func(ctx context.Context, name string, args json.RawMessage) (string, error) {
			r := x.Execute(ctx, []tool.Call{{ID: "1", Name: "measured__" + name, Arguments: args}})[0]
			if r.Err != nil {
				return "", r.Err
			}
			return r.Output.Text(), nil
		},
		list:  func(context.Context) (int, error) { return len(tools), nil }, // read when it connected
		close: func() { _ = c.Close() },
	}, nil
}
