package dialect

import (
	"context"
	"iter"

	"helve/model"
)

// Rescue finds the calls that a model with function calling writes as text all
// the same (requirement document 001), in dialect d; [Auto] knows the common
// ones. Requests are passed on as they are. Native calls come first: in an answer
// that has one, markup is text. So from the first piece of markup on an answer is
// held back until a native call comes or the answer ends; what stands before it
// is passed on at once, as is every answer without markup.
//
// A client that reads a dialect already is returned as it is.
func Rescue(client model.Client, d *Dialect, options ...Option) model.Client {
	if client.Info().Dialect != "" || d.write == nil {
		return client
	}
	r := &rescuer{wrapper{client: client, dialect: d, reads: d}}
	r.options.AnyName = true
	for _, option := range options {
		option(&r.wrapper)
	}
	return r
}

type rescuer struct{ wrapper }

// Info is the client's.
func (r *rescuer) Info() model.Info { return r.client.Info() }

// Stream answers as [Rescue] says.
func (r *rescuer) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	tools := offered(req)
	if len(tools) == 0 {
		return r.client.Stream(ctx, req)
	}
	return func(yield func(model.Event, error) bool) {
		options := r.options
		options.Tools = tools
		a := rescue{reader: newReader(r.dialect.NewDecoder(options), req, r.quoted)}
		for event, err := range r.client.Stream(ctx, req) {
			if err != nil {
				if ctx.Err() != nil || a.giveUp(yield) {
					yield(nil, err)
				}
				return
			}
			if !a.pass(event, yield) {
				return
			}
		}
		a.giveUp(yield)
	}
}

// rescue is one answer in which text and native calls may come.
type rescue struct {
	reader
	kept   []Event // from the first call in the text on
	native bool    // a native call has come: markup is text
}

func (a *rescue) pass(event model.Event, yield func(model.Event, error) bool) bool {
	switch e := event.(type) {
	case model.TextDelta:
		if a.native {
			return yield(e, nil)
		}
		return a.keep(a.feed(string(e)), yield)
	case model.ToolCallDelta, model.ToolCall, model.InvalidToolCall:
		if !a.native && !a.giveUp(yield) {
			return false
		}
		a.native = true
	case model.Finish:
		if a.native {
			break
		}
		if !a.keep(a.end(), yield) {
			return false
		}
		kept := a.kept
		a.kept = nil
		if !a.emit(kept, yield) {
			return false
		}
		if a.called && e.Reason == model.FinishStop {
			e.Reason = model.FinishToolCalls
		}
		return yield(e, nil)
	}
	return yield(event, nil)
}

// keep passes on what stands before the first call and keeps the rest.
func (a *rescue) keep(events []Event, yield func(model.Event, error) bool) bool {
	for i, e := range events {
		if e.Kind == ToolCall || len(a.kept) > 0 {
			a.kept = append(a.kept, events[i:]...)
			return a.emit(events[:i], yield)
		}
	}
	return a.emit(events, yield)
}

// giveUp passes all that was kept on as the text that it was.
func (a *rescue) giveUp(yield func(model.Event, error) bool) bool {
	if a.native {
		return true
	}
	kept := append(a.kept, a.decoder.End()...)
	a.kept = nil
	for _, e := range kept {
		switch e.Kind {
		case Invalid, Reply:
			continue
		case Reasoning:
		default:
			e = Event{Text: e.Text}
		}
		if !a.emit([]Event{e}, yield) {
			return false
		}
	}
	return true
}
