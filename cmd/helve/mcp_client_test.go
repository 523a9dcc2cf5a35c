package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"
)

// mcpAsk is an MCP client for scripts: mcpask [-token TOKEN] [-origin ORIGIN] [-answer
// ACTION] [-protocol VERSION] STEPS {URL | COMMAND ARG...}. It connects, by the SDK that
// helve did not write, and does what the lines of the file STEPS say:
//
//	list               prints the names of the tools
//	call NAME JSON     calls a tool and prints what it answers
//	copy FROM TO       copies a file
//	remove FILE        removes one
//	prompt NAME JSON   prints the texts of a prompt
//	read URI           prints the text of a resource
//	watch URI          subscribes to one
//	updated URI        waits until a notification says that it has changed
//	await NAME         waits until a notification brings a tool or a prompt of that name
//	gone NAME          waits until one has taken it away
//	begin NAME JSON    calls a tool and does not wait
//	file NAME          waits until there is a file
//	end                waits for what begin began
//	stop               sends the server the signal that ends it
func mcpAsk() {
	token := flag.String("token", "", "sent to a URL")
	origin := flag.String("origin", "", "sent to a URL")
	answer := flag.String("answer", "", "to every question; none is for a client that can't be asked")
	protocol := flag.String("protocol", "", "the version to speak")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := &asker{changed: make(chan struct{}, 100), updated: make(chan string, 100), answers: make(chan string)}
	options := &sdk.ClientOptions{
		ToolListChangedHandler:   func(context.Context, *sdk.ToolListChangedRequest) { c.changed <- struct{}{} },
		PromptListChangedHandler: func(context.Context, *sdk.PromptListChangedRequest) { c.changed <- struct{}{} },
		ResourceUpdatedHandler:   func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { c.updated <- r.Params.URI },
	}
	if *answer != "" {
		options.ElicitationHandler = func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			fmt.Printf("asked: %q\n", r.Params.Message)
			return &sdk.ElicitResult{Action: *answer, Content: map[string]any{"n": 2}}, nil
		}
	}
	var transport sdk.Transport
	if target := flag.Arg(1); strings.HasPrefix(target, "http://") {
		transport = &sdk.StreamableClientTransport{Endpoint: target, HTTPClient: &http.Client{Transport: headers{"Authorization": *token, "Origin": *origin}}}
	} else {
		c.cmd = exec.Command(target, flag.Args()[2:]...)
		c.cmd.Stderr = os.Stderr
		transport = &sdk.CommandTransport{Command: c.cmd}
	}
	if err := c.play(ctx, transport, options, *protocol); err != nil {
		fmt.Fprintln(os.Stderr, "mcpask:", err)
		os.Exit(1)
	}
	if c.cmd != nil && c.cmd.ProcessState.ExitCode() != 0 {
		fmt.Fprintln(os.Stderr, "mcpask: the server exited", c.cmd.ProcessState)
		os.Exit(1)
	}
}

// headers are added to every request.
type headers map[string]string

func (h headers) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range h {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}

type asker struct {
	cmd     *exec.Cmd
	session *sdk.ClientSession
	changed chan struct{}
	updated chan string
	answers chan string
}

func (c *asker) play(ctx context.Context, transport sdk.Transport, options *sdk.ClientOptions, protocol string) error {
	steps, err := os.ReadFile(flag.Arg(0))
	if err != nil {
		return err
	}
	c.session, err = sdk.NewClient(&sdk.Implementation{Name: "mcpask"}, options).Connect(ctx, transport, &sdk.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(steps)) {
		if err := c.step(ctx, strings.TrimSpace(line)); err != nil {
			return fmt.Errorf("%s: %w", strings.TrimSpace(line), err)
		}
	}
	err = c.session.Close()
	if c.cmd != nil && c.cmd.ProcessState != nil {
		return nil // its exit code says it
	}
	return err
}

func (c *asker) step(ctx context.Context, line string) error {
	what, rest, _ := strings.Cut(line, " ")
	name, more, _ := strings.Cut(rest, " ")
	switch what {
	case "list":
		names, err := c.list(ctx)
		fmt.Println(strings.Join(names, " "))
		return err
	case "call":
		fmt.Println(c.call(ctx, name, more))
		return nil
	case "prompt":
		return c.prompt(ctx, name, more)
	case "read":
		result, err := c.session.ReadResource(ctx, &sdk.ReadResourceParams{URI: name})
		if err != nil {
			fmt.Println("failed:", err)
			return nil
		}
		fmt.Println(result.Contents[0].MIMEType, result.Contents[0].Text)
		return nil
	case "watch":
		return c.session.Subscribe(ctx, &sdk.SubscribeParams{URI: name})
	case "updated":
		for {
			select {
			case uri := <-c.updated:
				if uri == name {
					return nil
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	case "begin":
		go func() { c.answers <- c.call(ctx, name, more) }()
		return nil
	case "end":
		fmt.Println(<-c.answers)
		return nil
	case "file":
		return awaitFile(ctx, name)
	case "stop":
		return c.cmd.Process.Signal(syscall.SIGTERM)
	case "copy":
		data, err := os.ReadFile(name)
		return errors.Join(err, os.WriteFile(more, data, 0o644))
	case "remove":
		return os.Remove(name)
	case "await", "gone":
		for {
			select {
			case <-c.changed:
			case <-ctx.Done():
				return ctx.Err()
			}
			names, err := c.list(ctx)
			for p, promptsErr := range c.session.Prompts(ctx, nil) {
				if promptsErr != nil {
					return promptsErr
				}
				names = append(names, p.Name)
			}
			if err != nil || slices.Contains(names, name) == (what == "await") {
				return err
			}
		}
	}
	return errors.New("no such step")
}

func (c *asker) prompt(ctx context.Context, name, arguments string) error {
	params := &sdk.GetPromptParams{Name: name}
	if err := json.Unmarshal([]byte(arguments), &params.Arguments); err != nil {
		return err
	}
	result, err := c.session.GetPrompt(ctx, params)
	if err != nil {
		fmt.Println("failed:", err)
		return nil
	}
	for _, m := range result.Messages {
		switch content := m.Content.(type) {
		case *sdk.TextContent:
			fmt.Printf("%s: %s\n", m.Role, content.Text)
		case *sdk.EmbeddedResource:
			fmt.Printf("%s: %s is %s\n", m.Role, content.Resource.URI, content.Resource.Text)
		}
	}
	return nil
}

func (c *asker) list(ctx context.Context) (names []string, err error) {
	for t, err := range c.session.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		names = append(names, t.Name)
	}
	return names, nil
}

func (c *asker) call(ctx context.Context, name, arguments string) string {
	result, err := c.session.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		return "failed: " + err.Error()
	}
	var b strings.Builder
	if result.IsError {
		b.WriteString("error: ")
	}
	for _, part := range result.Content {
		if text, ok := part.(*sdk.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}

// served is a server that a script has started.
type served struct {
	cmd   *exec.Cmd
	stops chan struct{} // it has said that it ends
	ended chan struct{} // its standard error is over
	said  strings.Builder
}

// serves starts helve mcp --http, whose address is in $MCP_URL from then on: serves ARG...
func serves(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: serves ARG...")
	}
	s := ts.Value(servedKey{}).(*served)
	s.cmd = exec.Command("helve", append([]string{"mcp", "--http", "127.0.0.1:0"}, args...)...)
	s.stops, s.ended = make(chan struct{}), make(chan struct{})
	s.cmd.Dir = ts.MkAbs(".")
	s.cmd.Env = append(os.Environ(), "OPENAI_API_KEY=")
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "HELVE_MCP_TOKEN"} {
		s.cmd.Env = append(s.cmd.Env, name+"="+ts.Getenv(name))
	}
	stderr, err := s.cmd.StderrPipe()
	ts.Check(err)
	ts.Check(s.cmd.Start())
	ts.Defer(func() { _ = s.cmd.Process.Kill() })
	address := make(chan string, 1)
	go func() {
		defer close(s.ended)
		defer close(address)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			s.said.WriteString(lines.Text() + "\n")
			if _, url, ok := strings.Cut(lines.Text(), " at http://"); ok {
				address <- "http://" + url
			}
			if strings.HasPrefix(lines.Text(), "helve: ending") {
				close(s.stops)
			}
		}
	}()
	url, ok := <-address
	if !ok {
		ts.Fatalf("helve mcp --http %v serves nothing:\n%s", args, s.said.String())
	}
	ts.Setenv("MCP_URL", url)
	ts.Setenv("MCP_ADDRESS", strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp"))
}

type servedKey struct{}

// setUp gives a script what its commands keep.
func setUp(e *testscript.Env) error {
	e.Values[servedKey{}] = &served{}
	examples, err := filepath.Abs("../../examples")
	e.Setenv("EXAMPLES", examples)
	return err
}

// stops ends what serves has started, as one who closes a service does, and waits for its
// end. What it wrote to standard error is in the file served afterwards. "stops soon" only
// waits until it has said that it ends, and "stops now" waits for the end after that.
func stops(ts *testscript.TestScript, neg bool, args []string) {
	when := strings.Join(args, " ")
	if neg || when != "" && when != "soon" && when != "now" {
		ts.Fatalf("usage: stops [soon|now]")
	}
	s := ts.Value(servedKey{}).(*served)
	if when != "now" {
		ts.Check(s.cmd.Process.Signal(syscall.SIGTERM))
	}
	if when == "soon" {
		<-s.stops
		return
	}
	<-s.ended
	if err := s.cmd.Wait(); err != nil {
		ts.Fatalf("helve mcp --http: %v\n%s", err, s.said.String())
	}
	ts.Check(os.WriteFile(ts.MkAbs("served"), []byte(s.said.String()), 0o644))
}
