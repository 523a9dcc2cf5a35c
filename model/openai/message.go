package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	api "github.com/sashabaranov/go-openai"

	"helve/message"
)

// wireMessage is a message of the request. Content is a string, a []wirePart,
// or nil for null.
type wireMessage struct {
	Role       string         `json:"role"`
	Content    any            `json:"content"`
	ToolCalls  []api.ToolCall `json:"tool_calls,omitempty"`
	ToolCallID string         `json:"tool_call_id,omitempty"`
}

// encodeMessages translates a conversation.
//
// A tool message takes text alone. Other content of results goes into a user
// message, after the last of the tool messages in a row: between them it would
// part a call from its result, which providers refuse.
func encodeMessages(messages []message.Message) ([]wireMessage, error) {
	out := make([]wireMessage, 0, len(messages))
	var media []wirePart
	for i, m := range messages {
		if m.Role != message.RoleTool && len(media) > 0 {
			out = append(out, wireMessage{Role: "user", Content: media})
			media = nil
		}
		w, more, err := encodeMessage(m)
		if err != nil {
			return nil, fmt.Errorf("message %d (%s): %w", i, m.Role, err)
		}
		out = append(out, w)
		media = append(media, more...)
	}
	if len(media) > 0 {
		out = append(out, wireMessage{Role: "user", Content: media})
	}
	return out, nil
}

// encodeMessage translates m. The parts it returns beside it are for the user
// message that follows.
func encodeMessage(m message.Message) (wireMessage, []wirePart, error) {
	switch m.Role {
	case message.RoleSystem:
		parts, err := encodeParts(m.Parts)
		if err == nil && !onlyText(parts) {
			err = errors.New("a system message takes text alone")
		}
		return wireMessage{Role: "system", Content: joinText(parts)}, nil, err
	case message.RoleUser:
		parts, err := encodeParts(m.Parts)
		if err != nil || !onlyText(parts) {
			return wireMessage{Role: "user", Content: parts}, nil, err
		}
		return wireMessage{Role: "user", Content: joinText(parts)}, nil, nil
	case message.RoleAssistant:
		w, err := encodeAssistant(m)
		return w, nil, err
	case message.RoleTool:
		return encodeResult(m)
	}
	if m.IsZero() {
		return wireMessage{}, nil, errors.New("the message is empty: its place in the history is not filled yet")
	}
	return wireMessage{}, nil, errors.New("the role is unknown: want system, user, assistant or tool")
}

// encodeAssistant leaves reasoning out: providers refuse it or count it twice.
// Content is null where there are only calls, as in the answers that it repeats.
func encodeAssistant(m message.Message) (wireMessage, error) {
	w := wireMessage{Role: "assistant"}
	var text strings.Builder
	for i, p := range m.Parts {
		switch p := p.(type) {
		case message.Text:
			text.WriteString(string(p))
		case message.Reasoning:
		case message.ToolCall:
			call, err := encodeCall(p)
			if err != nil {
				return w, fmt.Errorf("part %d: %w", i, err)
			}
			w.ToolCalls = append(w.ToolCalls, call)
		default:
			return w, fmt.Errorf("part %d: chat completions take no %T from an assistant", i, p)
		}
	}
	if text.Len() > 0 || len(w.ToolCalls) == 0 {
		w.Content = text.String()
	}
	return w, nil
}

func encodeCall(c message.ToolCall) (api.ToolCall, error) {
	if c.ID == "" || c.Name == "" {
		return api.ToolCall{}, fmt.Errorf("the call of %q with ID %q needs both a name and an ID", c.Name, c.ID)
	}
	args := string(c.Arguments)
	if args == "" {
		args = "{}"
	} else if !json.Valid(c.Arguments) {
		return api.ToolCall{}, fmt.Errorf("the arguments of call %s are not JSON", c.ID)
	}
	return api.ToolCall{
		ID:       c.ID,
		Type:     api.ToolTypeFunction,
		Function: api.FunctionCall{Name: c.Name, Arguments: args},
	}, nil
}

// encodeResult splits a result into the text of the tool message and the parts
// that have to follow it. The artifact goes nowhere.
func encodeResult(m message.Message) (w wireMessage, media []wirePart, err error) {
	r, ok := m.ToolResult()
	if !ok || len(m.Parts) != 1 {
		return w, nil, errors.New("a tool message takes one tool result and nothing else")
	}
	if r.CallID == "" {
		return w, nil, errors.New("the result says no call that it answers")
	}
	parts, err := encodeParts(r.Content)
	if err != nil {
		return w, nil, err
	}
	var text []wirePart
	for _, p := range parts {
		if p.Type == "text" {
			text = append(text, p)
		} else {
			media = append(media, p)
		}
	}
	if len(media) > 0 {
		label := "of call " + r.CallID
		text = append(text, textPart(fmt.Sprintf("[%s: see the user message that follows, under %q]", kinds(media), label)))
		media = append([]wirePart{textPart(label)}, media...)
	}
	return wireMessage{Role: "tool", ToolCallID: r.CallID, Content: joinText(text)}, media, nil
}

// callIDs returns the IDs of the calls in a conversation.
func callIDs(messages []message.Message) map[string]bool {
	ids := map[string]bool{}
	for _, m := range messages {
		for _, p := range m.Parts {
			if c, ok := p.(message.ToolCall); ok {
				ids[c.ID] = true
			}
		}
	}
	return ids
}
