package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"helve/catalog"
	"helve/executor"
	"helve/mcp/serve"
	"helve/mcp/serve/library"
	"helve/tool"
)

// serve serves the tools of the workspace to MCP clients, until its client leaves or the
// program is interrupted, which is how a server ends.
func (a *app) serve(ctx context.Context, how serveFlags) error {
	a.serving = true
	var stdout *os.File
	if how.address == "" {
		var err error
		if stdout, err = serve.Guard(); err != nil { // before anything could be written there
			return err
		}
	}
	collectLess()
	listening, err := a.listen(how) // before the servers of the workspace are waited for
	if err != nil {
		return err
	}
	h, err := a.host(ctx)
	if err != nil {
		return err
	}
	defer h.close()
	if listening != nil {
		return listening.serve(ctx, h)
	}
	if isTerminal(os.Stdin) {
		fmt.Fprintf(a.std.err, "helve: serving %s to an MCP client, which writes JSON here; Ctrl-D ends\n  \"helve mcp config claude\" (or cursor, vscode) prints what a client must be told to start it\n", counted(h.tools(), "tool"))
	}
	err = h.server.ServeStdio(ctx, os.Stdin, stdout)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// Bounds of the collector while tools are served. Of each message the protocol's library
// makes some 300 KB of garbage, and with the few MB that live here Go would collect after
// every dozen calls: so four times more may pile up, which is three times as many calls
// (reference, section 6), until memory is really needed.
const (
	collectPercent = 400
	collectAbove   = 2 << 30 // bytes
)

// collectLess sets them, where the user has not.
func collectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(collectAbove)
	}
}

// host is a server and the workspace that it serves.
type host struct {
	app    *app
	server *serve.Server
	live   *catalog.Live    // nil where changes don't count
	files  *library.Watcher // of resources; nil as well

	stop      context.CancelFunc // ends following
	following sync.WaitGroup
	ending    sync.WaitGroup // offers that are over, with calls that still run

	agent string // whose tools are served; "" for all. Only offer uses it

	mu  sync.Mutex
	now *offer
}

// offer is a workspace as it is served until it changes.
type offer struct {
	executor *executor.Executor
	tools    int
	calls    sync.WaitGroup // that run
	giveBack func()

	mu   sync.Mutex
	over bool
}

func (a *app) host(ctx context.Context) (*host, error) {
	h := &host{app: a, server: serve.New(serve.Options{Version: version(), Log: a.logger()})}
	ctx = context.WithoutCancel(ctx) // who interrupts the program wants what runs to end first
	following, stop := context.WithCancel(ctx)
	h.stop = stop
	c, giveBack := a.catalog, func() {}
	changed := make(chan struct{}, 1)
	var err error
	if a.watch {
		tell := func(*catalog.Catalog) {
			select {
			case changed <- struct{}{}:
			default:
			}
		}
		if h.live, err = a.liveWorkspace(ctx, tell); err == nil {
			c, giveBack = h.live.Use()
			h.files, err = library.Watch(h.server.ResourceUpdated, a.logger())
		}
	} else {
		c, err = a.workspace(ctx)
	}
	if err == nil {
		err = h.offer(ctx, c, giveBack)
	}
	if err != nil {
		h.close()
		return nil, err
	}
	h.following.Go(func() { h.follow(following, changed) })
	return h, nil
}

// follow serves the workspace as it changes. Where it can't be served, it stays as it was.
func (h *host) follow(ctx context.Context, changed <-chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
		c, giveBack := h.live.Use()
		h.app.tellProblems(c)
		if err := h.offer(ctx, c, giveBack); err != nil {
			giveBack()
			fmt.Fprintf(h.app.std.err, "helve: the workspace changed, and what is served stays as it was: %s\n", printable(err.Error()))
		}
	}
}

// offer serves c from now on, which giveBack gives back once its last call has ended.
func (h *host) offer(ctx context.Context, c *catalog.Catalog, giveBack func()) error {
	next := &offer{giveBack: giveBack}
	spec, err := h.app.servedAgent(c)
	if err != nil {
		return err
	}
	config, rt, err := h.app.served(ctx, c, spec)
	if err != nil {
		return err
	}
	config.Middleware = append([]executor.Middleware{h.count(next)}, config.Middleware...)
	next.tools = len(config.Tools.Tools())
	next.executor = executor.New(h.app.telemetry.Executor(config))
	content := serve.Content{Executor: next.executor, Tools: config.Tools.Tools(), Runtime: rt}
	content.Prompts, content.Resources = library.Of(c)
	if err := h.server.Set(content); err != nil {
		fmt.Fprintf(h.app.std.err, "helve: warning: %s\n", printable(err.Error()))
	}
	if h.files != nil {
		h.files.Follow(c)
	}
	h.tellAgent(spec.Name)
	h.mu.Lock()
	last := h.now
	h.now = next
	h.mu.Unlock()
	if last != nil {
		h.ending.Go(last.end)
	}
	return nil
}

// servedAgent is the agent whose tools clients see.
func (a *app) servedAgent(c *catalog.Catalog) (*catalog.Agent, error) {
	if a.allTools {
		return a.agentNamed(c, "")
	}
	return a.chosen(c)
}

// tellAgent says whose tools are served, where that is not what it was.
func (h *host) tellAgent(name string) {
	if name == h.agent {
		return
	}
	h.agent = name
	if name == "" {
		fmt.Fprintln(h.app.std.err, "helve: all tools are served now, and no longer those of an agent")
		return
	}
	fmt.Fprintf(h.app.std.err, "helve: the tools are those of the agent %s; --all-tools serves all\n", visible(name))
}

// served is what runs the tools that clients see, which are those of spec.
func (a *app) served(ctx context.Context, c *catalog.Catalog, spec *catalog.Agent) (executor.Config, *tool.Runtime, error) {
	var none executor.Config
	settings, err := c.Settings()
	if err != nil {
		return none, nil, usage("%w", err)
	}
	if _, err := a.watcher(ctx, settings); err != nil {
		return none, nil, err
	}
	config := spec.Executor(a.telemetry.Ask(a.unlessInstead(spec, a.askClient)))
	if config.Tools, err = a.allowed(spec.Tools); err != nil {
		return none, nil, err
	}
	config.Timeout = cmp.Or(a.timeout, config.Timeout, settings.Timeout)
	config.Logger = a.logger()
	db, err := a.database(ctx, c, false)
	if err != nil {
		return none, nil, err
	}
	rt := &tool.Runtime{}
	if db != nil {
		rt.Store = db.Tools()
	}
	return config, rt, nil
}

// mostAsked is how many bytes of a call a client's person is asked about: a question may
// have 16 KiB.
const mostAsked = 15 << 10

// askClient asks the person at the client whether a call may run. Where that can't be, it
// says what the one who runs the server can do: the model is all that speaks with them.
func (a *app) askClient(ctx context.Context, call tool.Call, _ tool.Definition) (bool, error) {
	if a.approved(call.Name) {
		return true, nil
	}
	name := visible(call.Name)
	question := fmt.Sprintf("May %s run with these arguments?\n%s", name, wholly(call.Arguments))
	if len(question) > mostAsked {
		return false, notAsked(name, fmt.Sprintf("its arguments have more than the %d KiB that a person is shown", mostAsked>>10))
	}
	answers, err := tool.RuntimeFrom(ctx).Ask(ctx, tool.Form{Name: "approve", Message: question})
	switch {
	case errors.Is(err, tool.ErrNobody):
		return false, notAsked(name, "this MCP client can't ask one (it does not support elicitation)")
	case err != nil:
		return false, err
	}
	return answers[0].Action == tool.Accept, nil
}

// notAsked refuses a call that no person was asked about. It is the tool's error in every
// version of the protocol, so it holds no error of the connection.
func notAsked(name, why string) error {
	return &tool.Error{Kind: tool.KindDenied, Message: fmt.Sprintf("The call needs the approval of a person, and %s. Whoever runs the server can allow the tool without a question: helve mcp --approve %s", why, name)}
}

var errEnding = &tool.Error{Kind: tool.KindUnavailable, Message: "The server is being stopped."}

// count keeps an offer's tools until its calls have ended. A call that comes when the
// offer is over already is one of what took its place.
func (h *host) count(o *offer) executor.Middleware {
	return func(next executor.Handler) executor.Handler {
		return func(ctx context.Context, req executor.Request) (tool.Result, error) {
			if o.begin() {
				defer o.calls.Done()
				return next(ctx, req)
			}
			h.mu.Lock()
			now := h.now
			h.mu.Unlock()
			if now == o {
				return tool.Result{}, errEnding
			}
			r := now.executor.Execute(ctx, []tool.Call{req.Call})[0]
			if r.Err != nil {
				return tool.Result{}, r.Err
			}
			return r.Output, nil
		}
	}
}

func (o *offer) begin() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.over {
		o.calls.Add(1)
	}
	return !o.over
}

// wait lets no further call begin, and waits for those that run.
func (o *offer) wait() {
	o.mu.Lock()
	o.over = true
	o.mu.Unlock()
	o.calls.Wait()
}

// end gives the tools back, after the calls that run.
func (o *offer) end() {
	o.wait()
	o.giveBack()
}

func (h *host) tools() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now.tools
}

// drain lets no further call begin, and waits for those that run and until they are
// answered, but not for longer than most.
func (h *host) drain(most time.Duration, answered func()) {
	h.stop()
	h.following.Wait()
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		h.now.wait()
		h.ending.Wait()
		answered()
	}()
	select {
	case <-drained:
	case <-time.After(most):
	}
}

// close ends the connections and the calls that still run, and gives all tools back.
func (h *host) close() {
	h.stop()
	h.following.Wait()
	if h.files != nil {
		_ = h.files.Close()
	}
	_ = h.server.Close() // what goes wrong with a connection is its client's affair
	if h.now != nil {
		h.now.end()
	}
	h.ending.Wait()
	if h.live != nil {
		h.live.Close()
	}
}
