package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/tool"
)

// town is where servers are that tests start, by their commands. Its clients speak the
// real protocol to them, in memory, and keep no more of a Client than its contract.
type town struct {
	mu      sync.Mutex
	servers map[string]*sdk.Server
	open    map[*double]bool
	made    int
	meeting *sync.WaitGroup // of those that start only together; nil for none
	starts  map[string]int
}

func newTown() *town {
	return &town{servers: map[string]*sdk.Server{}, open: map[*double]bool{}, starts: map[string]int{}}
}

// server lets a command lead to a server with tools of these names and descriptions.
func (w *town) server(command string, tools ...string) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: command, Version: "1"}, nil)
	for _, name := range tools {
		offer(s, name, "Tells "+name+".", `{"type":"object"}`)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.servers[command] = s
	return s
}

func offer(s *sdk.Server, name, description, parameters string) {
	s.AddTool(&sdk.Tool{Name: name, Description: description, InputSchema: json.RawMessage(parameters)}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "said " + name}}}, nil
	})
}

// count returns how many clients were made, how many are open, and how often a command
// was started.
func (w *town) count(command string) (made, open, started int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.made, len(w.open), w.starts[command]
}

func (w *town) newClient(c Config, o Options) (client, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := &double{town: w, config: c, options: o, state: Idle}
	w.made++
	w.open[d] = true
	return d, nil
}

type double struct {
	town    *town
	config  Config
	options Options

	mu      sync.Mutex
	session *sdk.ClientSession
	listing *Listing
	state   State
	err     string
}

func (d *double) Connect(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.connect(ctx)
}

func (d *double) connect(ctx context.Context) error {
	if d.session != nil {
		return nil
	}
	d.town.mu.Lock()
	server := d.town.servers[d.config.Command]
	d.town.starts[d.config.Command]++
	d.town.mu.Unlock()
	if d.town.meeting != nil {
		d.town.meeting.Done()
		d.town.meeting.Wait()
	}
	if d.config.Command == "hangs" {
		<-ctx.Done()
		d.state, d.err = Starting, "it wrote: booting"
		return ctx.Err()
	}
	if server == nil {
		d.state, d.err = Failed, fmt.Sprintf("mcp server %s: it ended with status 1: %s is not set, %v", d.config.Name, "API_KEY", d.config.Args)
		return errors.New(d.err)
	}
	near, far := sdk.NewInMemoryTransports()
	if _, err := server.Connect(context.WithoutCancel(ctx), far, nil); err != nil {
		return err
	}
	c := sdk.NewClient(&sdk.Implementation{Name: "helve", Version: "1"}, &sdk.ClientOptions{ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {
		go d.again()
	}})
	session, err := c.Connect(context.WithoutCancel(ctx), near, nil)
	if err != nil {
		return err
	}
	d.session, d.state, d.err = session, Ready, ""
	return d.list(ctx)
}

func (d *double) list(ctx context.Context) error {
	l := Listing{Server: d.session.InitializeResult().ServerInfo.Name + " 1", Protocol: d.session.InitializeResult().ProtocolVersion}
	for t, err := range d.session.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		raw, err := json.Marshal(t)
		if err != nil {
			return err
		}
		l.Tools = append(l.Tools, raw)
	}
	d.listing = &l
	d.options.Listed(l)
	if known := d.options.Known; known != nil && len(known.Tools) != len(l.Tools) {
		go d.options.Changed()
	}
	return nil
}

// again lists after the server has told that its tools changed.
func (d *double) again() {
	d.mu.Lock()
	if d.state != Closed {
		_ = d.list(context.Background())
	}
	d.mu.Unlock()
	d.options.Changed()
}

// dies makes as if the server had ended.
func (d *double) dies(why string) {
	d.mu.Lock()
	d.state, d.err = Degraded, why
	d.mu.Unlock()
	d.options.Changed()
}

func (d *double) Tools(ctx context.Context) ([]tool.Tool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	listing := d.listing
	if listing == nil {
		listing = d.options.Known
	}
	if listing == nil {
		if err := d.connect(ctx); err != nil {
			return nil, err
		}
		listing = d.listing
	}
	var tools []tool.Tool
	for _, raw := range listing.Tools {
		t, err := readTool(d.config.Name, raw, defaultLimits)
		if err != nil || !d.config.wants(t.raw) || !d.options.Approve(t.raw, t.fingerprint) {
			continue
		}
		tools = append(tools, &doubleTool{d, t})
	}
	return tools, nil
}

type doubleTool struct {
	of   *double
	told listed
}

func (t *doubleTool) Definition() tool.Definition { return t.told.definition }

func (t *doubleTool) Call(ctx context.Context, _ tool.Call) (tool.Result, error) {
	t.of.mu.Lock()
	err := t.of.connect(ctx)
	var now listed
	for _, raw := range t.of.listing.Tools {
		if one, _ := readTool(t.of.config.Name, raw, defaultLimits); one.raw == t.told.raw {
			now = one
		}
	}
	t.of.mu.Unlock()
	if err != nil {
		return tool.Result{}, err
	}
	if !t.of.options.Approve(now.raw, now.fingerprint) {
		return tool.Result{}, &tool.Error{Kind: tool.KindPermissionDenied, Message: "The server has changed this tool."}
	}
	r, err := t.of.session.CallTool(ctx, &sdk.CallToolParams{Name: t.told.raw})
	if err != nil {
		return tool.Result{}, err
	}
	return tool.Text(r.Content[0].(*sdk.TextContent).Text), nil
}

func (d *double) Status() Status {
	d.mu.Lock()
	defer d.mu.Unlock()
	return Status{State: d.state, Err: d.err}
}

func (d *double) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.town.mu.Lock()
	delete(d.town.open, d)
	d.town.mu.Unlock()
	d.state = Closed
	if d.session == nil {
		return nil
	}
	return d.session.Close()
}

// one is the only open client of a command.
func (w *town) one(t *testing.T, command string) *double {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	var found []*double
	for d := range w.open {
		if d.config.Command == command {
			found = append(found, d)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d clients of %s are open", len(found), command)
	}
	return found[0]
}
