package message

// callAt names one call of a history. Providers use IDs again in later turns,
// so the ID alone does not.
type callAt struct {
	message int
	id      string
}

// resultAt names one result of a history: its message and its place in it.
type resultAt struct{ message, part int }

// pairing says which result answers which call, wherever the result stands. A
// result that is in none of the maps answers nothing.
type pairing struct {
	result map[callAt]resultAt
	answer map[resultAt]callAt // the same, seen from the result
	extra  map[resultAt]bool   // results of calls that already had one
}

// pair finds the result of each call. A result belongs to the nearest message
// before it that calls its ID, and the first result of a call is the one that
// counts.
//
// A result before its call is taken only where it stands directly before the
// message that calls, or in it. Further up, the same ID more likely belongs to a turn that
// is gone, and a model must not read one call's result as another's.
func pair(history []Message) *pairing {
	p := &pairing{map[callAt]resultAt{}, map[resultAt]callAt{}, map[resultAt]bool{}}
	caller := map[string]int{} // by call ID, the nearest message so far that calls it
	var early []resultAt       // results without a call, directly before this message
	type match struct {
		call   callAt
		result resultAt
	}
	var premature []match
	for i, m := range history {
		if m.IsZero() {
			continue
		}
		if m.Role == RoleAssistant {
			for _, part := range m.Parts {
				if c, ok := part.(ToolCall); ok && answerable(c) {
					caller[c.ID] = i
				}
			}
			for _, at := range early {
				id := resultIn(history, at).CallID
				if by, ok := caller[id]; ok && by == i {
					premature = append(premature, match{callAt{i, id}, at})
				}
			}
		}
		if m.Role != RoleTool {
			early = early[:0]
		}
		for k, part := range m.Parts {
			r, ok := part.(ToolResult)
			if !ok {
				continue
			}
			at := resultAt{i, k}
			by, called := caller[r.CallID]
			switch {
			case called && by == i:
				premature = append(premature, match{callAt{by, r.CallID}, at})
			case called:
				p.add(callAt{by, r.CallID}, at)
			case m.Role == RoleTool:
				early = append(early, at)
			}
		}
	}
	for _, m := range premature { // last, so that a result in its right place wins
		p.add(m.call, m.result)
	}
	return p
}

func (p *pairing) add(c callAt, r resultAt) {
	if _, taken := p.result[c]; taken {
		p.extra[r] = true
		return
	}
	p.result[c], p.answer[r] = r, c
}

func resultIn(history []Message, at resultAt) ToolResult {
	return history[at.message].Parts[at.part].(ToolResult)
}
