package agent

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"

	"helve/dialect"
	"helve/executor"
	"helve/message"
	"helve/model"
	"helve/session"
	"helve/tool"
)

// DefaultMaxIterations is how many answers a run may take (document 000).
const DefaultMaxIterations = 5

// Config says what an agent is. Client is needed; the rest may be zero.
type Config struct {
	Client         model.Client
	Instructions   string // for the model, ahead of every conversation
	Tools          []tool.Tool
	MaxIterations  int // answers per run; 0 means [DefaultMaxIterations]
	OnBadArguments BadArguments

	// Strategy says how the model calls tools: natively, as text, or as it can. The
	// zero value is for most.
	Strategy dialect.Strategy

	// Window cuts a long conversation to what the model can read. It must not
	// part a call from its result. Nil means to send all. See session.Window.
	Window func([]message.Message) []message.Message

	// Adjust may change each request before it is sent: temperature, length, choice
	// of tool. Nil changes nothing.
	Adjust func(*model.Request)

	// Executor has the bounds, middleware, hooks and logger of the calls. Its Tools,
	// a registry that may change and be shared, can stand in for Tools above.
	Executor executor.Config
	Store    tool.Store // for tools; see [tool.Runtime]

	// Answer answers what a call asks while it runs, as tool.Runtime's Answer, and is told
	// which call that is. Nil means that nobody is there: tool.ErrNobody. It is called by
	// many goroutines at once. The time it takes counts for no deadline but the run's. A
	// question is no part of the session: a call that is run again by [Agent.Resume] asks
	// again.
	Answer func(ctx context.Context, call tool.Call, questions []tool.Question) ([]tool.Answer, error)
}

// Agent runs conversations between a model and tools. It holds no conversation
// itself and is safe for concurrent use.
type Agent struct {
	config   Config
	tools    *tool.Registry
	executor *executor.Executor
	log      *slog.Logger
}

// New returns an agent. It fails where the client is missing or two tools have
// one name.
func New(config Config) (*Agent, error) {
	if config.Client == nil {
		return nil, errors.New("agent: give Config a Client: something that answers, such as openai.New(…)")
	}
	if config.MaxIterations < 0 {
		return nil, fmt.Errorf("agent: Config.MaxIterations is %d: a run needs at least one answer", config.MaxIterations)
	}
	if config.MaxIterations == 0 {
		config.MaxIterations = DefaultMaxIterations
	}
	switch config.OnBadArguments {
	case BadArgumentsFail, BadArgumentsAnswer, BadArgumentsRepair:
	default:
		return nil, fmt.Errorf("agent: Config.OnBadArguments is %q: use one of the constants", config.OnBadArguments)
	}
	tools := config.Executor.Tools
	switch {
	case tools == nil:
		var err error
		if tools, err = tool.NewRegistry(config.Tools...); err != nil {
			return nil, fmt.Errorf("agent: %w", err)
		}
	case len(config.Tools) > 0:
		return nil, errors.New("agent: both Config.Tools and Config.Executor.Tools are given: a registry may be shared, so register the tools there")
	}
	config.Executor.Tools = tools
	if config.Executor.Logger == nil {
		config.Executor.Logger = slog.Default()
	}
	if config.Strategy.Logger == nil {
		config.Strategy.Logger = config.Executor.Logger
	}
	client, err := dialect.Detect(config.Client, config.Strategy)
	if err != nil {
		return nil, fmt.Errorf("agent: %w", err)
	}
	config.Client = client
	return &Agent{config, tools, executor.New(config.Executor), config.Executor.Logger}, nil
}

// Run runs prompt to its end and returns the reply. With an error the reply is
// nil, or what the run came to before it: then the error is an
// [*model.ArgumentsError] or an [*UnfinishedError].
func (a *Agent) Run(ctx context.Context, prompt string, options ...Option) (*Reply, error) {
	return Collect(a.Stream(ctx, prompt, options...))
}

// Stream runs prompt and yields what happens as it happens. The run goes on only
// while the caller takes events. The last event is [Done]. An error ends the
// sequence: in place of Done, or behind it where [StopError] is the end that the
// run came to. To stop a run, break out of the loop or cancel ctx: the model
// and the tools are told, and when the range returns no goroutine of the run is
// left but those of tools that ignore their context.
func (a *Agent) Stream(ctx context.Context, prompt string, options ...Option) iter.Seq2[Event, error] {
	return a.stream(ctx, options, func(r *run) error { return r.begin(ctx, prompt) })
}

// Resume goes on with the run that is open in s, after a restart or an error of
// the model's client. Calls that have a result are not run again. Without an
// open run the error is [ErrNoRun].
func (a *Agent) Resume(ctx context.Context, s session.Session, options ...Option) iter.Seq2[Event, error] {
	options = append(options, WithSession(s))
	return a.stream(ctx, options, func(r *run) error { return r.resume(ctx) })
}

// ErrNoRun says that a session has no run to go on with.
var ErrNoRun = errors.New("agent: no run is open in this session: start one with Run or Stream")

// UnfinishedError says that the model was cut off, by a limit or a filter, in an
// answer that called tools. None of them ran but, in a text dialect, read-only ones
// that had begun.
type UnfinishedError struct{ Reason model.FinishReason }

// Error says what happened and what to do.
func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("the model did not finish its answer (%s), so the tool calls in it count for nothing: allow a longer answer or ask for less", e.Reason)
}

// Collect takes a run to its end and returns its reply. Of a run that stops with
// an error it returns what there is of a reply with the error.
func Collect(events iter.Seq2[Event, error]) (*Reply, error) {
	var reply *Reply
	for event, err := range events {
		if done, ok := event.(Done); ok {
			reply = done.Reply
		}
		if err != nil {
			return reply, err
		}
	}
	return reply, nil
}

func (a *Agent) stream(ctx context.Context, options []Option, start func(*run) error) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		r := newRun(a, options)
		r.yield = yield
		err := start(r)
		if err == nil {
			err = r.drive(ctx)
		}
		if err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	}
}
