package executor

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"helve/message"
	"helve/tool"
)

// Config says what an executor runs and within which bounds. A zero field means
// the default.
type Config struct {
	Tools        *tool.Registry
	Timeout      time.Duration // of each call of a tool that sets none; 30 s
	MaxParallel  int           // calls of one batch that run at once; 16
	MaxCalls     int           // calls of one batch that run at all; 128
	MaxArguments int           // bytes of one call's arguments; 1 MiB
	MaxResult    int           // bytes of text in one result, see [LimitResult]; 256 KiB
	Middleware   []Middleware  // the first is outermost
	Hooks        []Hook        // told of every call, after the log
	Logger       *slog.Logger  // slog.Default()
}

// Executor runs tool calls. It is safe for concurrent use.
type Executor struct {
	config    Config
	handler   Handler
	hooks     []Hook
	abandoned atomic.Int64
}

// New returns an executor.
func New(config Config) *Executor {
	if config.Tools == nil {
		config.Tools = &tool.Registry{}
	}
	if config.Logger == nil {
		config.Logger = slog.Default()
	}
	config.Timeout = orDefault(config.Timeout, 30*time.Second)
	config.MaxParallel = orDefault(config.MaxParallel, 16)
	config.MaxCalls = orDefault(config.MaxCalls, 128)
	config.MaxArguments = orDefault(config.MaxArguments, 1<<20)
	config.MaxResult = orDefault(config.MaxResult, 256<<10)

	e := &Executor{config: config}
	e.hooks = append([]Hook{logHook{config.Logger}}, config.Hooks...)
	e.handler = Chain(e.invoke, config.Middleware...)
	return e
}

func orDefault[T int | time.Duration](v, otherwise T) T {
	if v <= 0 {
		return otherwise
	}
	return v
}

// Result is what became of one call.
type Result struct {
	Call     tool.Call
	Output   tool.Result // without content where Err is set
	Err      *tool.Error
	Duration time.Duration // also of what the call waited for: a middleware, an answer
}

// Message returns the result as the message that answers the call (document
// 000). An error becomes its JSON form.
func (r Result) Message() message.Message {
	answer := message.ToolResult{CallID: r.Call.ID, Name: r.Call.Name, Content: r.Output.Content, Artifact: r.Output.Artifact}
	if r.Err != nil {
		text, _ := r.Err.MarshalJSON() // it always has a JSON form
		answer.Content, answer.IsError = []message.Part{message.Text(text)}, true
	}
	if len(answer.Content) == 0 {
		answer.Content = []message.Part{message.Text("(no output)")} // providers refuse an empty result
	}
	return message.Result(answer)
}

// Execute runs calls and returns one result for each, in their order. It returns
// when all have ended, been answered at their deadline, or ctx has ended. What
// the host injects travels in ctx (see [tool.WithRuntime]); Execute sets each
// call's ID.
func (e *Executor) Execute(ctx context.Context, calls []tool.Call) []Result {
	return e.ExecuteFunc(ctx, calls, func(int, Result) {})
}

// ExecuteFunc is [Executor.Execute] for who wants each result as soon as it
// exists: done gets it with the index of its call, in the order in which calls
// finish. It is called by several goroutines at once, and never after
// ExecuteFunc has returned.
func (e *Executor) ExecuteFunc(ctx context.Context, calls []tool.Call, done func(i int, r Result)) []Result {
	return e.ExecuteRest(ctx, 0, calls, done)
}

// ExecuteRest is [Executor.ExecuteFunc] for the other calls of an answer of which
// some were begun by [Executor.Start]: they count for the bound of calls.
func (e *Executor) ExecuteRest(ctx context.Context, begun int, calls []tool.Call, done func(i int, r Result)) []Result {
	b := newBatch(e, ctx, calls, done)
	b.allowed = min(b.allowed, max(e.config.MaxCalls-begun, 0))
	b.run()
	return b.results
}

// MaxCalls is how many calls of one answer may run.
func (e *Executor) MaxCalls() int { return e.config.MaxCalls }

// MaxParallel is how many of them may run at once.
func (e *Executor) MaxParallel() int { return e.config.MaxParallel }

// Pending is a call that was started and may still run.
type Pending struct {
	done   chan struct{}
	result Result
}

// Done is closed when the call has its result.
func (p *Pending) Done() <-chan struct{} { return p.done }

// Result waits for the call and returns its result. It never waits longer than
// the call's deadline and its middleware do.
func (p *Pending) Result() Result {
	<-p.done
	return p.result
}

// Start runs one call and returns at once (document 004: asynchronous calls).
func (e *Executor) Start(ctx context.Context, call tool.Call) *Pending {
	p := &Pending{done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.result = e.Execute(ctx, []tool.Call{call})[0]
	}()
	return p
}

// Abandoned is the number of tools that were answered for at their deadline, or
// when their run was stopped, and still run: they ignore their context. Each one
// holds a goroutine until it returns.
func (e *Executor) Abandoned() int { return int(e.abandoned.Load()) }
