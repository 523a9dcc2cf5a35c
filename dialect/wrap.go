package dialect

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync/atomic"

	"helve/message"
	"helve/model"
	"helve/tool"
)

// Option changes how [Wrap] and [Rescue] work.
type Option func(*wrapper)

// InLanguage sets the language of the prompt.
func InLanguage(l Language) Option { return func(w *wrapper) { w.language = l } }

// WithReasoning says how the answers mark reasoning.
func WithReasoning(mode ReasoningMode) Option { return func(w *wrapper) { w.options.Reasoning = mode } }

// WithQuotedCalls lets calls count that stand word for word in a tool's result,
// for tools that tell the model what to call.
func WithQuotedCalls() Option { return func(w *wrapper) { w.quoted = true } }

// WithCallsInCode lets calls in Markdown's code count.
func WithCallsInCode() Option { return func(w *wrapper) { w.options.CallsInCode = true } }

// Wrap gives a client that only writes text function calling in dialect d.
//
// A request's tools go into its system prompt. Calls come out as ordinary events,
// as soon as each is complete, with the IDs call_1, call_2 and so on counted over
// the conversation; what is around them comes out as text. The calls and results
// of the conversation go back in the dialect's own form. A call of a tool that
// does not exist comes out as well, where it can't be ordinary text: the executor
// tells the model. A call that stands word for word in a tool's result is text: the
// model quotes it. The wrapped client is not sent any tools. It is as safe for
// concurrent use as client is.
//
// In helve's own dialects (tag, decision, structured) the calls that a model writes
// in one of the common formats all the same are read too, as [Auto] does.
//
// Results go back as the dialect wants, most as user messages and those of tag as
// tool messages. Where a server refuses these, Wrap asks again with user messages,
// and keeps to them. With the native dialect Wrap returns client itself.
func Wrap(client model.Client, d *Dialect, options ...Option) model.Client {
	if d == &native {
		return client
	}
	w := &wrapper{client: client, dialect: d, reads: d.withHabits()}
	w.options.AnyName = true
	for _, option := range options {
		option(w)
	}
	return w
}

type wrapper struct {
	client   model.Client
	dialect  *Dialect
	reads    *Dialect // what the answer is read with
	language Language
	options  Options
	quoted   bool
	asUser   atomic.Bool // the server takes no tool messages
}

// Info says what client's does, and that it can call.
func (w *wrapper) Info() model.Info {
	info := w.client.Info()
	info.FunctionCalling = model.Yes
	info.Dialect = w.dialect.name
	return info
}

// Stream answers as [Wrap] says.
func (w *wrapper) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		tools := offered(req)
		options := w.options
		options.Tools = tools
		options.AnyName = options.AnyName && len(tools) > 0
		r := newReader(w.reads.NewDecoder(options), req, w.quoted)
		for event, err := range w.answer(ctx, req, tools) {
			if err != nil {
				if ctx.Err() != nil || r.text(r.decoder.End(), yield) {
					yield(nil, err)
				}
				return
			}
			if !r.pass(event, yield) {
				return
			}
		}
		r.text(r.decoder.End(), yield)
	}
}

// answer asks the client, once more if it does not take results as tool messages.
func (w *wrapper) answer(ctx context.Context, req *model.Request, tools []tool.Definition) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		asUser := w.asUser.Load()
		begun, refused := false, false
		for event, err := range w.client.Stream(ctx, w.request(req, tools, asUser)) {
			if err != nil && !begun && !asUser && w.dialect.role == message.RoleTool && refusesToolMessages(err) && countCalls(req.Messages) > 0 {
				refused = true
				break
			}
			begun = true
			if !yield(event, err) {
				return
			}
		}
		if !refused {
			return
		}
		for event, err := range w.client.Stream(ctx, w.request(req, tools, true)) {
			if err == nil {
				w.asUser.Store(true) // it was that
			}
			if !yield(event, err) {
				return
			}
		}
	}
}

// offered are the tools that an answer to req may call. The empty list is not
// nil: then none may.
func offered(req *model.Request) []tool.Definition {
	if req.Choice == model.ChooseNone || req.Tools == nil {
		return []tool.Definition{}
	}
	return req.Tools
}

// request is req for a client without tools.
func (w *wrapper) request(req *model.Request, tools []tool.Definition, asUser bool) *model.Request {
	plain := *req
	plain.Tools = nil
	plain.Choice = model.ChooseAuto
	role := w.dialect.role
	if asUser {
		role = message.RoleUser
	}
	plain.Messages = w.dialect.conversation(req.Messages, len(tools) > 0, role)
	prompt := w.dialect.Prompt(tools, w.language)
	if prompt == "" {
		return &plain
	}
	if demand := demand(req.Choice, w.language); demand != "" && len(tools) > 0 {
		prompt += "\n\n" + demand
	}
	if len(plain.Messages) > 0 && plain.Messages[0].Role == message.RoleSystem {
		system := plain.Messages[0]
		system.Parts = addText(system.Parts, "\n\n"+prompt)
		plain.Messages[0] = system
	} else {
		plain.Messages = slices.Insert(plain.Messages, 0, message.System(prompt))
	}
	for _, stop := range w.dialect.stop {
		if len(plain.Stop) < maxStops {
			plain.Stop = append(slices.Clip(plain.Stop), stop)
		}
	}
	return &plain
}

// maxStops is how many stop sequences OpenAI's API takes.
const maxStops = 4

// demand is what a model is told that must call.
func demand(choice model.ToolChoice, l Language) string {
	name, named := choice.Named()
	switch {
	case named && l == Chinese:
		return "本次回答必须调用工具 " + name + "。"
	case named:
		return "In this answer you must call the tool " + name + "."
	case choice == model.ChooseRequired && l == Chinese:
		return "本次回答必须调用工具。"
	case choice == model.ChooseRequired:
		return "In this answer you must call a tool."
	}
	return ""
}

// reader makes a model's events of what a decoder finds.
type reader struct {
	decoder *Decoder
	quoted  quotations
	next    int    // number of the next call
	called  bool   // in this answer
	behind  bool   // nothing but white space has come since the last call
	space   string // that white space: it is shown only if text follows
}

func newReader(decoder *Decoder, req *model.Request, quoted bool) reader {
	r := reader{decoder: decoder, next: countCalls(req.Messages) + 1}
	if !quoted {
		r.quoted.messages = req.Messages
	}
	return r
}

func (r *reader) feed(text string) []Event { return r.unquote(r.decoder.Feed(text)) }
func (r *reader) end() []Event             { return r.unquote(r.decoder.End()) }

// unquote makes text of calls that only quote a tool's result.
func (r *reader) unquote(events []Event) []Event {
	for i, e := range events {
		if e.Kind == ToolCall && r.quoted.has(e.Text) {
			events[i] = Event{Text: e.Text}
		}
	}
	return events
}

// pass passes one event of the client on. It returns false when nobody listens
// any more.
func (r *reader) pass(event model.Event, yield func(model.Event, error) bool) bool {
	switch e := event.(type) {
	case model.TextDelta:
		return r.emit(r.feed(string(e)), yield)
	case model.Finish:
		if !r.emit(r.end(), yield) {
			return false
		}
		if r.called && e.Reason == model.FinishStop {
			e.Reason = model.FinishToolCalls
		}
		return yield(e, nil)
	}
	return yield(event, nil)
}

func (r *reader) emit(events []Event, yield func(model.Event, error) bool) bool {
	for _, e := range events {
		var out model.Event
		switch e.Kind {
		case Text, Reply:
			text := r.space + e.Text
			if r.behind && strings.TrimSpace(text) == "" {
				r.space = text
				continue
			}
			r.behind, r.space = false, ""
			out = model.TextDelta(text)
		case Reasoning:
			out = model.ReasoningDelta(e.Text)
		case ToolCall:
			r.called, r.behind, r.space = true, true, ""
			out = model.ToolCall{ID: r.id(e.Call), Name: e.Call.Name, Arguments: e.Call.Arguments}
		default:
			continue
		}
		if !yield(out, nil) {
			return false
		}
	}
	return true
}

// text passes on what is left of an answer that did not finish: nothing in it may
// run.
func (r *reader) text(events []Event, yield func(model.Event, error) bool) bool {
	for i, e := range events {
		if e.Kind == ToolCall {
			events[i] = Event{Text: e.Text}
		}
	}
	return r.emit(events, yield)
}

func (r *reader) id(c *Call) string {
	id := CallID(c, r.next)
	r.next++
	return id
}
