package message_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/message"
)

func TestMessageText(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		msg  message.Message
		want string
	}{
		{"zero", message.Message{}, ""},
		{"one", message.User("a"), "a"},
		{"joined around other parts", message.Assistant(message.Text("a"), call("c"), message.Text("b")), "ab"},
		{"reasoning is not text", message.Assistant(message.Reasoning("Hm.")), ""},
		{"a result's text is not the message's", result("c", 1), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := tt.msg.Text(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestMessageToolCalls(t *testing.T) {
	t.Parallel()
	m := message.Assistant(message.Text("x"), call("a"), message.Text("y"), call("b"))
	if diff := cmp.Diff([]message.ToolCall{call("a"), call("b")}, m.ToolCalls()); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if got := reply.ToolCalls(); got != nil {
		t.Errorf("got %v, want nil", got)
	}
}

func TestMessageToolResult(t *testing.T) {
	t.Parallel()
	got, ok := result("a", 7).ToolResult()
	if !ok || got.CallID != "a" || got.Text() != "found 7" {
		t.Errorf("got %+v, %v", got, ok)
	}
	if _, ok := ask.ToolResult(); ok {
		t.Error("got a result in a user message")
	}
}
