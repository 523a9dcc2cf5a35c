package gofunc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"time"

	"helve/gofunc/internal/wire"
	"helve/internal/tail"
	"helve/tool"
)

// program is what was built of a folder. It is started when it is needed, and again
// after it died.
type program struct {
	name, path string
	dir        string // it runs there
	env        []string
	log        *slog.Logger
	key        string
	source     *source
	functions  []*function
	open       int // functions that were not closed; source's lock

	mu     sync.Mutex
	now    *process
	closed bool
}

var errClosed = &tool.Error{Kind: tool.KindUnavailable, Message: "The tool was closed."}

// running returns the process, a new one if need be.
func (p *program) running() (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errClosed
	}
	if p.now != nil {
		select {
		case <-p.now.ended:
			<-p.now.gone
		default:
			return p.now, nil
		}
	}
	started, err := p.start()
	if err != nil {
		return nil, &tool.Error{Kind: tool.KindUnavailable, Message: "The program of " + p.name + " can't be started.", Err: err}
	}
	p.now = started
	return started, nil
}

func (p *program) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	if p.now != nil {
		p.now.close()
	}
}

// maxTail is how much of a program's standard error is kept, in bytes.
const maxTail = 8 << 10

// process is a program that runs.
type process struct {
	program *program
	cmd     *exec.Cmd
	in      *os.File // of the requests; closing it asks the process to end
	out     *wire.Writer
	tail    *tail.Tail
	ended   chan struct{} // it answers no more
	gone    chan struct{} // and nothing of it is left
	status  error         // valid after gone
	asks    sync.WaitGroup

	mu    sync.Mutex
	calls map[uint64]*pending
	last  uint64
	over  bool
}

// start runs the program. Its pipes are the descriptors 3 and 4, because what a
// function prints goes to 1 and 2.
func (p *program) start() (*process, error) {
	requests, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	answers, out, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, requests.Close(), in.Close())
	}
	r := &process{
		program: p, in: in, out: wire.NewWriter(in), tail: tail.New(p.log.With("folder", p.name), slog.LevelInfo, "a Go function wrote", maxTail),
		ended: make(chan struct{}), gone: make(chan struct{}), calls: map[uint64]*pending{},
	}
	r.cmd = exec.Command(p.path)
	r.cmd.Dir, r.cmd.Env = p.dir, environment(os.Environ(), p.env)
	r.cmd.Stdout, r.cmd.Stderr = r.tail, r.tail
	r.cmd.ExtraFiles = []*os.File{requests, out}
	r.cmd.WaitDelay = grace // for what it started and left behind with its output
	ownGroup(r.cmd)
	err = r.cmd.Start()
	requests.Close()
	out.Close()
	if err != nil {
		return nil, errors.Join(err, in.Close(), answers.Close())
	}
	go r.read(answers)
	return r, nil
}

// grace is how long a process has to end by itself.
const grace = time.Second

// close asks the process to end, makes it if it does not, and waits until nothing is
// left.
func (r *process) close() {
	r.in.Close()
	select {
	case <-r.gone:
		return
	case <-time.After(grace):
	}
	killGroup(r.cmd)
	<-r.gone
}

// read takes what the process says until it ends, and cleans up after it.
func (r *process) read(answers *os.File) {
	defer close(r.gone)
	in := wire.NewReader(answers)
	for {
		f, err := in.Read()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				r.program.log.Warn("the program of a workspace's Go functions broke the protocol", "folder", r.program.name, "error", err)
			}
			break
		}
		r.take(f)
	}
	r.mu.Lock()
	r.over = true
	for _, c := range r.calls {
		c.stop()
	}
	r.mu.Unlock()
	close(r.ended)
	killGroup(r.cmd) // also what it started
	answers.Close()
	r.in.Close()
	r.status = r.cmd.Wait()
	r.asks.Wait()
}

func (r *process) take(f wire.Frame) {
	r.mu.Lock()
	c := r.calls[f.ID]
	r.mu.Unlock()
	if c == nil && f.Kind != wire.Want {
		return // nobody waits for it any more
	}
	switch f.Kind {
	case wire.Result:
		select {
		case c.answer <- f:
		default: // it has one
		}
	case wire.Update:
		c.update(f)
	case wire.Want:
		if f.Ask != nil {
			ctx, done := c.wants(f.Ask.N)
			r.asks.Go(func() {
				defer done()
				r.send(wire.Frame{Kind: wire.Given, ID: f.ID, Ask: c.ask(ctx, *f.Ask)})
			})
		}
	case wire.Cancel:
		if f.Ask != nil {
			c.drop(f.Ask.N)
		}
	}
}

// begin sends a call.
func (r *process) begin(rt *tool.Runtime, f wire.Frame) (*pending, error) {
	ctx, stop := context.WithCancel(context.Background())
	c := &pending{rt: rt, ctx: ctx, stop: stop, answer: make(chan wire.Frame, 1)}
	r.mu.Lock()
	r.last++
	c.id, f.ID = r.last, r.last
	if r.over {
		stop()
	}
	r.calls[c.id] = c
	r.mu.Unlock()
	err := r.out.Write(f)
	var form *wire.FormError
	if errors.As(err, &form) {
		r.forget(c)
		return nil, &tool.Error{Kind: tool.KindExecution, Message: "The call can't be sent to its program: " + form.Error() + ".", Err: form}
	}
	return c, nil // a pipe that is broken closes ended
}

// send writes what may as well be lost: where the pipe is broken nobody wants it.
func (r *process) send(f wire.Frame) {
	err := r.out.Write(f)
	var form *wire.FormError
	if errors.As(err, &form) && f.Kind == wire.Given {
		f.Ask = &wire.Ask{N: f.Ask.N, Fault: "the answer can't be sent: " + form.Error()}
		_ = r.out.Write(f)
	}
}

func (r *process) forget(c *pending) {
	c.stop()
	r.mu.Lock()
	delete(r.calls, c.id)
	r.mu.Unlock()
}

// ErrEnded is what the error of a call wraps whose program ended: it crashed, or a
// function ended it. What it printed is in the log.
var ErrEnded = errors.New("the program of the tool ended during the call")

// lost is the error of a call whose process ended.
func (r *process) lost() error {
	<-r.gone
	status := "it ended"
	if r.status != nil {
		status = r.status.Error()
	}
	return &tool.Error{
		Kind: tool.KindUnavailable, Message: "The program of the tool ended during the call.", Retryable: true,
		Err: fmt.Errorf("%w: %s: %s\n%s", ErrEnded, r.program.name, status, r.tail.Last(100)),
	}
}
