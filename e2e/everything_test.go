package e2e

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"helve/mcp"
	"helve/tool"
)

// over are the ways to reach server-everything.
var over = map[string]func(t *testing.T) *everything{
	"stdio": func(t *testing.T) *everything {
		e := &everything{t: t, mark: newMark()}
		e.config = mcp.Config{Name: "everything", Command: node(t), Args: []string{npmServer(t, "everything"), "stdio"}}
		e.config.Env = map[string]mcp.Secret{markName: mcp.Secret(e.mark)}
		e.restart = func() { e.mark.kill(t) } // the client starts it again
		return e
	},
	"HTTP": func(t *testing.T) *everything { return overHTTP(t, "streamableHttp", "/mcp") },
	"SSE":  func(t *testing.T) *everything { return overHTTP(t, "sse", "/sse") },
}

// everything is a server-everything of one test's own, and a client of it.
type everything struct {
	t       *testing.T
	mark    mark
	config  mcp.Config
	restart func() // ends the server without a word, and lets another take its place
	client  *mcp.Client
}

// overHTTP starts the server. Its kind is found out by the client.
func overHTTP(t *testing.T, kind, path string) *everything {
	e := &everything{t: t, mark: newMark()}
	port := freePort(t)
	server := e.listen(kind, port)
	e.restart = func() {
		server.end()
		server = e.listen(kind, port)
	}
	t.Cleanup(func() { server.end() })
	e.config = mcp.Config{Name: "everything", URL: "http://127.0.0.1:" + port + path}
	return e
}

// process is a server that listens.
type process struct {
	command *exec.Cmd
	output  sync.WaitGroup
}

func (e *everything) listen(kind, port string) *process {
	e.t.Helper()
	p := &process{command: exec.Command(node(e.t), npmServer(e.t, "everything"), kind)}
	p.command.Env = append(os.Environ(), "PORT="+port, markName+"="+string(e.mark))
	read, write, err := os.Pipe()
	if err != nil {
		e.t.Fatal(err)
	}
	p.command.Stdout, p.command.Stderr = write, write
	err = p.command.Start()
	write.Close()
	if err != nil {
		e.t.Fatal(err)
	}
	ready := make(chan bool, 1)
	p.output.Go(func() {
		defer read.Close()
		defer close(ready)
		for lines := bufio.NewScanner(read); lines.Scan(); {
			if strings.HasSuffix(lines.Text(), " on port "+port) {
				ready <- true
			}
		}
	})
	if !<-ready {
		p.end()
		e.t.Fatalf("server-everything %s did not start on port %s", kind, port)
	}
	return p
}

func (p *process) end() {
	_ = p.command.Process.Kill() // it may be over
	_ = p.command.Wait()
	p.output.Wait()
}

// freePort is one that was free a moment ago.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
}

// connect makes the client, whose host can answer all that a server may ask.
func (e *everything) connect() *everything {
	e.t.Helper()
	e.config.Sampling = mcp.Ask
	client, err := mcp.New(e.config, mcp.Options{Elicitation: true, Sampling: true})
	if err != nil {
		e.t.Fatal(err)
	}
	e.client = client
	e.t.Cleanup(func() { client.Close() })
	return e
}

// tools are the server's, by its own names.
func (e *everything) tools() map[string]tool.Tool {
	e.t.Helper()
	return toolsOf(e.t, e.client, e.config.Name)
}

func toolsOf(t *testing.T, client *mcp.Client, server string) map[string]tool.Tool {
	t.Helper()
	all, err := client.Tools(within(t))
	if err != nil {
		t.Fatal(err)
	}
	tools := map[string]tool.Tool{}
	for _, one := range all {
		tools[strings.TrimPrefix(one.Definition().Name, server+"__")] = one
	}
	return tools
}

// call calls a tool of the server for a host; nil is one that hears and answers nothing.
func (e *everything) call(ctx context.Context, rt *tool.Runtime, name, arguments string) (tool.Result, error) {
	e.t.Helper()
	one := e.tools()[name]
	if one == nil {
		e.t.Fatalf("the server has no tool %s", name)
	}
	if rt != nil {
		ctx = tool.WithRuntime(ctx, rt)
	}
	return one.Call(ctx, tool.Call{ID: "call-1", Name: one.Definition().Name, Arguments: []byte(arguments)})
}

// echoes checks that the server works.
func (e *everything) echoes() {
	e.t.Helper()
	result, err := e.call(within(e.t), nil, "echo", `{"message":"hi, 世界"}`)
	if err != nil {
		e.t.Error(whole(err))
	} else if got := result.Text(); got != "Echo: hi, 世界" {
		e.t.Errorf("echo: %q", got)
	}
}

// within bounds what a test waits for.
func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// whole is an error with what only the host's log gets.
func whole(err error) string {
	if e := tool.AsError(err); e != nil && e.Err != nil {
		return fmt.Sprintf("%s (%v)", e.Message, e.Err)
	}
	return err.Error()
}
