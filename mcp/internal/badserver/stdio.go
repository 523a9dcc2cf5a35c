package badserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

// What a program finds in its environment.
const (
	EnvFault  = "BADSERVER"        // the fault; it may be empty
	EnvRecord = "BADSERVER_RECORD" // [Record.Addr]; without it nothing is recorded
)

// Run is Main if the environment names a fault, and else does nothing. The TestMain of a
// package that starts servers calls it first.
func Run() {
	if words, ok := os.LookupEnv(EnvFault); ok {
		Main(words)
	}
}

// Main is the server as a program. It never returns. It ends a minute after it began at
// the latest, and when its record is closed: no test leaves it behind.
func Main(words string) {
	f := parse(words)
	time.AfterFunc(time.Minute, func() { os.Exit(7) })
	tell := connect(os.Getenv(EnvRecord))
	tell(fmt.Sprintf("pid %d", os.Getpid()))
	if f.has("ignore-term") || f.has("orphan") {
		signal.Ignore(syscall.SIGTERM)
	}
	switch {
	case f.has("exit"):
		fmt.Fprintln(os.Stderr, "Error: API_KEY not set")
		os.Exit(1)
	case f.has("never-reads"):
		forever()
	case f.has("orphan"):
		leftBehind()
	case f.has("stderr-flood"):
		for i := range 80_000 {
			fmt.Fprintf(os.Stderr, "line %d %s\n", i, strings.Repeat(".", 90))
		}
	case f.has("grandchild"):
		leaveBehind()
	}
	p := &program{server: newServer(f, tell)}
	p.serve(os.Stdin)
	if f.has("ignore-eof") {
		forever()
	}
	os.Exit(0)
}

// forever waits for the end of the process.
func forever() { <-make(chan struct{}) }

// connect keeps a connection to the record for as long as the process lives.
func connect(addr string) func(string) {
	if addr == "" {
		return func(string) {}
	}
	c, err := net.Dial("tcp", addr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "badserver: no record:", err)
		os.Exit(9)
	}
	go func() {
		_, _ = io.Copy(io.Discard, c) // the record never writes: this ends with it
		os.Exit(8)
	}()
	var mu sync.Mutex
	return func(event string) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = fmt.Fprintln(c, event) // when the record is gone, so are we
	}
}

// leaveBehind starts a process that has our standard output, and outlives us. It is in
// the record when leaveBehind returns.
func leaveBehind() {
	ready, said, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	defer ready.Close()
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), EnvFault+"=orphan")
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	child.ExtraFiles = []*os.File{said}
	if err := child.Start(); err != nil {
		panic(err)
	}
	said.Close()
	_, _ = io.Copy(io.Discard, ready) // until the child closed it
}

// leftBehind is the end of that process's beginning.
func leftBehind() {
	os.NewFile(3, "said").Close()
	forever()
}

// program is the server on standard input and output.
type program struct {
	server *Server
	mu     sync.Mutex // of standard output
}

func (p *program) serve(in io.Reader) {
	s := p.server.newSession(p.write, p.exit)
	s.program = true
	p.stray("Starting server ...\n\nlistening on stdio\n{ \"pretty\": \"but no message\n")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			p.read(ctx, s, line)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				fmt.Fprintln(os.Stderr, "badserver:", err)
			}
			return
		}
	}
}

// read handles a line. Requests run beside each other; the rest keeps its order.
func (p *program) read(ctx context.Context, s *session, line []byte) {
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		p.write(encode(message{JSONRPC: "2.0", ID: raw("null"), Error: failure(-32700, err.Error())}))
		return
	}
	if m.isRequest() {
		go s.begin(ctx, m, p.write)()
		return
	}
	s.take(m)
}

func (p *program) write(data raw) {
	p.stray("DEBUG: about to answer\n[1, 2\n")
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = os.Stdout.Write(append(data, '\n')) // nobody reads: our input will end too
}

// stray prints what is no message, if there is a banner.
func (p *program) stray(text string) {
	if !p.server.fault.has("banner") {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = os.Stdout.WriteString(text)
}

func (p *program) exit(why string) {
	fmt.Fprintln(os.Stderr, why)
	os.Exit(3)
}
