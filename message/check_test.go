package message_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/message"
)

func call(id string) message.ToolCall {
	return message.ToolCall{ID: id, Name: "search", Arguments: json.RawMessage(`{}`)}
}

func calls(ids ...string) message.Message {
	m := message.Message{Role: message.RoleAssistant}
	for _, id := range ids {
		m.Parts = append(m.Parts, call(id))
	}
	return m
}

// result's text holds a number, so that tests can tell two results of one ID apart.
func result(id string, n int) message.Message { return message.Result(toolResult(id, n)) }

func toolResult(id string, n int) message.ToolResult {
	return message.ToolResult{CallID: id, Name: "search", Content: []message.Part{message.Text(fmt.Sprintf("found %d", n))}}
}

func unfinished(id string) message.Message {
	return message.Result(message.ToolResult{CallID: id, Name: "search", IsError: true, Content: []message.Part{message.Text(
		`{"success":false,"error":"The call did not finish. Whether it had an effect is unknown: find out before you call it again.","code":"canceled"}`)}})
}

func parts(r message.Role, p ...message.Part) message.Message {
	return message.Message{Role: r, Parts: p}
}

var (
	hole   = message.Message{}
	system = message.System("Be brief.")
	ask    = message.User("Where is it?")
	reply  = message.Assistant(message.Text("There."))
)

type history = []message.Message

// problemCases are unsound histories, what Check says of them, and what Repair
// makes of them.
var problemCases = []struct {
	name string
	in   history
	want string // "index kind" of each problem
	out  history
}{
	{"hole", history{ask, hole, reply}, "1 hole", history{ask, reply}},
	{"hole in place of a result", history{ask, calls("a"), hole},
		"1 unanswered_call, 2 hole", history{ask, calls("a"), unfinished("a")}},
	{"hole between a call and its result", history{ask, calls("a", "b"), hole, result("b", 1)},
		"1 unanswered_call, 2 hole", history{ask, calls("a", "b"), unfinished("a"), result("b", 1)}},
	{"hole before the system message", history{hole, system, ask}, "0 hole", history{system, ask}},
	{"unknown role", history{parts("model", message.Text("There.")), reply},
		"0 unknown_role", history{message.User("There."), reply}},
	{"unknown role with a call", history{parts("model", message.Text("x"), call("a")), result("a", 1)},
		"0 unknown_role, 0 wrong_part, 1 orphan_result", history{message.User("x")}},
	{"late system", history{ask, system, reply}, "1 late_system", history{ask, message.User("Be brief."), reply}},
	{"system after what is dropped", history{result("a", 1), system, ask}, "0 orphan_result", history{system, ask}},
	{"no parts", history{ask, parts(message.RoleUser), reply}, "1 empty_message", history{ask, reply}},
	{"empty text", history{ask, message.User(""), reply}, "1 empty_message", history{ask, reply}},
	{"assistant without text or call", history{ask, message.Assistant(message.Reasoning("Hm.")), reply},
		"1 empty_message", history{ask, reply}},
	{"call in a user message", history{parts(message.RoleUser, message.Text("x"), call("a")), reply},
		"0 wrong_part", history{message.User("x"), reply}},
	{"only a call in a user message", history{parts(message.RoleUser, call("a")), reply},
		"0 wrong_part, 0 empty_message", history{reply}},
	{"reasoning in a system message", history{parts(message.RoleSystem, message.Text("x"), message.Reasoning("y")), ask},
		"0 wrong_part", history{message.System("x"), ask}},
	{"nil part", history{parts(message.RoleUser, message.Text("x"), nil)}, "0 wrong_part", history{message.User("x")}},
	{"pointer to a part", history{parts(message.RoleUser, message.Text("x"), new(message.Text))},
		"0 wrong_part", history{message.User("x")}},
	{"result in a user message", history{ask, calls("a"), parts(message.RoleUser, toolResult("a", 1), message.Text("x"))},
		"2 wrong_part, 2 misplaced_result", history{ask, calls("a"), result("a", 1), message.User("x")}},
	{"result in its own call's message", history{ask, parts(message.RoleAssistant, call("a"), toolResult("a", 1)), reply},
		"1 wrong_part, 1 misplaced_result", history{ask, calls("a"), result("a", 1), reply}},
	{"result in its own call's message and in place", history{parts(message.RoleAssistant, call("a"), toolResult("a", 1)), result("a", 2)},
		"0 wrong_part, 0 duplicate_result", history{calls("a"), result("a", 2)}},
	{"call in a result", history{calls("a"), message.Result(message.ToolResult{CallID: "a", Content: []message.Part{call("b"), message.Text("x")}})},
		"1 wrong_part", history{calls("a"), message.Result(message.ToolResult{CallID: "a", Content: []message.Part{message.Text("x")}})}},
	{"tool message without a result", history{ask, parts(message.RoleTool, message.Text("x")), reply},
		"1 wrong_part, 1 tool_message", history{ask, reply}},
	{"tool message with text beside its result", history{calls("a"), parts(message.RoleTool, message.Text("x"), toolResult("a", 1))},
		"1 wrong_part", history{calls("a"), message.Result(message.ToolResult{CallID: "a", Name: "search",
			Content: []message.Part{message.Text("found 1"), message.Text("x")}})}},
	{"tool message with two results", history{calls("a", "b"), parts(message.RoleTool, toolResult("b", 2), toolResult("a", 1))},
		"1 tool_message", history{calls("a", "b"), result("a", 1), result("b", 2)}},
	{"call without an ID", history{ask, parts(message.RoleAssistant, message.Text("x"), call("")), result("", 1)},
		"1 invalid_call, 2 orphan_result", history{ask, message.Assistant(message.Text("x"))}},
	{"call without a name", history{ask, parts(message.RoleAssistant, message.ToolCall{ID: "a", Arguments: json.RawMessage(`{}`)}), result("a", 1), reply},
		"1 invalid_call, 1 empty_message, 2 orphan_result", history{ask, reply}},
	{"arguments cut short", history{parts(message.RoleAssistant, message.ToolCall{ID: "a", Name: "search", Arguments: json.RawMessage(`{"q":`)}), result("a", 1)},
		"0 invalid_arguments", history{calls("a"), result("a", 1)}},
	{"no arguments", history{parts(message.RoleAssistant, message.ToolCall{ID: "a", Name: "search"}), result("a", 1)},
		"0 invalid_arguments", history{calls("a"), result("a", 1)}},
	{"two calls with one ID", history{calls("a", "b", "a"), result("a", 1), result("b", 2)},
		"0 duplicate_call", history{calls("a", "b"), result("a", 1), result("b", 2)}},
	{"two unanswered calls with one ID", history{calls("a", "a")},
		"0 duplicate_call, 0 unanswered_call", history{calls("a"), unfinished("a")}},
	{"unanswered at the end", history{ask, calls("a")}, "1 unanswered_call", history{ask, calls("a"), unfinished("a")}},
	{"one of three unanswered", history{ask, calls("a", "b", "c"), result("c", 3), result("a", 1), reply},
		"1 unanswered_call", history{ask, calls("a", "b", "c"), result("a", 1), unfinished("b"), result("c", 3), reply}},
	{"ID of an answered turn, unanswered", history{calls("a"), result("a", 1), ask, calls("a"), ask},
		"3 unanswered_call", history{calls("a"), result("a", 1), ask, calls("a"), unfinished("a"), ask}},
	{"orphan result", history{ask, result("a", 1), reply}, "1 orphan_result", history{ask, reply}},
	{"result of another ID", history{calls("a"), result("b", 1)},
		"0 unanswered_call, 1 orphan_result", history{calls("a"), unfinished("a")}},
	{"result after a user message", history{calls("a"), ask, result("a", 1)},
		"2 misplaced_result", history{calls("a"), result("a", 1), ask}},
	{"result after other answers", history{calls("a"), reply, calls("b"), result("b", 2), result("a", 1)},
		"4 misplaced_result", history{calls("a"), result("a", 1), reply, calls("b"), result("b", 2)}},
	{"late result with an ID that is used again goes to the nearest call", history{calls("a"), calls("a"), ask, result("a", 1)},
		"0 unanswered_call, 3 misplaced_result", history{calls("a"), unfinished("a"), calls("a"), result("a", 1), ask}},
	{"result directly before its call", history{ask, result("a", 1), hole, calls("a"), reply},
		"1 misplaced_result, 2 hole", history{ask, calls("a"), result("a", 1), reply}},
	{"result before its call and in place", history{ask, result("a", 1), calls("a"), result("a", 2)},
		"1 duplicate_result", history{ask, calls("a"), result("a", 2)}},
	{"result further up may be of a turn that is gone", history{result("a", 1), ask, calls("a"), reply},
		"0 orphan_result, 2 unanswered_call", history{ask, calls("a"), unfinished("a"), reply}},
	{"two results for one call", history{calls("a"), result("a", 1), result("a", 2)},
		"2 duplicate_result", history{calls("a"), result("a", 1)}},
	{"second result before a call with the same ID", history{calls("a"), result("a", 1), result("a", 2), calls("a")},
		"2 duplicate_result, 3 unanswered_call", history{calls("a"), result("a", 1), calls("a"), unfinished("a")}},
	{"only holes", history{hole, hole}, "0 hole, 1 hole", history{}},
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, tt := range problemCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, p := range message.Check(tt.in) {
				got = append(got, fmt.Sprintf("%d %s", p.Index, p.Kind))
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// soundCases are histories that providers take.
var soundCases = []struct {
	name string
	in   history
}{
	{"empty", nil},
	{"system only", history{system, system}},
	{"a talk", history{system, ask, reply, ask, reply}},
	{"two users in a row", history{ask, ask}},
	{"calls in two turns", history{ask, calls("a", "b"), result("a", 1), result("b", 2), calls("c"), result("c", 3), reply}},
	{"results in any order", history{ask, calls("a", "b"), result("b", 2), result("a", 1), reply}},
	{"ID of an earlier turn", history{ask, calls("a"), result("a", 1), calls("a"), result("a", 2), reply}},
	{"text, thought and call", history{ask, message.Assistant(message.Reasoning("x"), message.Text("y"), call("a")), result("a", 1)}},
	{"picture in, picture out", history{parts(message.RoleUser, message.Image{URL: "https://example.com/a.png"}), message.Assistant(message.Image{Data: []byte{1}})}},
	{"result without content", history{calls("a"), message.Result(message.ToolResult{CallID: "a"})}},
	{"arguments that are no object", history{message.Assistant(message.ToolCall{ID: "a", Name: "n", Arguments: json.RawMessage(`"x"`)}), result("a", 1)}},
	{"more calls than a small map holds", longTurn(50)},
}

func longTurn(n int) history {
	answer := calls()
	h := history{ask, answer}
	for i := range n {
		id := fmt.Sprintf("call_%d", i)
		answer.Parts = append(answer.Parts, call(id))
		h = append(h, result(id, i))
	}
	h[1] = answer
	return h
}

func TestCheckSound(t *testing.T) {
	t.Parallel()
	for _, tt := range soundCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := message.Check(tt.in); got != nil {
				t.Errorf("got %v, want none", got)
			}
		})
	}
}

// A problem's text reaches logs, and arguments and results may hold secrets.
func TestProblemsHoldNoPayload(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	r := message.ToolResult{CallID: "a", Content: []message.Part{message.Text(secret), message.Reasoning(secret)}}
	h := history{
		message.Result(r),
		message.Assistant(message.Text(secret), message.ToolCall{ID: "a", Name: "login", Arguments: json.RawMessage(`{"password":"` + secret)}),
		message.Result(r), message.Result(r),
		parts("robot", message.Text(secret), message.Reasoning(secret), r),
	}
	problems := message.Check(h)
	if len(problems) < 6 {
		t.Fatalf("got %d problems, want at least 6", len(problems))
	}
	for _, p := range problems {
		if strings.Contains(p.String(), secret) {
			t.Errorf("%s: shows a payload", p)
		}
	}
}

// soundHistory has n messages, in turns of a question, two calls, their results
// and an answer.
func soundHistory(n int) history {
	h := history{system}
	for i := 0; len(h) < n; i++ {
		a, b := fmt.Sprintf("call_%d", i), fmt.Sprintf("call_%d_b", i)
		h = append(h, ask, calls(a, b), result(a, i), result(b, i), reply)
	}
	return h[:n:n]
}

func BenchmarkRepairSound(b *testing.B) {
	h := soundHistory(200)
	b.ReportAllocs()
	for b.Loop() {
		message.Repair(h)
	}
}

func BenchmarkRepairUnanswered(b *testing.B) {
	h := append(soundHistory(200), calls("last"))
	b.ReportAllocs()
	for b.Loop() {
		message.Repair(h)
	}
}
