package badserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"helve/mcp/internal/badserver"
)

// program is a badserver that a test talks to line by line.
type program struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer // to be read after end
	record *badserver.Record
	last   int
}

// command returns the server as a program that was not started.
func command(t *testing.T, fault string, record *badserver.Record) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	// The race detector would make each program wait a second before it ends.
	cmd.Env = append(os.Environ(), badserver.EnvFault+"="+fault, badserver.EnvRecord+"="+record.Addr(), "GORACE=atexit_sleep_ms=0")
	return cmd
}

func newRecord(t *testing.T) *badserver.Record {
	t.Helper()
	r, err := badserver.NewRecord()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func start(t *testing.T, fault string) *program {
	t.Helper()
	p := &program{t: t, record: newRecord(t)}
	p.cmd = command(t, fault, p.record)
	p.cmd.Stderr = &p.stderr
	p.cmd.WaitDelay = 10 * time.Second
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it may be over
		_ = p.cmd.Wait()
	})
	return p
}

func (p *program) send(method, params string) {
	p.last++
	fmt.Fprintf(p.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", p.last, method, params)
}

func (p *program) notify(method, params string) {
	fmt.Fprintf(p.in, `{"jsonrpc":"2.0","method":%q,"params":%s}`+"\n", method, params)
}

// line returns the next line of the program, "" at the end.
func (p *program) line() string {
	line, _ := p.out.ReadString('\n')
	return strings.TrimSpace(line)
}

// ask sends a request and returns the line after it.
func (p *program) ask(method, params string) string {
	p.send(method, params)
	return p.line()
}

func (p *program) hello() string {
	answer := p.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	p.notify("notifications/initialized", `{}`)
	return answer
}

// call calls a tool and returns the line after that.
func (p *program) call(name, arguments string) string {
	return p.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments))
}

// end waits for the program to end by itself and returns its status.
func (p *program) end() int {
	_, _ = io.Copy(io.Discard, p.out)
	_ = p.cmd.Wait() // the status tells
	return p.cmd.ProcessState.ExitCode()
}

func short(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func want(t *testing.T, got string, fragments ...string) {
	t.Helper()
	for _, f := range fragments {
		if !strings.Contains(got, f) {
			t.Errorf("%q is not in %.500q", f, got)
		}
	}
}

func TestWellBehaved(t *testing.T) {
	t.Parallel()
	p := start(t, "")
	want(t, p.hello(), `"protocolVersion":"2025-11-25"`, `"id":1`)
	want(t, p.ask("ping", `{}`), `"result":{}`)
	want(t, p.ask("no/such", `{}`), `"code":-32601`)
	want(t, p.ask("tools/list", `{}`), `"name":"echo"`, `"taskSupport":"required"`)
	want(t, p.call("echo", `{"text":"<ok>"}`), `"text":"<ok>"`)
	want(t, p.call("counter", `{}`), `"text":"1"`)
	want(t, p.call("counter", `{}`), `"text":"2"`)
	want(t, p.call("nobody", `{}`), `unknown tool: nobody`)
	want(t, p.call("structured", `{}`), `12345678901234567890`)
	p.in.Close()
	if status := p.end(); status != 0 {
		t.Errorf("status %d: %s", status, p.stderr.String())
	}
	if err := p.record.Gone(short(t)); err != nil {
		t.Error(err)
	}
	if n := p.record.Count("ran counter"); n != 2 {
		t.Errorf("counter ran %d times", n)
	}
}

func TestEveryListIsJSON(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"duplicate-names", "odd-names", "schema-null", "schema-true", "schema-array", "schema-recursive", "schema-huge", "schema-missing", "description-huge", "tools-5000", "endless-pages", "repeating-cursor"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			p := start(t, fault)
			var answer struct {
				Result struct {
					Tools []struct {
						Name        *string
						Description string
						InputSchema json.RawMessage
					}
					NextCursor string
				}
			}
			if line := p.ask("tools/list", `{}`); json.Unmarshal([]byte(line), &answer) != nil || len(answer.Result.Tools) == 0 {
				t.Fatalf("no list: %.300s", line)
			}
			switch last := answer.Result.Tools[len(answer.Result.Tools)-1]; fault {
			case "schema-null", "schema-true":
				if "schema-"+string(last.InputSchema) != fault {
					t.Errorf("schema %s", last.InputSchema)
				}
			case "schema-huge":
				if len(last.InputSchema) < 200_000 {
					t.Errorf("%d bytes", len(last.InputSchema))
				}
			case "description-huge":
				if len(last.Description) < 1_000_000 {
					t.Errorf("%d bytes", len(last.Description))
				}
			case "endless-pages", "tools-5000", "repeating-cursor":
				if answer.Result.NextCursor == "" {
					t.Error("one page")
				}
			}
		})
	}
}

func TestFiveThousandToolsHaveAnEnd(t *testing.T) {
	t.Parallel()
	p := start(t, "tools-5000")
	all := 0
	for cursor := ""; ; {
		var answer struct {
			Result struct {
				Tools      []json.RawMessage
				NextCursor string
			}
		}
		if err := json.Unmarshal([]byte(p.ask("tools/list", fmt.Sprintf(`{"cursor":%q}`, cursor))), &answer); err != nil {
			t.Fatal(err)
		}
		all += len(answer.Result.Tools)
		if cursor = answer.Result.NextCursor; cursor == "" {
			break
		}
	}
	if all < 5000 {
		t.Errorf("%d tools", all)
	}
}

// Faults that one line or two show.
func TestFaultsOfTheWire(t *testing.T) {
	t.Parallel()
	tests := []struct {
		fault, method, params string
		lines                 []string // a fragment of each line in order
	}{
		{"banner", "ping", `{}`, []string{"Starting server", "", "listening", "{ \"pretty", "DEBUG", "[1, 2", `"result":{}`}},
		{"string-ids", "ping", `{}`, []string{`"id":"1"`}},
		{"wrong-jsonrpc", "ping", `{}`, []string{`"jsonrpc":"1.0"`}},
		{"unknown-id", "ping", `{}`, []string{`"id":987654321`, `"id":1`}},
		{"batch", "ping", `{}`, []string{`[{"jsonrpc"`}},
		{"flood", "ping", `{}`, []string{`drop 0`, `drop 1`}},
		{"list-error", "tools/list", `{}`, []string{"the other coat"}},
		{"rug-pull", "tools/list", `{}`, []string{"Returns its text.\"", "list_changed"}},
		{"", "server/discover", `{}`, []string{"-32601"}},
		{"discover", "server/discover", `{}`, []string{`"2026-07-28"`}},
		{"exit", "ping", `{}`, []string{""}},
		{"exit-on-discover", "server/discover", `{}`, []string{""}},
		{"", "tools/call", `{"name":"error","arguments":{}}`, []string{"the disk is on fire"}},
		{"", "tools/call", `{"name":"error_without_message","arguments":{}}`, []string{`"error":{"code":-32000}`}},
		{"", "tools/call", `{"name":"unknown_content","arguments":{}}`, []string{`"type":"hologram"`}},
		{"", "tools/call", `{"name":"die","arguments":{}}`, []string{""}},
		{"", "tools/call", `{"name":"kill","arguments":{}}`, []string{""}},
		{"", "tools/call", `{"name":"progress","arguments":{"steps":2},"_meta":{"progressToken":"p"}}`, []string{`"progress":1`, `"progress":2`, "all steps done"}},
		{"discover", "tools/call", `{"name":"elicit","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`, []string{`"input_required"`}},
		{"discover", "tools/call", `{"name":"nothing","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`, []string{`"result":{"resultType":"complete"}`}},
		{"discover", "subscriptions/listen", `{}`, []string{"notifications/subscriptions/acknowledged"}},
		{"", "tools/call", `{"name":"elicit"}`, []string{`"method":"elicitation/create"`}},
		{"", "tools/call", `{"name":"sample"}`, []string{`"method":"sampling/createMessage"`}},
		{"stderr-flood", "ping", `{}`, []string{`"result":{}`}},
	}
	for _, tt := range tests {
		t.Run(tt.fault+" "+tt.method, func(t *testing.T) {
			t.Parallel()
			p := start(t, tt.fault)
			p.send(tt.method, tt.params)
			for i, fragment := range tt.lines {
				line := p.line()
				if fragment == "" && line != "" {
					t.Errorf("line %d: %q, not the end", i, line)
				}
				want(t, line, fragment)
			}
		})
	}
}

func TestExitSaysWhy(t *testing.T) {
	t.Parallel()
	p := start(t, "exit")
	if status := p.end(); status != 1 {
		t.Errorf("status %d", status)
	}
	want(t, p.stderr.String(), "API_KEY not set")
}

func TestCancel(t *testing.T) {
	t.Parallel()
	p := start(t, "")
	p.send("tools/call", `{"name":"sleep"}`)
	p.notify("notifications/cancelled", `{"requestId":1}`)
	for _, event := range []string{"canceled", "woken"} {
		if err := p.record.Await(short(t), event, 1); err != nil {
			t.Error(err)
		}
	}
	want(t, p.ask("ping", `{}`), `"id":2`) // and no answer to the first
}

func TestBurstAfterTheStart(t *testing.T) {
	t.Parallel()
	p := start(t, "list-changed-burst")
	p.hello()
	for range 5 {
		want(t, p.line(), "list_changed")
	}
	want(t, p.ask("tools/list", `{}`), `"extra_5"`)
}

func TestElicitationIsAnswered(t *testing.T) {
	t.Parallel()
	p := start(t, "elicit-out-of-the-blue")
	p.hello()
	want(t, p.line(), "Out of the blue", `"id":"ask-1"`)
	fmt.Fprintln(p.in, `{"jsonrpc":"2.0","id":"ask-1","result":{"action":"decline"}}`)
	if err := p.record.Await(short(t), "answered decline", 1); err != nil {
		t.Error(err)
	}
}

func TestDieOnce(t *testing.T) {
	t.Parallel()
	file := fmt.Sprintf(`{"file":%q}`, filepath.Join(t.TempDir(), "died"))
	first := start(t, "")
	if line := first.call("die_once", file); line != "" {
		t.Errorf("it answered %s", line)
	}
	if status := first.end(); status != 3 {
		t.Errorf("status %d", status)
	}
	want(t, first.stderr.String(), "the disk is on fire")
	if n := first.record.Count("ran die_once"); n != 1 {
		t.Errorf("ran %d times", n)
	}
	want(t, start(t, "").call("die_once", file), "alive the second time")
}

// What does not end when it is asked to, ends when it is killed, or its record is closed.
func TestStubbornPrograms(t *testing.T) {
	t.Parallel()
	t.Run("ignore-eof", func(t *testing.T) {
		t.Parallel()
		p := start(t, "ignore-eof")
		p.hello()
		p.in.Close()
		stays(t, p)
	})
	t.Run("never-reads", func(t *testing.T) {
		t.Parallel()
		p := start(t, "never-reads")
		if err := p.record.Await(short(t), fmt.Sprintf("pid %d", p.cmd.Process.Pid), 1); err != nil {
			t.Fatal(err)
		}
		p.in.Close()
		stays(t, p)
	})
	t.Run("ignore-term", func(t *testing.T) {
		t.Parallel()
		p := start(t, "ignore-term")
		p.hello()
		if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		want(t, p.ask("ping", `{}`), "result")
	})
	t.Run("grandchild", func(t *testing.T) {
		t.Parallel()
		p := start(t, "grandchild")
		p.hello()
		p.in.Close()
		if _, err := p.cmd.Process.Wait(); err != nil {
			t.Fatal(err)
		}
		stays(t, p)
	})
}

// stays checks that something of p is there still, and ends with its record.
func stays(t *testing.T, p *program) {
	t.Helper()
	gone, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if p.record.Gone(gone) == nil {
		t.Error("nothing is left of it")
	}
	p.record.Close()
	_, _ = io.Copy(io.Discard, p.out) // until the last that holds it is gone
}

func TestUnknownWordPanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("a slip of the pen tests nothing")
		}
	}()
	badserver.Handler("bannner", newRecord(t))
}
