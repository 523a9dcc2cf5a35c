package session

import (
	"bytes"
	"slices"

	"helve/message"
)

func cloneAll(messages []message.Message) []message.Message {
	out := make([]message.Message, len(messages))
	for i, m := range messages {
		out[i] = clone(m)
	}
	return out
}

// clone returns a copy of m that shares nothing with it that can be changed,
// apart from artifacts.
func clone(m message.Message) message.Message {
	return message.Message{Role: m.Role, Parts: cloneParts(m.Parts)}
}

func cloneParts(parts []message.Part) []message.Part {
	parts = slices.Clone(parts)
	for i, p := range parts {
		switch p := p.(type) {
		case message.Image:
			p.Data = bytes.Clone(p.Data)
			parts[i] = p
		case message.Audio:
			p.Data = bytes.Clone(p.Data)
			parts[i] = p
		case message.File:
			p.Data = bytes.Clone(p.Data)
			parts[i] = p
		case message.Resource:
			p.Data = bytes.Clone(p.Data)
			parts[i] = p
		case message.ToolCall:
			p.Arguments = bytes.Clone(p.Arguments)
			parts[i] = p
		case message.ToolResult:
			p.Content = cloneParts(p.Content)
			parts[i] = p
		}
	}
	return parts
}
