package dialect

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"regexp"
	"sync"
	"sync/atomic"

	"helve/model"
)

// Strategy says how a model is to call tools (requirement document 004, section
// 4.3). The zero value is for most: native function calling where the model has
// it, with an eye on calls that it writes as text all the same, and else calls
// as text.
type Strategy struct {
	// TextOnly skips native function calling: the model or its server is known not
	// to have it, or does worse with it (document 000's function_calling=False).
	TextOnly bool

	// NativeOnly allows no calls as text where native function calling is not to be
	// had (fallback_to_structured_output: false).
	NativeOnly bool

	// IgnoreTextCalls leaves calls text that a model with function calling writes as
	// text. The zero value finds them, see [Rescue].
	IgnoreTextCalls bool

	// Dialect is that of calls as text. Nil means the structured one of document 004.
	Dialect *Dialect

	// Options are for [Wrap] and [Rescue].
	Options []Option

	// Logger is told of the fallback, once a process. Nil means slog.Default.
	Logger *slog.Logger
}

// ErrNoFunctionCalling says that a model can't call tools natively and that the
// strategy allows nothing else.
var ErrNoFunctionCalling = errors.New("the model has no native function calling, and calls as text are not allowed: allow them, or use another model")

// Detect gives client the way of calling tools that it can have: native function
// calling where it has it, else calls as text if s allows them, else
// [ErrNoFunctionCalling]. Where nobody knows, native function calling is tried,
// and given up for good when the server answers that it has no tools.
//
// Calls as text are the deprecated way of document 000: the first use in a
// process is logged as a warning. A client that reads a dialect already is
// returned as it is.
func Detect(client model.Client, s Strategy) (model.Client, error) {
	info := client.Info()
	switch {
	case info.Dialect != "":
		return client, nil
	case s.TextOnly || info.FunctionCalling == model.No:
		if s.NativeOnly {
			return nil, fmt.Errorf("%s: %w", info.Model, ErrNoFunctionCalling)
		}
		s.warn(info, "it is configured so")
		return s.wrap(client), nil
	case info.FunctionCalling == model.Yes:
		return s.rescue(client), nil
	}
	d := &degrading{native: s.rescue(client), strategy: s}
	if !s.NativeOnly {
		d.text = s.wrap(client)
	}
	return d, nil
}

func (s *Strategy) rescue(client model.Client) model.Client {
	if s.IgnoreTextCalls {
		return client
	}
	return Rescue(client, Auto(), s.Options...)
}

func (s *Strategy) wrap(client model.Client) model.Client {
	d := s.Dialect
	if d == nil {
		d = &structured
	}
	return Wrap(client, d, s.Options...)
}

var warned sync.Once

func (s *Strategy) warn(info model.Info, why string) {
	warned.Do(func() {
		log := s.Logger
		if log == nil {
			log = slog.Default()
		}
		log.Warn("deprecated: tool definitions go into the system prompt and calls are read from text; use a model with function calling where you can",
			"provider", info.Provider, "model", info.Model, "why", why)
	})
}

// degrading tries native function calling until the server says that it has none.
type degrading struct {
	native   model.Client
	text     model.Client // nil where it is not allowed
	strategy Strategy
	given    atomic.Bool // native function calling is given up
}

// Info is that of the client in use.
func (d *degrading) Info() model.Info {
	if d.given.Load() {
		return d.text.Info()
	}
	return d.native.Info()
}

// Stream answers as [Detect] says.
func (d *degrading) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		if !d.given.Load() {
			refusal := d.tryNative(ctx, req, yield)
			if refusal == nil {
				return
			}
			if d.text == nil {
				yield(nil, fmt.Errorf("%w (the server said: %w)", ErrNoFunctionCalling, refusal))
				return
			}
			d.given.Store(true)
			d.strategy.warn(d.native.Info(), refusal.Error())
		}
		for event, err := range d.text.Stream(ctx, req) {
			if !yield(event, err) {
				return
			}
		}
	}
}

// tryNative passes on a native answer, but for a server's word that it has no
// tools, which it returns.
func (d *degrading) tryNative(ctx context.Context, req *model.Request, yield func(model.Event, error) bool) error {
	begun := false
	for event, err := range d.native.Stream(ctx, req) {
		if err != nil && !begun && len(req.Tools) > 0 && refusesTools(err) {
			return err
		}
		begun = true
		if !yield(event, err) {
			return nil
		}
	}
	return nil
}

// noTools is how servers say that a model, or they themselves, can't call tools:
// Ollama, OpenRouter, vLLM, llama.cpp, LM Studio, TGI and OpenAI-compatible ones
// that know no such field. An error about one tool's schema is none of these.
var noTools = regexp.MustCompile(`(?i)` +
	`does(n't| not) support (the )?(tool|function)|` +
	`(tool|function)s?( calling| use|_choice| choice)?( parameter| param)? (is|are) (currently )?(not|un)[ -]?(supported|available|enabled|implemented)|` +
	`no endpoints found that support tool|` +
	`requires? (the )?(--enable-auto-tool-choice|--jinja|--tool-call-parser)|` +
	`tools? (param|parameter) requires|` +
	`(unrecogni[sz]ed|unknown|unexpected|unsupported|extra)( request)? (argument|parameter|field|property|key|input)s?[^a-z]{0,20}(supplied: |: )?.{0,20}\b(tools|functions|tool_choice)\b|` +
	`\b(tools|tool_choice|functions)\b.{0,24}(extra (fields|inputs)? ?(are )?not permitted|not supported|unsupported)`)

// noToolMessages is how servers say that they take no tool message, or none behind
// an answer without native calls.
var noToolMessages = regexp.MustCompile(`(?i)\brole|tool_calls|tool message|alternate|template`)

// refusesToolMessages reports whether an error may be a server's word that it takes
// no tool messages.
func refusesToolMessages(err error) bool {
	var api *model.APIError
	return errors.As(err, &api) && (api.Status == 400 || api.Status == 422 || api.Status == 500) && noToolMessages.MatchString(api.Message)
}

// refusesTools reports whether an error is a server's word that it has no tools.
func refusesTools(err error) bool {
	var api *model.APIError
	if !errors.As(err, &api) {
		return false
	}
	switch api.Status {
	case 400, 404, 405, 415, 422, 500, 501:
		return noTools.MatchString(api.Message)
	}
	return false
}
