package modeltest

import (
	"context"
	"encoding/json"
	"testing"

	"helve/model"
)

// answer returns the events of an answer that has to succeed.
func answer(t *testing.T, client model.Client, req *model.Request) []model.Event {
	t.Helper()
	events, err := collect(t.Context(), client, req, nil)
	if err != nil {
		t.Fatalf("after %d events: %v", len(events), err)
	}
	return events
}

// collect ranges over an answer. It calls atFirst, if there is one, at the first
// event.
func collect(ctx context.Context, client model.Client, req *model.Request, atFirst func()) (events []model.Event, failed error) {
	for event, err := range client.Stream(ctx, req) {
		if failed != nil {
			panic("modeltest: the client went on after an error")
		}
		if err != nil {
			failed = err
			continue
		}
		events = append(events, event)
		if len(events) == 1 && atFirst != nil {
			atFirst()
		}
	}
	return events, failed
}

// checkEvents checks what holds for every answer that succeeds.
func checkEvents(t *testing.T, events []model.Event) {
	t.Helper()
	var (
		calls   calls
		whole   int
		checked = map[string]bool{}
	)
	for i, event := range events {
		_, finish := event.(model.Finish)
		if last := i == len(events)-1; finish != last {
			t.Errorf("event %d of %d is %#v: want one Finish, at the end", i+1, len(events), event)
		}
		switch e := event.(type) {
		case nil:
			t.Errorf("event %d is nil without an error", i+1)
		case model.ToolCallDelta:
			calls.add(t, e)
		case model.ToolCall:
			if e.ID == "" || e.Name == "" || !json.Valid(e.Arguments) || checked[e.ID] {
				t.Errorf("call %+v: want an ID of its own, a name and JSON arguments", e)
			}
			checked[e.ID] = true
			calls.check(t, whole, e)
			whole++
		case model.InvalidToolCall:
			whole++
		}
	}
	if len(events) == 0 {
		t.Error("the answer has no events: want a Finish at least")
	}
}

// calls puts calls together from their deltas.
type calls []model.ToolCallDelta

func (c *calls) add(t *testing.T, d model.ToolCallDelta) {
	t.Helper()
	if d.Index == len(*c) {
		*c = append(*c, model.ToolCallDelta{Index: d.Index, ID: d.ID, Name: d.Name})
	}
	if d.Index < 0 || d.Index >= len(*c) {
		t.Errorf("delta %+v: want indexes that count from 0", d)
		return
	}
	sum := &(*c)[d.Index]
	if d.ID != sum.ID || d.Name != sum.Name || d.ID == "" || d.Name == "" {
		t.Errorf("delta %+v: want ID and name from the first delta on, and always the same", d)
	}
	sum.Arguments += d.Arguments
}

// check compares the nth whole call with its deltas. A client may send none.
func (c calls) check(t *testing.T, n int, call model.ToolCall) {
	t.Helper()
	if n >= len(c) {
		return
	}
	args := c[n].Arguments
	if args == "" || args == "null" {
		args = "{}"
	}
	if c[n].ID != call.ID || c[n].Name != call.Name || args != string(call.Arguments) {
		t.Errorf("call %d is %+v and its deltas make %+v", n, call, c[n])
	}
}
