package message

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// Check reports what is wrong with a history, in its order. It is nil for a
// sound one, and then nothing was allocated for it.
//
// A history is sound if providers take it:
//
//   - System messages come first.
//   - Every message says something. The zero Message, which marks a place that
//     is not filled yet, is a problem.
//   - The results of an answer's calls follow that answer directly, one message
//     each, in any order. Each call has exactly one.
//   - Calls have an ID, a name and arguments that are JSON. An ID is unique in
//     its answer; a later turn may use it again.
//   - Reasoning and calls are an assistant's parts, a result is a tool message's
//     only part, and the other parts stand in any other message or in a result.
//
// [Repair] mends all of it.
func Check(history []Message) []Problem {
	c := checker{history: history}
	t := turn{answered: make(map[string]bool)}
	for i, m := range history {
		c.message(&t, i, m)
	}
	c.endTurn(&t)
	slices.SortStableFunc(c.problems, func(a, b Problem) int { return cmp.Compare(a.Index, b.Index) })
	return c.problems
}

// checker walks over a history once.
type checker struct {
	history  []Message
	problems []Problem
	talking  bool     // a message other than the system's was seen
	pairs    *pairing // made when a call or a result misses its other half
}

// turn is the latest message that is neither a result nor a hole. It is no part
// of the checker so that its map stays on the stack.
type turn struct {
	index    int
	answered map[string]bool // by ID of the message's calls: has it a result?
}

func (c *checker) report(i int, kind ProblemKind, format string, args ...any) {
	c.problems = append(c.problems, Problem{i, kind, fmt.Sprintf(format, args...)})
}

func (c *checker) message(t *turn, i int, m Message) {
	if m.IsZero() {
		c.report(i, ProblemHole, "nothing is here yet: fill the place with the result it is kept for, or take it out")
		return
	}
	if m.Role == RoleTool {
		c.toolMessage(t, i, m)
		return
	}
	c.endTurn(t)
	t.index = i
	c.role(i, m.Role)
	for k, p := range m.Parts {
		switch p := p.(type) {
		case ToolCall:
			c.call(t, m.Role, p)
		case ToolResult:
			c.wrongPart(i, m.Role, p)
			c.result(t, i, k, p)
		default:
			if !allowed(m.Role, p) {
				c.wrongPart(i, m.Role, p)
			}
		}
	}
	if hollow(m.Role, m.Parts) {
		c.report(i, ProblemEmptyMessage, "the message says nothing: give it text or take it out")
		return
	}
	c.talking = c.talking || m.Role != RoleSystem
}

func (c *checker) role(i int, r Role) {
	switch {
	case !knownRole(r):
		c.report(i, ProblemUnknownRole, "unknown role %.64q: use system, user, assistant or tool", string(r))
	case r == RoleSystem && c.talking:
		c.report(i, ProblemLateSystem, "a system message stands after the conversation began: move it to the front or make it a user message")
	}
}

func (c *checker) wrongPart(i int, r Role, p Part) {
	c.report(i, ProblemWrongPart, "a message with role %.64q can't hold a part of type %T: take it out", string(r), p)
}

func (c *checker) call(t *turn, r Role, call ToolCall) {
	i := t.index
	if r != RoleAssistant {
		c.wrongPart(i, r, call)
		return
	}
	if !json.Valid(call.Arguments) {
		c.report(i, ProblemInvalidArguments, "the arguments of call %.64q of tool %.64q are not JSON: write {} for none", call.ID, call.Name)
	}
	if !answerable(call) {
		c.report(i, ProblemInvalidCall, "a call has ID %.64q and name %.64q: it needs both, so give it what is missing or take it out", call.ID, call.Name)
		return
	}
	if _, again := t.answered[call.ID]; again {
		c.report(i, ProblemDuplicateCall, "the call ID %.64q stands twice in one answer: take the second call out", call.ID)
		return
	}
	t.answered[call.ID] = false
}

func (c *checker) toolMessage(t *turn, i int, m Message) {
	results := 0
	for k, p := range m.Parts {
		r, ok := p.(ToolResult)
		if !ok {
			c.wrongPart(i, m.Role, p)
			continue
		}
		results++
		c.result(t, i, k, r)
	}
	if results != 1 {
		c.report(i, ProblemToolMessage, "a tool message holds %d results: it needs exactly one", results)
	}
}

func (c *checker) result(t *turn, i, k int, r ToolResult) {
	for _, p := range r.Content {
		if !readable(p) {
			c.report(i, ProblemWrongPart, "the result of call %.64q can't hold a part of type %T: take it out", r.CallID, p)
		}
	}
	done, ok := t.answered[r.CallID]
	if ok && !done && c.history[i].Role == RoleTool {
		t.answered[r.CallID] = true
		return
	}
	_, paired := c.pair().answer[resultAt{i, k}]
	switch {
	case paired:
		c.report(i, ProblemMisplacedResult, "the result of call %.64q does not directly follow the message that calls it: move it there", r.CallID)
	case c.pair().extra[resultAt{i, k}]:
		c.report(i, ProblemDuplicateResult, "call %.64q has a result already: take this one out", r.CallID)
	default:
		c.report(i, ProblemOrphanResult, "no message before calls %.64q: take the result out", r.CallID)
	}
}

// endTurn reports the calls of the turn that no result follows. One whose
// result stands elsewhere is reported there.
func (c *checker) endTurn(t *turn) {
	if len(t.answered) == 0 {
		return
	}
	for _, p := range c.history[t.index].Parts {
		call, ok := p.(ToolCall)
		if !ok {
			continue
		}
		if done, ok := t.answered[call.ID]; !ok || done {
			continue
		}
		t.answered[call.ID] = true // a duplicate of the call is not reported again
		if _, elsewhere := c.pair().result[callAt{t.index, call.ID}]; !elsewhere {
			c.report(t.index, ProblemUnansweredCall, "call %.64q of tool %.64q has no result: add one in a tool message directly after this message", call.ID, call.Name)
		}
	}
	clear(t.answered)
}

func (c *checker) pair() *pairing {
	if c.pairs == nil {
		c.pairs = pair(c.history)
	}
	return c.pairs
}
