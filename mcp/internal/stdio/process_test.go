//go:build linux

package stdio

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestSession(t *testing.T) {
	t.Parallel()
	p, err := Start(t.Context(), command("session"))
	if err != nil {
		t.Fatal(err)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil)
	session, err := client.Connect(t.Context(), p.Transport(), nil)
	if err != nil {
		t.Fatal(p.Explain(err))
	}
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "greet", Arguments: map[string]any{"Name": "Ada"}})
	if err != nil {
		t.Fatal(p.Explain(err))
	}
	if text := result.Content[0].(*sdk.TextContent).Text; text != "Hello, Ada!" {
		t.Errorf("the answer is %q", text)
	}
	if p.Stray() != 1 {
		t.Errorf("%d stray lines, want 1", p.Stray())
	}
	if _, err := client.Connect(t.Context(), p.Transport(), nil); err == nil {
		t.Error("a second session was made")
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	select {
	case <-p.Done():
	default:
		t.Error("the session is closed and the process runs")
	}
	noGroup(t, p)
}

func TestEndings(t *testing.T) {
	t.Parallel()
	cause := errors.New("it broke")
	for program, test := range map[string]struct {
		ready bool // wait until it is
		end   func(*Process)
		want  string
	}{
		"dies":       {want: "mcp server tested: it broke; the program ended: exit status 3; its standard error ends with:\nstarting\nAPI_KEY not set\n[redacted]"},
		"echo":       {end: func(p *Process) { p.Close() }, want: "mcp server tested: it broke"},
		"terminated": {ready: true, end: func(p *Process) { p.Close() }, want: "mcp server tested: it broke"},
		"stubborn":   {ready: true, end: func(p *Process) { p.Close() }, want: "mcp server tested: it broke"},
		"deaf": {
			ready: true, end: func(p *Process) { _ = syscall.Kill(p.cmd.Process.Pid, syscall.SIGKILL) },
			want: "mcp server tested: it broke; the program ended: signal: killed",
		},
	} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			p, conn := run(t, command(program))
			if test.ready {
				read(t, conn)
			}
			if test.end != nil {
				test.end(p)
			}
			if _, err := conn.Read(t.Context()); !errors.Is(err, io.EOF) {
				t.Errorf("read %v", err)
			}
			err := p.Explain(cause)
			if err.Error() != test.want || !errors.Is(err, cause) {
				t.Errorf("the error is %q, want %q", err, test.want)
			}
			<-p.Done()
		})
	}
	if err := new(Process).Explain(nil); err != nil {
		t.Error(err)
	}
}

// Nobody connected, and nobody closed it.
func TestExplainAfterItsEnd(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{"exit 0": "exit status 0", "kill -9 $$": "signal: killed"} {
		p, err := Start(t.Context(), Command{Name: "tested", Path: "/bin/sh", Args: []string{"-c", script}})
		if err != nil {
			t.Fatal(err)
		}
		<-p.Done()
		if err := p.Explain(io.EOF); err.Error() != "mcp server tested: EOF; the program ended: "+want {
			t.Error(err)
		}
		p.Close()
	}
}

// A server that runs ended nothing.
func TestExplainWhileItRuns(t *testing.T) {
	t.Parallel()
	p, conn := run(t, command("deaf"))
	read(t, conn)
	if err := p.Explain(context.DeadlineExceeded); err.Error() != "mcp server tested: context deadline exceeded" {
		t.Error(err)
	}
}

func TestCloseOftenAndAtOnce(t *testing.T) {
	t.Parallel()
	p, conn := run(t, command("echo"))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			noGroup(t, p)
		})
	}
	all.Wait()
	if err := conn.Write(t.Context(), request(t, 1, "")); !errors.Is(err, sdk.ErrConnectionClosed) {
		t.Errorf("writing after the end: %v", err)
	}
}

func TestNeverConnected(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for _, program := range []string{"session", "too large", "dies", "stubborn"} {
		all.Go(func() {
			p, err := Start(t.Context(), command(program))
			if err != nil {
				t.Error(err)
				return
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			noGroup(t, p)
		})
	}
	all.Wait()
}

// What was got rid of must not be waited for; what stays must not be called gone.
func TestAwaitNoGroup(t *testing.T) {
	t.Parallel()
	c := exec.Command("sleep", "1000")
	ownGroup(c)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if awaitNoGroup(c.Process.Pid, 10*time.Millisecond) {
		t.Error("it runs")
	}
	_ = c.Process.Kill()
	if !awaitNoGroup(c.Process.Pid, time.Hour) {
		t.Error("it is gone")
	}
	_ = c.Wait()
}

func TestWhatItStarted(t *testing.T) {
	t.Parallel()
	for program, survives := range map[string]bool{"parent": false, "leaves a child": false, "leaves a child at work": true} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			p, conn := run(t, command(program))
			child, _ := read(t, conn)
			if program == "parent" {
				p.Close()
			}
			if _, err := conn.Read(t.Context()); !errors.Is(err, io.EOF) {
				t.Errorf("read %v", err)
			}
			<-p.Done()
			p.Close()
			if !survives {
				return // run sees that nobody is left
			}
			if err := syscall.Kill(int(child), syscall.SIGKILL); err != nil {
				t.Errorf("the child %d: %v", child, err)
			}
		})
	}
}

func TestStartFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string, mode fs.FileMode) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return file
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	env := []string{"PATH=" + dir + "::."}
	for name, test := range map[string]struct {
		ctx  context.Context
		c    Command
		want string
		is   error
	}{
		"no program":     {c: Command{}, want: "set command"},
		"npx":            {c: Command{Path: "npx", Env: env}, want: `the program "npx" is not found in PATH: install Node.js, which brings it, or set command`, is: exec.ErrNotFound},
		"unknown":        {c: Command{Path: "serv", Env: env}, want: "install it, or", is: exec.ErrNotFound},
		"no PATH":        {c: Command{Path: "uvx"}, want: "which is empty: install uv", is: exec.ErrNotFound},
		"not executable": {c: Command{Path: write("data", "", 0o600)}, want: "data may not be run", is: fs.ErrPermission},
		"in PATH, not executable": {
			c: Command{Path: filepath.Base(write("plain", "", 0o600)), Env: env}, want: "is not found in PATH", is: exec.ErrNotFound,
		},
		"a path":         {c: Command{Path: "./server", Dir: dir}, want: filepath.Join(dir, "server") + " does not exist", is: fs.ErrNotExist},
		"no interpreter": {c: Command{Path: write("script", "#!/no/such/thing\n", 0o700)}, want: "the first line of", is: fs.ErrNotExist},
		"no first line":  {c: Command{Path: write("nothing", "print('hello')\n", 0o700)}, want: "#!/usr/bin/env", is: syscall.ENOEXEC},
		"no folder":      {c: Command{Path: "/bin/sh", Dir: filepath.Join(dir, "none")}, want: "none, which is no folder", is: fs.ErrNotExist},
		"a file":         {c: Command{Path: "/bin/sh", Dir: write("file", "", 0o600)}, want: "file, which is no folder", is: syscall.ENOTDIR},
		"too late":       {ctx: ended, c: Command{Path: "/bin/sh"}, want: "canceled", is: context.Canceled},
	} {
		ctx := test.ctx
		if ctx == nil {
			ctx = t.Context()
		}
		test.c.Name = "tested"
		p, err := Start(ctx, test.c)
		if err == nil {
			p.Close()
			t.Errorf("%s: it was started", name)
			continue
		}
		if !strings.HasPrefix(err.Error(), "mcp server tested: ") || !strings.Contains(err.Error(), test.want) || (test.is != nil && !errors.Is(err, test.is)) {
			t.Errorf("%s: %v; want %s", name, err, test.want)
		}
	}
}

// The program is looked up where the server would look, and gets no variable that was
// not given.
func TestEnvironmentOfTheServer(t *testing.T) {
	t.Parallel()
	script := []string{"-c", `echo "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":\"$HOME$A\"}}"`}
	for want, c := range map[string]Command{
		"":  {Path: "/bin/sh"},
		"1": {Path: "sh", Env: []string{"PATH=/nowhere", "PATH=/nowhere:/bin:/usr/bin", "A=1"}},
	} {
		c.Name, c.Args = "tested", script
		_, conn := run(t, c)
		if _, text := read(t, conn); text != want {
			t.Errorf("the variables are %q, want %q", text, want)
		}
	}
}

func TestStandardError(t *testing.T) {
	t.Parallel()
	c := command("flood")
	records := &counter{}
	c.Log = slog.New(records)
	p, conn := run(t, c)
	if _, text := read(t, conn); text != "done" {
		t.Errorf("the answer is %q", text)
	}
	<-p.Done()
	text := p.Explain(io.EOF).Error()
	if !strings.HasSuffix(text, "blah\nthe end") || strings.Count(text, "\n") != maxLines {
		t.Errorf("the error is %q", text)
	}
	if records.n != 20_001 {
		t.Errorf("%d lines are in the log", records.n)
	}
}

// counter counts what is logged by the process's one writer.
type counter struct{ n int }

func (*counter) Enabled(context.Context, slog.Level) bool        { return true }
func (c *counter) WithAttrs([]slog.Attr) slog.Handler            { return c }
func (c *counter) WithGroup(string) slog.Handler                 { return c }
func (c *counter) Handle(_ context.Context, _ slog.Record) error { c.n++; return nil }
