package session_test

import (
	"encoding/json"
	"strings"
	"testing"

	"helve/message"
	"helve/session"
)

func TestEstimate(t *testing.T) {
	t.Parallel()
	const frame = 4 // of every message
	tests := []struct {
		name string
		msg  message.Message
		want int
	}{
		{"zero", message.Message{}, frame},
		{"four letters", message.User("word"), frame + 1},
		{"five letters", message.User("words"), frame + 2},
		{"English", message.User(strings.Repeat("word", 100)), frame + 100},
		{"Cyrillic", message.User("слово!"), frame + 3},
		{"Chinese", message.User("今天天气怎么样"), frame + 7},
		{"emoji", message.User("🙂🙂"), frame + 2},
		{"not UTF-8", message.User("\xff\xff"), frame + 2},
		{"reasoning", message.Assistant(message.Reasoning("a long thought"), message.Text("word")), frame + 1},
		{"image", message.Message{Parts: []message.Part{message.Image{Data: make([]byte, 1<<20)}}}, frame + 1000},
		{"link", message.Message{Parts: []message.Part{message.Resource{URI: "file:///a"}}}, frame + 3},
		{"text resource", message.Message{Parts: []message.Part{message.Resource{URI: "file", Text: "words"}}}, frame + 1 + 2},
		{"binary resource", message.Message{Parts: []message.Part{message.Resource{URI: "file", Data: []byte{1}}}}, frame + 1 + 1000},
		{"call", message.Assistant(message.ToolCall{ID: "x", Name: "look", Arguments: json.RawMessage(`{"q":"ab"}`)}), frame + 8 + 1 + 3},
		{"result", message.Result(message.ToolResult{Content: []message.Part{message.Text("word"), message.Image{URL: "u"}}}), frame + 8 + 1 + 1000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := session.Estimate(tt.msg); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}
