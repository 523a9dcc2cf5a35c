package message

import "encoding/json"

// unfinished is what a model reads in place of a result that never came. It has
// the form of a tool's error.
const unfinished Text = `{"success":false,"error":"The call did not finish. Whether it had an effect is unknown: find out before you call it again.","code":"canceled"}`

// Repair returns history as providers take it, and what [Check] says was wrong.
// A sound history is returned as it is, without a copy, so Repair may run
// before every call of a model. It does not modify history.
//
//   - A call without a result gets one that says that it did not finish and that
//     its effect is unknown.
//   - Results are put directly behind their calls, in call order. A result
//     without a call is dropped, and so is a second one. It does not become
//     text: a tool's output in a person's mouth would speak with the person's
//     authority.
//   - Arguments that are not JSON become {}. A call that no result can name is
//     dropped, and so is the second with the same ID in one answer.
//   - A message of an unknown role, or the system's after the conversation began,
//     becomes the user's: it keeps its place and its text.
//   - Holes, empty messages and parts that their message can't hold are dropped.
//     Other parts of a tool message become content of its result.
func Repair(history []Message) ([]Message, []Problem) {
	problems := Check(history)
	if len(problems) == 0 {
		return history, nil
	}
	return rebuild(history), problems
}

// rebuild writes a sound history from what is usable in history.
func rebuild(history []Message) []Message {
	pairs := pair(history)
	out := make([]Message, 0, len(history)+1)
	talking := false
	for i, m := range history {
		if m.IsZero() || m.Role == RoleTool || hollow(m.Role, m.Parts) {
			continue // results are written with their calls
		}
		if !knownRole(m.Role) || m.Role == RoleSystem && talking {
			m.Role = RoleUser
		}
		talking = talking || m.Role != RoleSystem
		m.Parts = mendParts(m)
		out = append(out, m)
		for _, p := range m.Parts {
			call, ok := p.(ToolCall)
			if !ok {
				continue
			}
			if at, ok := pairs.result[callAt{i, call.ID}]; ok {
				out = append(out, Result(mendResult(history, at)))
			} else {
				out = append(out, Result(ToolResult{CallID: call.ID, Name: call.Name, Content: []Part{unfinished}, IsError: true}))
			}
		}
	}
	return out
}

// mendParts returns the parts of m that may stay, with their calls mended.
func mendParts(m Message) []Part {
	parts := make([]Part, 0, len(m.Parts))
	called := map[string]bool{}
	for _, p := range m.Parts {
		if !allowed(m.Role, p) {
			continue
		}
		if call, ok := p.(ToolCall); ok {
			if !answerable(call) || called[call.ID] {
				continue
			}
			called[call.ID] = true
			if !json.Valid(call.Arguments) {
				call.Arguments = json.RawMessage("{}")
			}
			p = call
		}
		parts = append(parts, p)
	}
	return parts
}

// mendResult returns the result at a place of history with content that a model
// can read. What else a tool message holds goes to its first result.
func mendResult(history []Message, at resultAt) ToolResult {
	m := history[at.message]
	r := resultIn(history, at)
	r.Content = appendReadable(make([]Part, 0, len(r.Content)), r.Content)
	if m.Role == RoleTool && at.part == firstResult(m) {
		r.Content = appendReadable(r.Content, m.Parts)
	}
	return r
}

func appendReadable(dst, parts []Part) []Part {
	for _, p := range parts {
		if readable(p) {
			dst = append(dst, p)
		}
	}
	return dst
}

func firstResult(m Message) int {
	for k, p := range m.Parts {
		if _, ok := p.(ToolResult); ok {
			return k
		}
	}
	return -1
}
