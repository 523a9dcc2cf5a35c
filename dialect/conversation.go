package dialect

import (
	"fmt"
	"slices"
	"strings"

	"helve/message"
)

// conversation writes messages for a model that knows no calls: those that it
// made as it wrote them, their results in the form of the dialect. taught says that
// the prompt teaches the dialect: then its answers are as it was to write them too,
// or it would take what it sees of itself for an example. role is that of results.
func (d *Dialect) conversation(messages []message.Message, taught bool, role message.Role) []message.Message {
	if d.write == nil {
		return slices.Clone(messages)
	}
	names := map[string]string{} // of the calls, by ID
	var out []message.Message
	results := false // the last message of out has results
	for _, m := range messages {
		result, isResult := m.ToolResult()
		switch {
		case isResult && role == message.RoleTool:
			out = append(out, m)
		case isResult:
			if result.Name == "" {
				result.Name = names[result.CallID]
			}
			parts := d.resultParts(result)
			if results { // one message for all results of an answer
				last := &out[len(out)-1]
				last.Parts = append(addText(last.Parts, "\n"+d.result(result, result.Name)), parts[1:]...)
				continue
			}
			out = append(out, message.Message{Role: role, Parts: parts})
		case m.Role == message.RoleAssistant:
			calls := m.ToolCalls()
			for _, c := range calls {
				names[c.ID] = c.Name
			}
			if taught && d.reply != nil && len(calls) == 0 {
				out = append(out, d.replied(m))
				break
			}
			out = append(out, d.answer(m))
		default:
			out = append(out, m)
		}
		results = isResult && role != message.RoleTool
	}
	return out
}

// replied writes the text of an assistant's message as an answer without a call.
func (d *Dialect) replied(m message.Message) message.Message {
	var parts []message.Part
	said := false
	for _, p := range m.Parts {
		if _, ok := p.(message.Text); !ok {
			parts = append(parts, p)
		} else if !said {
			parts = append(parts, message.Text(d.reply(m.Text())))
			said = true
		}
	}
	m.Parts = parts
	return m
}

// answer writes the calls of an assistant's message as text, where they stand.
func (d *Dialect) answer(m message.Message) message.Message {
	var parts []message.Part
	var calls []message.ToolCall
	flush := func() {
		if len(calls) == 0 {
			return
		}
		text := d.Write(calls)
		if len(parts) > 0 {
			text = "\n" + text
		}
		parts = append(parts, message.Text(text))
		calls = nil
	}
	for _, p := range m.Parts {
		if c, ok := p.(message.ToolCall); ok {
			calls = append(calls, c)
			continue
		}
		flush()
		parts = append(parts, p)
	}
	flush()
	m.Parts = parts
	return m
}

// addText adds to the text that parts end with. Two pieces of text would not do:
// there are clients that send each on a line of its own.
func addText(parts []message.Part, text string) []message.Part {
	if n := len(parts) - 1; n >= 0 {
		if before, ok := parts[n].(message.Text); ok {
			return append(parts[:n:n], before+message.Text(text))
		}
	}
	return append(parts, message.Text(text))
}

// resultParts is a result for the model; images and the like follow the text.
func (d *Dialect) resultParts(r message.ToolResult) []message.Part {
	parts := []message.Part{message.Text(d.result(r, r.Name))}
	for _, p := range r.Content {
		if _, ok := p.(message.Text); !ok {
			parts = append(parts, p)
		}
	}
	return parts
}

func countCalls(messages []message.Message) int {
	n := 0
	for _, m := range messages {
		n += len(m.ToolCalls())
	}
	return n
}

// CallID is the ID of the n-th call of a conversation, counted from 1: what the
// model wrote, where that can be an ID, else call_1 and so on.
func CallID(c *Call, n int) string {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	if c.ID != "" && len(c.ID) <= 64 && strings.Trim(c.ID, allowed) == "" {
		return c.ID
	}
	return fmt.Sprintf("call_%d", n)
}
