package modeltest

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"helve/message"
	"helve/model"
)

// Turn is one answer as a test writes it: the events, and then Err if there is
// one. With Stall the answer says nothing more after the events and ends with
// ctx.
type Turn struct {
	Events []model.Event
	Err    error
	Stall  bool
}

// Text is a turn that says the pieces, one event each, and stops.
func Text(pieces ...string) Turn {
	var turn Turn
	for _, p := range pieces {
		turn.Events = append(turn.Events, model.TextDelta(p))
	}
	turn.Events = append(turn.Events, model.Finish{Reason: model.FinishStop})
	return turn
}

// Calls is a turn that makes the calls. The arguments of each come in two
// pieces, and then the calls come whole.
func Calls(calls ...message.ToolCall) Turn {
	var turn Turn
	for i, c := range calls {
		half := len(c.Arguments) / 2
		for _, args := range []string{string(c.Arguments[:half]), string(c.Arguments[half:])} {
			turn.Events = append(turn.Events, model.ToolCallDelta{Index: i, ID: c.ID, Name: c.Name, Arguments: args})
		}
	}
	for _, c := range calls {
		turn.Events = append(turn.Events, model.ToolCall(c))
	}
	turn.Events = append(turn.Events, model.Finish{Reason: model.FinishToolCalls})
	return turn
}

// Fail is a turn that is an error and nothing else.
func Fail(err error) Turn { return Turn{Err: err} }

// Script is a [model.Client] that plays turns and keeps the requests. Make one
// with [NewScript] or [Respond]. It is safe for concurrent use.
type Script struct {
	respond func(n int, req *model.Request) Turn

	mu       sync.Mutex
	requests []*model.Request
}

// NewScript returns a client whose nth answer is the nth turn. When there are no
// more turns an answer is an error that says so.
func NewScript(turns ...Turn) *Script {
	return &Script{respond: func(n int, _ *model.Request) Turn {
		if n >= len(turns) {
			return Fail(fmt.Errorf("modeltest: the script has %d turns and this is request %d", len(turns), n+1))
		}
		return turns[n]
	}}
}

// Respond returns a client whose answers depend on the request. It calls respond
// from the goroutine that ranges over the answer.
func Respond(respond func(*model.Request) Turn) *Script {
	return &Script{respond: func(_ int, req *model.Request) Turn { return respond(req) }}
}

// Info says that this is a script, which can call tools.
func (s *Script) Info() model.Info {
	return model.Info{Provider: "modeltest", Model: "script", FunctionCalling: model.Yes}
}

// Stream plays the next turn. A range counts as a request when it begins.
func (s *Script) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		turn := s.respond(s.keep(req), req)
		for _, event := range turn.Events {
			if ctx.Err() != nil {
				break
			}
			if !yield(event, nil) {
				return
			}
		}
		if turn.Stall {
			<-ctx.Done()
		}
		if err := ctx.Err(); err != nil {
			yield(nil, err)
		} else if turn.Err != nil {
			yield(nil, turn.Err)
		}
	}
}

// keep returns how many requests there were before.
func (s *Script) keep(req *model.Request) int {
	r := *req
	r.Messages = slices.Clone(r.Messages) // the caller may go on with its slice
	r.Tools = slices.Clone(r.Tools)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, &r)
	return len(s.requests) - 1
}

// Requests returns the requests so far, in order, as they were when they came.
func (s *Script) Requests() []*model.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}
