package modeltest

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"

	"helve/message"
	"helve/model"
)

// Harness is a client and the requests that make it show its behaviour. The
// client should answer the same request in the same way: a script, a recorded
// server, or a model with a seed.
type Harness struct {
	Client model.Client

	// Text is answered with text. It offers no tools.
	Text *model.Request

	// Call offers tools and is answered with one call at least. With results
	// for all calls, it is answered with text.
	Call *model.Request

	// Stall is answered with one event at least, and then nothing comes until
	// the context ends. Nil leaves out the checks that need it.
	Stall *model.Request
}

// Run checks that the client keeps the rules of [model.Client]. It runs a
// subtest for each. That no goroutine is left is for the caller to check, with
// goleak or the like, when Run has returned.
func Run(t *testing.T, h Harness) {
	t.Helper()
	if h.Client == nil || h.Text == nil || h.Call == nil {
		t.Fatal("modeltest: Harness.Client, Text and Call are all needed")
	}
	for _, check := range []struct {
		name string
		run  func(*testing.T, Harness)
	}{
		{"Info", checkInfo},
		{"Text", checkText},
		{"RangeTwice", checkRangeTwice},
		{"Break", checkBreak},
		{"CanceledBefore", checkCanceledBefore},
		{"CanceledAmid", checkCanceledAmid},
		{"Stall", checkStall},
		{"RequestUnmodified", checkRequestUnmodified},
		{"Concurrent", checkConcurrent},
		{"RoundTrip", checkRoundTrip},
		{"Generate", checkGenerate},
	} {
		t.Run(check.name, func(t *testing.T) { check.run(t, h) })
	}
}

func checkInfo(t *testing.T, h Harness) {
	if a, b := h.Client.Info(), h.Client.Info(); a != b {
		t.Errorf("Info is %+v and then %+v: want it constant", a, b)
	}
}

func checkText(t *testing.T, h Harness) {
	events := answer(t, h.Client, h.Text)
	checkEvents(t, events)
	text := false
	for _, event := range events {
		switch event.(type) {
		case model.TextDelta:
			text = true
		case model.ToolCall, model.ToolCallDelta, model.InvalidToolCall:
			t.Errorf("%#v in the answer to a request without tools", event)
		}
	}
	if !text {
		t.Error("no TextDelta in the answer to Harness.Text")
	}
}

func checkRangeTwice(t *testing.T, h Harness) {
	stream := h.Client.Stream(t.Context(), h.Text)
	for range 2 {
		var events []model.Event
		for event, err := range stream {
			if err != nil {
				t.Fatalf("the second range may not differ from the first: %v", err)
			}
			events = append(events, event)
		}
		checkEvents(t, events)
	}
}

// checkBreak relies on the language: a client that goes on after the break
// panics.
func checkBreak(t *testing.T, h Harness) {
	for range h.Client.Stream(t.Context(), h.Text) {
		break
	}
	checkEvents(t, answer(t, h.Client, h.Text))
}

func checkCanceledBefore(t *testing.T, h Harness) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	events, err := collect(ctx, h.Client, h.Text, nil)
	if !errors.Is(err, context.Canceled) || len(events) > 0 {
		t.Errorf("with a canceled context: %d events and error %v: want 0 and context.Canceled", len(events), err)
	}
}

func checkCanceledAmid(t *testing.T, h Harness) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events, err := collect(ctx, h.Client, h.Text, cancel)
	if !errors.Is(err, context.Canceled) || len(events) != 1 {
		t.Errorf("canceled at the first event: %d events and error %v: want 1 and context.Canceled", len(events), err)
	}
}

func checkStall(t *testing.T, h Harness) {
	if h.Stall == nil {
		t.Skip("Harness.Stall is nil")
	}
	for range h.Client.Stream(t.Context(), h.Stall) {
		break // must return though more is to come
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events, err := collect(ctx, h.Client, h.Stall, func() { go cancel() })
	if !errors.Is(err, context.Canceled) || len(events) == 0 {
		t.Errorf("canceled while stalled: %d events and error %v: want some and context.Canceled", len(events), err)
	}
}

func checkRequestUnmodified(t *testing.T, h Harness) {
	req := *h.Call
	req.Messages = append(slices.Clone(h.Call.Messages), message.Message{})[:len(h.Call.Messages)]
	before := encoded(t, &req)
	answer(t, h.Client, &req)
	if after := encoded(t, &req); after != before {
		t.Errorf("the request was modified:\nbefore %s\nafter  %s", before, after)
	}
	if spare := req.Messages[:len(req.Messages)+1]; !spare[len(req.Messages)].IsZero() {
		t.Error("the client appended to the request's own messages: clone them first")
	}
}

func checkConcurrent(t *testing.T, h Harness) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			events, err := collect(t.Context(), h.Client, h.Text, nil)
			if err != nil {
				t.Errorf("one of many at once: %v", err)
				return
			}
			checkEvents(t, events)
		})
	}
	wg.Wait()
}

func checkRoundTrip(t *testing.T, h Harness) {
	first, err := model.Generate(t.Context(), h.Client, h.Call)
	if err != nil {
		t.Fatalf("the answer with calls: %v", err)
	}
	calls := first.Message.ToolCalls()
	if len(calls) == 0 || first.Finish.Reason != model.FinishToolCalls {
		t.Fatalf("%d calls and finish %q: want some and %q", len(calls), first.Finish.Reason, model.FinishToolCalls)
	}
	req := *h.Call
	req.Messages = append(slices.Clone(req.Messages), first.Message)
	for _, c := range calls {
		if !slices.ContainsFunc(offered(h.Call), func(name string) bool { return name == c.Name }) {
			t.Errorf("the model called %q, which was not offered", c.Name)
		}
		req.Messages = append(req.Messages, message.Result(message.ToolResult{
			CallID: c.ID, Name: c.Name, Content: []message.Part{message.Text("42")},
		}))
	}
	second, err := model.Generate(t.Context(), h.Client, &req)
	if err != nil {
		t.Fatalf("the answer to the results: %v", err)
	}
	if second.Message.Text() == "" || second.Finish.Reason != model.FinishStop {
		t.Errorf("text %q and finish %q: want some and %q", second.Message.Text(), second.Finish.Reason, model.FinishStop)
	}
}

func checkGenerate(t *testing.T, h Harness) {
	for _, req := range []*model.Request{h.Text, h.Call} {
		events := answer(t, h.Client, req)
		checkEvents(t, events)
		var fold model.Fold
		for _, event := range events {
			fold.Add(event)
		}
		whole, err := model.Generate(t.Context(), h.Client, req)
		if err != nil {
			t.Fatal(err)
		}
		if want := fold.Response(); !reflect.DeepEqual(whole.Message, want.Message) || whole.Finish.Reason != want.Finish.Reason {
			t.Errorf("Generate gives %+v (%s) and Stream %+v (%s)",
				whole.Message, whole.Finish.Reason, want.Message, want.Finish.Reason)
		}
	}
}

func offered(req *model.Request) []string {
	var names []string
	for _, d := range req.Tools {
		names = append(names, d.Name)
	}
	return names
}

// encoded is the request as text, to compare.
func encoded(t *testing.T, req *model.Request) string {
	t.Helper()
	data, err := json.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
