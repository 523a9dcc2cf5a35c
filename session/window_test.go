package session_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/message"
	"helve/session"
)

// Each message of these tests has as many tokens as its text has bytes, or 1.
func byLength(m message.Message) int { return max(1, len(m.Text())) }

func user(n int) message.Message { return message.User(strings.Repeat("u", n)) }

func assistant(n int) message.Message {
	return message.Assistant(message.Text(strings.Repeat("a", n)))
}

func called(id string) message.Message {
	return message.Assistant(message.ToolCall{ID: id, Name: "n", Arguments: json.RawMessage(`{}`)})
}

func answered(id string) message.Message { return message.Result(message.ToolResult{CallID: id}) }

func TestWindowFit(t *testing.T) {
	t.Parallel()
	type history = []message.Message
	sys := message.System("sys") // 3 tokens
	talk := history{sys, user(10), assistant(10), user(5), called("a"), answered("a"), assistant(5), user(2)}
	tests := []struct {
		name string
		max  int
		in   history
		want history
	}{
		{"empty", 10, nil, nil},
		{"no limit", 0, talk, talk},
		{"negative is no limit", -1, talk, talk},
		{"all fits exactly", 37, talk, talk},
		{"the oldest turn goes", 36, talk, append(history{sys}, talk[3:]...)},
		{"two turns fit exactly", 17, talk, append(history{sys}, talk[3:]...)},
		{"a turn goes whole", 16, talk, append(history{sys}, talk[7:]...)},
		{"the last turn fits exactly", 5, talk, append(history{sys}, talk[7:]...)},
		{"the last turn stays over the limit", 1, talk, append(history{sys}, talk[7:]...)},
		{"no system message", 18, talk[1:], talk[3:]},
		{"several system messages", 8, append(history{sys}, talk...), append(history{sys, sys}, talk[7:]...)},
		{"only system messages", 1, history{sys, sys}, history{sys, sys}},
		{"the last turn has calls", 1, talk[:7], append(history{sys}, talk[3:7]...)},
		{"starts with the assistant", 10, history{assistant(9), user(2), assistant(2)}, history{user(2), assistant(2)}},
		{"starts with the assistant and fits", 13, history{assistant(9), user(2), assistant(2)}, history{assistant(9), user(2), assistant(2)}},
		{"two user messages in a row", 3, history{user(2), user(3)}, history{user(3)}},
		{"no user message", 5, history{sys, assistant(9), called("a"), answered("a")}, history{sys, called("a"), answered("a")}},
		{"no user message, nothing fits", 1, history{called("a"), answered("a")}, history{called("a"), answered("a")}},
		{"a large turn hides small older ones", 12, history{user(1), user(20), user(2)}, history{user(2)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := session.Window{MaxTokens: tt.max, Count: byLength}.Fit(tt.in)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
		})
	}
}

// What Fit returns may be appended to without touching the history.
func TestWindowFitCanBeAppendedTo(t *testing.T) {
	t.Parallel()
	in := make([]message.Message, 0, 8)
	in = append(in, user(9), assistant(9), user(1))
	got := session.Window{MaxTokens: 1, Count: byLength}.Fit(in)
	_ = append(got, message.User("next"))
	if next := in[:4][3]; !next.IsZero() {
		t.Errorf("an append to what was kept wrote %v behind the history", next)
	}
}

// FuzzWindowFit builds a sound history from the bytes, one message each, and
// fits it into two limits.
func FuzzWindowFit(f *testing.F) {
	f.Add([]byte("sUaCrAuCCrrau"), 10, 3)
	f.Add([]byte("aCrCr"), 4, 100)
	f.Add([]byte("ssu"), 1, 0)
	f.Add([]byte{}, 5, 6)
	f.Fuzz(func(t *testing.T, data []byte, limit, more int) {
		limit, more = 1+abs(limit)%500, abs(more)%500
		in, _ := message.Repair(build(data))
		before := append([]message.Message(nil), in...)
		got := session.Window{MaxTokens: limit, Count: byLength}.Fit(in)
		if diff := cmp.Diff(before, in); diff != "" {
			t.Errorf("input changed (-before +after):\n%s", diff)
		}
		if problems := message.Check(got); problems != nil {
			t.Errorf("what was kept is not sound: %v", problems)
		}

		lead := 0
		for lead < len(in) && in[lead].Role == message.RoleSystem {
			lead++
		}
		rest := len(got) - lead
		if rest < 0 {
			t.Fatalf("kept %d messages of %d, fewer than the %d of the system", len(got), len(in), lead)
		}
		want := append(append([]message.Message(nil), in[:lead]...), in[len(in)-rest:]...)
		if diff := cmp.Diff(want, append([]message.Message(nil), got...)); diff != "" {
			t.Errorf("not the system's messages and a suffix (-want +got):\n%s", diff)
		}
		last := lastTurn(in, lead)
		if rest < len(in)-last {
			t.Errorf("kept %d messages of the talk, fewer than the last turn's %d", rest, len(in)-last)
		}
		if tokens(got) > limit && rest != len(in)-last {
			t.Errorf("kept %d tokens, over %d, with more than the last turn", tokens(got), limit)
		}
		if rest < len(in)-lead && rest > 0 && in[last].Role == message.RoleUser && got[lead].Role != message.RoleUser {
			t.Errorf("what was kept starts with role %s", got[lead].Role)
		}
		if wider := (session.Window{MaxTokens: limit + more, Count: byLength}).Fit(in); len(wider) < len(got) {
			t.Errorf("limit %d keeps %d messages, limit %d only %d", limit, len(got), limit+more, len(wider))
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}

func tokens(messages []message.Message) int {
	n := 0
	for _, m := range messages {
		n += byLength(m)
	}
	return n
}

// lastTurn is where the last user message is, or else the last assistant's.
func lastTurn(messages []message.Message, lead int) int {
	for _, role := range []message.Role{message.RoleUser, message.RoleAssistant} {
		for i := len(messages) - 1; i >= lead; i-- {
			if messages[i].Role == role {
				return i
			}
		}
	}
	return len(messages)
}

func build(data []byte) []message.Message {
	var h []message.Message
	for i, b := range data[:min(len(data), 100)] {
		id := fmt.Sprintf("c%d", b%3)
		switch n := 1 + int(b)%17; "suUaACr"[int(b)*i%7] {
		case 's':
			h = append(h, message.System(strings.Repeat("s", n)))
		case 'u', 'U':
			h = append(h, user(n))
		case 'a', 'A':
			h = append(h, assistant(n))
		case 'C':
			h = append(h, called(id))
		case 'r':
			h = append(h, answered(id))
		}
	}
	return h
}

func BenchmarkWindowFit(b *testing.B) {
	var h []message.Message
	for range 50 {
		h = append(h, message.User(strings.Repeat("word ", 50)), called("a"), answered("a"), message.Assistant(message.Text(strings.Repeat("text ", 200))))
	}
	w := session.Window{MaxTokens: 8000}
	b.ReportAllocs()
	for b.Loop() {
		w.Fit(h)
	}
}
