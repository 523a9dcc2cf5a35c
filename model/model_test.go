package model_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"helve/message"
	"helve/model"
	"helve/model/modeltest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var add = message.ToolCall{ID: "a", Name: "add", Arguments: json.RawMessage(`{"x":1}`)}

func hello() *model.Request {
	return &model.Request{Messages: []message.Message{message.User("hello")}}
}

func TestGenerate(t *testing.T) {
	t.Parallel()
	bad := model.InvalidToolCall{ID: "b", Err: &model.ArgumentsError{Tool: "sub", Raw: "{", Err: errors.New("unexpected end")}}
	cut := errors.New("cut")
	tests := []struct {
		name string
		turn modeltest.Turn
		want model.Response
		err  error
	}{
		{
			name: "nothing but a finish",
			turn: modeltest.Text(),
			want: model.Response{Message: message.Assistant(), Finish: model.Finish{Reason: "stop"}},
		},
		{
			name: "text, reasoning and calls in the order they came",
			turn: modeltest.Turn{Events: []model.Event{
				model.ReasoningDelta("h"), model.ReasoningDelta("m"),
				model.TextDelta("I'll "), model.TextDelta("add."),
				model.ToolCallDelta{Index: 0, ID: "a", Name: "add", Arguments: `{"x":1}`},
				model.ToolCall(add),
				model.ToolCall(add),
				model.TextDelta("And"),
				model.ReasoningDelta("so"),
				model.TextDelta("o"), model.ReasoningDelta(""), model.TextDelta("n"),
				model.Finish{Reason: "tool_calls", Usage: model.Usage{InputTokens: 1}, ID: "x"},
			}},
			want: model.Response{
				Message: message.Assistant(
					message.Reasoning("hm"), message.Text("I'll add."), add, add,
					message.Text("And"), message.Reasoning("so"), message.Text("on"),
				),
				Finish: model.Finish{Reason: "tool_calls", Usage: model.Usage{InputTokens: 1}, ID: "x"},
			},
		},
		{
			name: "arguments that are not JSON",
			turn: modeltest.Turn{Events: []model.Event{model.TextDelta("hi"), bad, model.ToolCall(add), model.Finish{Reason: "tool_calls"}}},
			want: model.Response{
				Message: message.Assistant(message.Text("hi"), add),
				Invalid: []model.InvalidToolCall{{ID: "b", Err: bad.Err, Part: 1}},
				Finish:  model.Finish{Reason: "tool_calls"},
			},
			err: bad.Err,
		},
		{
			name: "an error amid text",
			turn: modeltest.Turn{Events: []model.Event{model.TextDelta("hi")}, Err: cut},
			want: model.Response{Message: message.Assistant(message.Text("hi"))},
			err:  cut,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := model.Generate(t.Context(), modeltest.NewScript(tt.turn), hello())
			if !errors.Is(err, tt.err) {
				t.Errorf("error %v: want %v", err, tt.err)
			}
			if diff := cmp.Diff(&tt.want, got, cmp.Comparer(func(a, b error) bool { return errors.Is(a, b) })); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// TestFoldGoesOn checks that a Response does not change when the Fold goes on.
func TestFoldGoesOn(t *testing.T) {
	t.Parallel()
	var fold model.Fold
	if got := fold.Response(); len(got.Message.Parts) != 0 {
		t.Errorf("the zero Fold holds %v", got.Message)
	}
	fold.Add(model.TextDelta("one"))
	fold.Add(model.ToolCall(add))
	first := fold.Response()
	for range 5 {
		fold.Add(model.TextDelta(" two"))
		fold.Response()
	}
	if diff := cmp.Diff(message.Assistant(message.Text("one"), add), first.Message); diff != "" {
		t.Errorf("the first response changed: -want +got\n%s", diff)
	}
	want := message.Assistant(message.Text("one"), add, message.Text(" two two two two two"))
	if diff := cmp.Diff(want, fold.Response().Message); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestToolChoice(t *testing.T) {
	t.Parallel()
	for choice, want := range map[model.ToolChoice]string{
		model.ChooseAuto:          "",
		model.ChooseNone:          "",
		model.ChooseRequired:      "",
		model.ChooseTool(""):      "",
		model.ChooseTool("none"):  "none",
		model.ChooseTool("tool:"): "tool:",
	} {
		if got, ok := choice.Named(); got != want || ok != (want != "") {
			t.Errorf("%q.Named() = %q, %v: want %q", choice, got, ok, want)
		}
	}
}

func TestTemporary(t *testing.T) {
	t.Parallel()
	tests := []struct {
		err  model.APIError
		want bool
	}{
		{model.APIError{Status: 400}, false},
		{model.APIError{Status: 401}, false},
		{model.APIError{Status: 408}, true},
		{model.APIError{Status: 409}, true},
		{model.APIError{Status: 425}, true},
		{model.APIError{Status: 429}, true},
		{model.APIError{Status: 429, Code: "insufficient_quota"}, false},
		{model.APIError{Status: 500}, true},
		{model.APIError{Status: 529}, true},
		{model.APIError{Status: 200}, false},
		{model.APIError{Type: "invalid_request_error"}, false},
		{model.APIError{Type: "server_error"}, true},
		{model.APIError{Type: "rate_limit_error"}, true},
	}
	for _, tt := range tests {
		if got := tt.err.Temporary(); got != tt.want {
			t.Errorf("%+v.Temporary() = %v", tt.err, got)
		}
	}
}

func TestArgumentsErrorIsCut(t *testing.T) {
	t.Parallel()
	raw := "{" + strings.Repeat("世界", 36)
	err := &model.ArgumentsError{Tool: "add", Raw: raw, Err: errors.New("why")}
	got := err.Error()
	if want := "model called add with arguments that are not JSON: {世界"; len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("error %q: want it to begin with %q", got, want)
	}
	if want := "… (217 bytes in all) (why)"; got[len(got)-len(want):] != want {
		t.Errorf("error %q: want it to end in %q", got, want)
	}
}
