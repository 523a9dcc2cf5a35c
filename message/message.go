package message

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Role says who speaks.
type Role string

const (
	RoleSystem    Role = "system"    // the host's instructions
	RoleUser      Role = "user"      // the person
	RoleAssistant Role = "assistant" // the model
	RoleTool      Role = "tool"      // one tool's result
)

// Message is one turn of a conversation. The zero Message is no message: a
// history uses it to mark a place that is not filled yet (see [Message.IsZero]).
type Message struct {
	Role  Role
	Parts []Part
}

// System returns the host's instructions as a message.
func System(text string) Message { return Message{RoleSystem, []Part{Text(text)}} }

// User returns what a person said, as text.
func User(text string) Message { return Message{RoleUser, []Part{Text(text)}} }

// Assistant returns a model's answer.
func Assistant(parts ...Part) Message { return Message{RoleAssistant, parts} }

// Result returns the message that answers one tool call.
func Result(r ToolResult) Message { return Message{RoleTool, []Part{r}} }

// IsZero reports whether m is no message at all.
func (m Message) IsZero() bool { return m.Role == "" && len(m.Parts) == 0 }

// Text returns the text parts of m joined without a separator. Reasoning is
// not text.
func (m Message) Text() string { return textOf(m.Parts) }

// ToolCalls returns the calls in m, in order. It is nil when there are none.
func (m Message) ToolCalls() []ToolCall {
	var calls []ToolCall
	for _, p := range m.Parts {
		if c, ok := p.(ToolCall); ok {
			calls = append(calls, c)
		}
	}
	return calls
}

// ToolResult returns the result that a message with [RoleTool] holds.
func (m Message) ToolResult() (ToolResult, bool) {
	for _, p := range m.Parts {
		if r, ok := p.(ToolResult); ok {
			return r, true
		}
	}
	return ToolResult{}, false
}

func textOf(parts []Part) string {
	if len(parts) == 1 {
		if t, ok := parts[0].(Text); ok {
			return string(t)
		}
	}
	var b strings.Builder
	for _, p := range parts {
		if t, ok := p.(Text); ok {
			b.WriteString(string(t))
		}
	}
	return b.String()
}

type wireMessage struct {
	Role  Role     `json:"role"`
	Parts wireList `json:"parts"`
}

// MarshalJSON writes the form shown in the package documentation. The zero
// Message is null.
func (m Message) MarshalJSON() ([]byte, error) {
	if m.IsZero() {
		return []byte("null"), nil
	}
	return json.Marshal(wireMessage{m.Role, m.Parts})
}

// UnmarshalJSON reads the form shown in the package documentation. A part of an
// unknown type is an error that names it: dropping it would change what was said.
func (m *Message) UnmarshalJSON(data []byte) error {
	*m = Message{}
	if string(data) == "null" {
		return nil
	}
	var w wireMessage
	if err := json.Unmarshal(data, &w); err != nil {
		return fmt.Errorf("message: %w", err)
	}
	switch w.Role {
	case RoleSystem, RoleUser, RoleAssistant, RoleTool:
	default:
		return fmt.Errorf("message: unknown role %q: want system, user, assistant or tool", w.Role)
	}
	m.Role, m.Parts = w.Role, w.Parts
	return nil
}
