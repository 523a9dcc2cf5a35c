package stdio

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/internal/tail"
)

// Command says how to run a server.
type Command struct {
	Name string   // of the server, for errors and the log
	Path string   // a name is looked up in the PATH of Env, a path is relative to Dir
	Args []string // without the program's name
	Env  []string // the whole environment, see [Environment]
	Dir  string   // where it runs; "" is where this process does

	// Log gets what the server prints, at debug: lines of its standard error, and of its
	// standard output what is no message, without what looks like a secret. nil is
	// slog.Default().
	Log *slog.Logger

	// Mend rewrites each message from the server before the SDK reads it, also of a
	// batch; what it makes empty is left out. It may change data and must not keep it. nil
	// is none.
	Mend func(data []byte) []byte
}

const (
	grace   = 500 * time.Millisecond // to end by itself, after each request to
	maxTail = 64 << 10               // bytes of standard error that are kept
)

// Process is a server that runs, or did. It must be closed, also when it ended by
// itself. It is safe for concurrent use.
type Process struct {
	command   Command
	log       *slog.Logger
	cmd       *exec.Cmd
	in        *os.File // its standard input
	out       *os.File // its standard output
	stderr    *tail.Tail
	transport transport
	stray     atomic.Int64

	hung    chan struct{} // the connection is over
	why     error         // it is, where the server did more than to end; valid after hung
	hangs   sync.Once
	asked   atomic.Bool   // because we closed it
	closing chan struct{} // Close was called
	done    chan struct{} // it was waited for
	gone    chan struct{} // and nothing of its group is left, or ever will go
	left    bool          // something is; valid after gone
	closes  sync.Once
	err     error // of Close

	mu     sync.Mutex
	ended  bool // its number may not be signalled any more
	killed bool // it ended because we made it
}

// Start runs a server. It returns as soon as the program runs, before it said anything;
// ctx is for that alone. The error names the server, and says what to do where the
// program is missing; errors.Is knows [exec.ErrNotFound] and fs.ErrNotExist.
func Start(ctx context.Context, c Command) (*Process, error) {
	p, err := start(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("mcp server %s: %w", c.Name, err)
	}
	return p, nil
}

func start(ctx context.Context, c Command) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	path, err := find(c)
	if err != nil {
		return nil, err
	}
	log := c.Log.With("server", c.Name)
	stdin, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer stdin.Close()
	out, stdout, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, err
	}
	defer stdout.Close()
	p := &Process{
		command: c, log: log, in: in, out: out,
		stderr: tail.New(log, slog.LevelDebug, "an MCP server wrote to its standard error", maxTail),
		hung:   make(chan struct{}), closing: make(chan struct{}), done: make(chan struct{}), gone: make(chan struct{}),
	}
	p.transport.process = p
	p.cmd = &exec.Cmd{
		Path: path, Args: append([]string{c.Path}, c.Args...), Dir: c.Dir, Env: c.Env,
		Stdin: stdin, Stdout: stdout, Stderr: p.stderr,
		WaitDelay: grace, // for who holds standard error open
	}
	if c.Env == nil {
		p.cmd.Env = []string{} // nil would be the whole environment of this process
	}
	ownGroup(p.cmd)
	if err := p.cmd.Start(); err != nil {
		in.Close()
		out.Close()
		return nil, startError(c, path, err)
	}
	watch.add(p.cmd.Process.Pid, log)
	go p.wait()
	return p, nil
}

// wait ends what is left of the group when its leader ended. The order matters: until
// the leader is waited for, nobody else can have its number.
func (p *Process) wait() {
	awaitExit(p.cmd)
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	signalGroup(p.cmd, kill)
	watch.remove(p.cmd.Process.Pid)
	_ = p.cmd.Wait() // cmd.ProcessState has it
	close(p.done)
	_ = p.out.SetReadDeadline(time.Now().Add(grace)) // see output
	p.left = !awaitNoGroup(p.cmd.Process.Pid, 2*grace)
	close(p.gone)
}

// Transport returns the connection to the server, for one session of the SDK. Closing
// the session closes the process. A session waits for its calls before it closes; where
// an answer may never come, close the process.
func (p *Process) Transport() sdk.Transport { return &p.transport }

// Done is closed when the process has ended and was waited for.
func (p *Process) Done() <-chan struct{} { return p.done }

// Stray returns how many lines of standard output were no messages.
func (p *Process) Stray() int { return int(p.stray.Load()) }

// hangUp notes that the connection ended because of the server.
func (p *Process) hangUp(why error) { p.hangs.Do(func() { p.why = why; close(p.hung) }) }

// Close ends the server and all of its group: it closes the server's standard input,
// and asks by SIGTERM and then ends by SIGKILL what is still there half a second after.
// It returns when nothing is left, after two seconds at most. The error is for what
// even SIGKILL did not end by then. Close may be called often, and at once.
func (p *Process) Close() error {
	p.closes.Do(func() { p.err = p.close() })
	return p.err
}

func (p *Process) close() error {
	close(p.closing)
	p.hangs.Do(func() { p.asked.Store(true); close(p.hung) })
	p.in.Close()
	defer p.out.Close()
	if !p.isGone(grace) {
		p.signal(terminate)
	}
	if !p.isGone(grace) {
		p.signal(kill)
	}
	if !p.isGone(2*grace) || p.left {
		return fmt.Errorf("mcp server %s: of the process group %d something is left a second after SIGKILL", p.command.Name, p.cmd.Process.Pid)
	}
	return nil
}

func (p *Process) isGone(within time.Duration) bool {
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-p.gone:
		return true
	case <-timer.C:
		return false
	}
}

// signal signals the group, unless its leader ended: then wait does.
func (p *Process) signal(s sig) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		p.killed = true
		signalGroup(p.cmd, s)
	}
}
