package model_test

import (
	"context"
	"errors"
	"testing"

	"helve/model"
	"helve/model/modeltest"
)

func TestFallback(t *testing.T) {
	t.Parallel()
	one, two := errors.New("one"), errors.New("two")
	amid := modeltest.Turn{Events: []model.Event{model.TextDelta("half")}, Err: one}
	tests := []struct {
		name     string
		turns    [2]modeltest.Turn
		text     string
		errs     []error
		requests [2]int
	}{
		{"the first answers", [2]modeltest.Turn{modeltest.Text("1"), modeltest.Text("2")}, "1", nil, [2]int{1, 0}},
		{"the first fails", [2]modeltest.Turn{modeltest.Fail(one), modeltest.Text("2")}, "2", nil, [2]int{1, 1}},
		{"both fail", [2]modeltest.Turn{modeltest.Fail(one), modeltest.Fail(two)}, "", []error{one, two}, [2]int{1, 1}},
		{"the first fails after an event", [2]modeltest.Turn{amid, modeltest.Text("2")}, "half", []error{one}, [2]int{1, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			first, second := modeltest.NewScript(tt.turns[0]), modeltest.NewScript(tt.turns[1])
			resp, err := model.Generate(t.Context(), model.Fallback(first, second), hello())
			if got := resp.Message.Text(); got != tt.text {
				t.Errorf("text %q: want %q", got, tt.text)
			}
			if (err != nil) != (len(tt.errs) > 0) {
				t.Errorf("error %v: want %v", err, tt.errs)
			}
			for _, want := range tt.errs {
				if !errors.Is(err, want) {
					t.Errorf("error %v: want it to hold %v", err, want)
				}
			}
			if got := [2]int{len(first.Requests()), len(second.Requests())}; got != tt.requests {
				t.Errorf("requests %v: want %v", got, tt.requests)
			}
		})
	}
}

func TestFallbackCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	second := modeltest.NewScript(modeltest.Text("2"))
	_, err := model.Generate(ctx, model.Fallback(modeltest.NewScript(modeltest.Text("1")), second), hello())
	if !errors.Is(err, context.Canceled) || len(second.Requests()) > 0 {
		t.Errorf("error %v and %d requests to the second: want none", err, len(second.Requests()))
	}
}
