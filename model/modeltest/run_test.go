package modeltest_test

import (
	"context"
	"encoding/json"
	"iter"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"helve/message"
	"helve/model"
	"helve/model/modeltest"
)

// stream is the Stream method of a client that breaks a rule.
type stream func(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error]

func (s stream) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return s(ctx, req)
}
func (stream) Info() model.Info { return model.Info{} }

// change returns a client that keeps the rules but for what edit does to its
// events.
func change(edit func(req *model.Request, events []model.Event) []model.Event) stream {
	return modeltest.Respond(func(req *model.Request) modeltest.Turn {
		turn := respond(req)
		if turn.Stall {
			return turn
		}
		turn.Events = edit(req, slices.Clone(turn.Events))
		return turn
	}).Stream
}

var finish = model.Finish{Reason: model.FinishStop}

// broken has a client for each rule, and what Run says of it.
var broken = map[string]struct {
	client stream
	want   string
}{
	"no finish": {
		change(func(_ *model.Request, e []model.Event) []model.Event { return e[:len(e)-1] }),
		"want one Finish, at the end",
	},
	"two finishes": {
		change(func(_ *model.Request, e []model.Event) []model.Event { return append(e, finish) }),
		"want one Finish, at the end",
	},
	"no text": {
		change(func(req *model.Request, e []model.Event) []model.Event { return e[len(e)-1:] }),
		"no TextDelta in the answer to Harness.Text",
	},
	"a call without tools": {
		change(func(req *model.Request, e []model.Event) []model.Event {
			return append([]model.Event{model.ToolCall{ID: "a", Name: "f", Arguments: json.RawMessage("{}")}}, e...)
		}),
		"in the answer to a request without tools",
	},
	"an ID twice": {
		change(func(req *model.Request, e []model.Event) []model.Event { return edit(e, "b", "a") }),
		"want an ID of its own",
	},
	"deltas of another call": {
		change(func(req *model.Request, e []model.Event) []model.Event {
			if d, ok := e[0].(model.ToolCallDelta); ok {
				d.Arguments += " "
				e[0] = d
			}
			return e
		}),
		"and its deltas make",
	},
	"an index that does not count": {
		change(func(req *model.Request, e []model.Event) []model.Event {
			if d, ok := e[0].(model.ToolCallDelta); ok {
				d.Index = 7
				e[0] = d
			}
			return e
		}),
		"want indexes that count from 0",
	},
	"a deaf client": {
		func(_ context.Context, req *model.Request) iter.Seq2[model.Event, error] {
			if req.Messages[0].Text() == "stall" {
				req = user("hello")
			}
			return modeltest.Respond(respond).Stream(context.Background(), req)
		},
		"want 0 and context.Canceled",
	},
	"a client that works once": {
		func(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
			var ranged atomic.Bool
			return func(yield func(model.Event, error) bool) {
				if !ranged.Swap(true) {
					modeltest.Respond(respond).Stream(ctx, req)(yield)
				}
			}
		},
		"the answer has no events",
	},
	"a client that goes on after the break": {
		func(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
			return func(yield func(model.Event, error) bool) {
				for event, err := range modeltest.Respond(respond).Stream(ctx, req) {
					yield(event, err)
				}
			}
		},
		"continued iteration",
	},
	"a client that changes the request": {
		func(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
			if len(req.Tools) > 0 {
				req.MaxTokens++
			}
			return modeltest.Respond(respond).Stream(ctx, req)
		},
		"the request was modified",
	},
	"a client that appends to the messages": {
		func(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
			with := *req
			with.Messages = append(with.Messages, message.System("Be brief."))
			return modeltest.Respond(func(*model.Request) modeltest.Turn { return respond(req) }).Stream(ctx, &with)
		},
		"appended to the request's own messages",
	},
	"a tool that was not offered": {
		change(func(_ *model.Request, e []model.Event) []model.Event {
			for i := range e {
				switch c := e[i].(type) {
				case model.ToolCall:
					c.Name = "sub"
					e[i] = c
				case model.ToolCallDelta:
					c.Name = "sub"
					e[i] = c
				}
			}
			return e
		}),
		"which was not offered",
	},
	"calls for ever": {
		func(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
			if len(req.Tools) > 0 {
				req = user("add")
			}
			return modeltest.Respond(respond).Stream(ctx, req)
		},
		`and finish "tool_calls"`,
	},
}

// edit gives the call with ID from the ID to.
func edit(events []model.Event, from, to string) []model.Event {
	for i := range events {
		switch c := events[i].(type) {
		case model.ToolCall:
			if c.ID == from {
				c.ID = to
				events[i] = c
			}
		case model.ToolCallDelta:
			if c.ID == from {
				c.ID = to
				events[i] = c
			}
		}
	}
	return events
}

// TestRunFinds checks that Run fails for clients that break a rule. A failing
// test can only be seen from outside, so each runs in a process of its own.
func TestRunFinds(t *testing.T) {
	const variable = "MODELTEST_BROKEN"
	if name := os.Getenv(variable); name != "" {
		modeltest.Run(t, harness(broken[name].client))
		return
	}
	for name, tt := range broken {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRunFinds$", "-test.timeout=10s")
			cmd.Env = append(os.Environ(), variable+"="+name)
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), tt.want) {
				t.Errorf("Run ended with %v: want a failure that says %q:\n%s", err, tt.want, out)
			}
		})
	}
}
