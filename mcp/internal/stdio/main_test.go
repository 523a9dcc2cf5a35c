//go:build linux

package stdio

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"helve/mcp/internal/asked"
)

// actAs is the variable that makes this test binary one of the programs below.
const actAs = "HELVE_STDIO_TEST"

// inheritedFiles are those that this process got from who started it.
var inheritedFiles map[string]string

func TestMain(m *testing.M) {
	if act := programs[os.Getenv(actAs)]; act != nil {
		act()
		os.Exit(0)
	}
	inheritedFiles = openFiles(os.Getpid())
	goleak.VerifyTestMain(m)
}

// programs are what an MCP server may be.
var programs = map[string]func(){
	"echo":    func() { echo(os.Stdin) },
	"session": session,
	"banner": func() {
		fmt.Println("\n  Welcome to the server!\n[info] ready\n{not json}\n{\"level\":\"info\",\"id\":1}\n[]\n[1,2]")
		in := bufio.NewReader(os.Stdin)
		for {
			line, err := in.ReadBytes('\n')
			if err != nil {
				return
			}
			fmt.Println("got a line")
			echo(bytes.NewReader(line))
			fmt.Println(strings.Repeat("noise ", 100_000))
		}
	},
	"dies": func() {
		fmt.Fprintln(os.Stderr, "starting\n\nAPI_KEY not set\npassword=hunter2")
		os.Exit(3)
	},
	"stubborn": func() {
		signal.Ignore(syscall.SIGTERM)
		ready()
		select {}
	},
	"terminated": func() { // as node: it ignores the end of its input
		ready()
		select {}
	},
	"large": func() { fmt.Println(answer(1, strings.Repeat("x", 17<<20))) },
	"too large": func() {
		fmt.Println(strings.Repeat("x", maxMessage+1<<20)) // is none, and does no harm
		fmt.Println(answer(1, "first"))
		fmt.Println(answer(2, strings.Repeat("x", maxMessage+1<<20)))
		select {}
	},
	"deaf": func() {
		listen := make(chan os.Signal, 1)
		signal.Notify(listen, syscall.SIGUSR1)
		ready()
		if something := []unix.PollFd{{Fd: 0, Events: unix.POLLIN}}; poll(something) {
			fmt.Println(answer(0, "something is to be read"))
		}
		<-listen
		echo(os.Stdin)
	},
	"half": func() {
		fmt.Print(answer(1, "whole"), "\n", answer(2, "half")[:20])
	},
	"unended": func() { fmt.Print(answer(1, "whole")) },
	"flood": func() {
		line := strings.Repeat("blah ", 50) + "\n"
		for range 20_000 {
			fmt.Fprint(os.Stderr, line)
		}
		fmt.Fprintln(os.Stderr, "the end")
		fmt.Println(answer(1, "done"))
	},
	"garbage": func() {
		fmt.Print("\xff\xfe\x00\x01\n\xc3\x28{\n{\"\xff\n")
		fmt.Print("\uFEFF" + answer(1, "a\xffb") + "\r\n")
	},
	"unreadable": func() {
		fmt.Println(`{"jsonrpc":"2.0","id":1,"error":"a text"}`)
		fmt.Println(`{"id":2,"result":{}}`)
		fmt.Println(`{"jsonrpc":"2.0","id":3,"result":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}`)
		fmt.Println(`[` + answer(4, "a") + `,17,` + answer(5, "b") + `]`)
	},
	"batches": func() {
		fmt.Println("[" + strings.Repeat(`{"jsonrpc":"2.0","method":"a"},`, maxBatch) + answer(1, "one too many") + "]")
		fmt.Println("[" + strings.Repeat(`{"jsonrpc":"2.0"},`, maxBatch-1) + answer(2, "as many as there may be") + "]")
	},
	"asks": func() {
		for i := range asked.Most + 2 {
			ask(i)
		}
		ask(asked.Most + 1) // it was refused, so its id is free
		echoErrors(os.Stdin)
	},
	"asks without end": func() {
		for i := 0; ; i++ {
			ask(i)
		}
	},
	"parent": func() { // what it starts holds its output open
		startChild(false)
		echo(os.Stdin)
		select {}
	},
	"leaves a child":         func() { startChild(false) },
	"leaves a child at work": func() { startChild(true) },
	"host":                   host,
}

// poll waits for the first of the files.
func poll(files []unix.PollFd) bool {
	for {
		if n, err := unix.Poll(files, -1); err != unix.EINTR {
			return n > 0
		}
	}
}

func ask(id int) { fmt.Printf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", id) }

// echoErrors says why it was refused what.
func echoErrors(in io.Reader) {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var refusal struct {
			ID    int
			Error struct{ Message string }
		}
		if json.Unmarshal(lines.Bytes(), &refusal) == nil {
			fmt.Println(answer(refusal.ID, refusal.Error.Message))
		}
	}
}

// echo answers each request of in with its parameters.
func echo(in io.Reader) {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var request struct{ ID, Params json.RawMessage }
		if json.Unmarshal(line, &request) == nil && request.ID != nil {
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", request.ID, request.Params)
		}
	}
}

func answer(id int, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"text":"%s"}}`, id, text)
}

// ready tells the test that what was to be set up is.
func ready() { fmt.Println(answer(0, "ready")) }

func startChild(setsid bool) {
	child := exec.Command("sleep", "1000")
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: setsid}
	if err := child.Start(); err != nil {
		panic(err)
	}
	fmt.Println(answer(child.Process.Pid, "child"))
}

// session is a whole MCP server.
func session() {
	server := sdk.NewServer(&sdk.Implementation{Name: "greeter", Version: "1"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "greet"}, func(_ context.Context, _ *sdk.CallToolRequest, in struct{ Name string }) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "Hello, " + in.Name + "!"}}}, nil, nil
	})
	fmt.Println("greeter 1 is listening on its standard input")
	if err := server.Run(context.Background(), &sdk.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// command returns the command that runs one of the programs.
func command(program string) Command {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return Command{
		Name: "tested", Path: self, Log: slog.New(slog.DiscardHandler),
		Env: Environment(map[string]string{actAs: program, "GORACE": "atexit_sleep_ms=0", "GOCOVERDIR": os.TempDir()}),
	}
}

// run starts a program and connects to it.
func run(t testing.TB, c Command) (*Process, sdk.Connection) {
	t.Helper()
	p, err := Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		noGroup(t, p)
	})
	conn, err := p.Transport().Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p, conn
}

// noGroup is what Close promises.
func noGroup(t testing.TB, p *Process) {
	t.Helper()
	if anyLeft(p.cmd.Process.Pid) {
		t.Errorf("of the group %d something is left", p.cmd.Process.Pid)
	}
}

// read wants an answer, and returns its text.
func read(t testing.TB, conn sdk.Connection) (id int64, text string) {
	t.Helper()
	message, err := conn.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	response, ok := message.(*jsonrpc.Response)
	if !ok {
		t.Fatalf("read %T", message)
	}
	id, _ = response.ID.Raw().(int64)
	if response.Error != nil {
		return id, response.Error.Error()
	}
	var result struct{ Text string }
	if err := json.Unmarshal(response.Result, &result); err != nil {
		t.Fatal(err)
	}
	return id, result.Text
}

func request(t testing.TB, id int, text string) *jsonrpc.Request {
	t.Helper()
	number, err := jsonrpc.MakeID(float64(id))
	if err != nil {
		t.Fatal(err)
	}
	params, err := json.Marshal(map[string]string{"text": text})
	if err != nil {
		t.Fatal(err)
	}
	return &jsonrpc.Request{ID: number, Method: "echo", Params: params}
}

// soon is the deadline of what is to fail by it.
func soon(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}
