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
	"strconv"
	"strings"
	"sync/atomic"

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

// gogc is what the garbage collectors of all processes heed.
func gogc() string { return cmp.Or(os.Getenv("GOGC"), "100") }

// program is this one, as a server.
func program(s served) *exec.Cmd {
	cmd := exec.Command(os.Args[0], s.args()...)
	cmd.Env, cmd.Stderr = append(os.Environ(), "GOGC="+gogc()), os.Stderr
	return cmd
}

// startHTTP starts a server over HTTP.
func startHTTP(s served) (url string, stop func(), err error) {
	cmd := program(s)
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

// bareClient asks for progress, as helve does for each call: the two send the same.
func bareClient(ctx context.Context, at address) (*client, error) {
	var transport sdk.Transport
	if at.url != "" {
		pool := http.DefaultTransport.(*http.Transport).Clone()
		pool.MaxIdleConns, pool.MaxIdleConnsPerHost = 64, 64 // as helve's; the default would dial anew for most callers
		transport = &sdk.StreamableClientTransport{Endpoint: at.url, HTTPClient: &http.Client{Transport: pool}}
	} else {
		transport = &sdk.CommandTransport{Command: program(at.server)}
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "bare"}, nil).Connect(ctx, transport, &sdk.ClientSessionOptions{ProtocolVersion: at.protocol})
	if err != nil {
		return nil, err
	}
	var last atomic.Uint64
	return &client{
		call: func(ctx context.Context, name string, args json.RawMessage) (string, error) {
			meta := sdk.Meta{"progressToken": "bare-" + strconv.FormatUint(last.Add(1), 10)}
			r, err := session.CallTool(ctx, &sdk.CallToolParams{Meta: meta, Name: name, Arguments: args})
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
		config.Command, config.Args = os.Args[0], at.server.args()
		config.Env = map[string]mcp.Secret{"GOGC": mcp.Secret(gogc())}
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
