package session

import (
	"slices"

	"helve/message"
)

// Window is the part of a history that a model is given. The zero Window has no
// limit.
type Window struct {
	// MaxTokens is how many tokens the messages may have together, without the
	// tools' definitions and the answer. No limit if it is not positive.
	MaxTokens int

	// Count returns the tokens of one message. It must always say the same of the
	// same message. [Estimate] if nil.
	Count func(message.Message) int
}

// Fit returns the newest messages that are within the limit.
//
// A turn is a user message with all that follows it, up to the next one. Fit
// keeps the system messages at the front, the last turn, and as many of the
// turns before it as fit; it keeps a turn whole or not at all. So what it keeps
// of the conversation starts at a user message, calls stay with their results,
// and a longer window only adds older turns. Where nobody of the role user
// spoke, a turn starts at each message of the assistant.
//
// The system messages and the last turn are kept even if they alone are over the
// limit: without them the model has nothing to answer. Where a tool's results
// make a single turn too long, cap the results.
//
// Messages should be sound: see [message.Repair]. Fit does not modify them, and
// returns the slice itself or a part of it where that is enough.
func (w Window) Fit(messages []message.Message) []message.Message {
	if w.MaxTokens <= 0 {
		return messages
	}
	count := w.Count
	if count == nil {
		count = Estimate
	}
	lead := leadingSystem(messages)
	used := 0
	for _, m := range messages[:lead] {
		used += count(m)
	}
	first := turnRole(messages[lead:])
	start := len(messages) // of what is kept
	turn := 0              // tokens of the turn that i is in
	for i := len(messages) - 1; i >= lead; i-- {
		turn += count(messages[i])
		if messages[i].Role != first && i > lead {
			continue
		}
		if used+turn > w.MaxTokens && start < len(messages) {
			break
		}
		start, used, turn = i, used+turn, 0
	}
	switch {
	case start == lead:
		return messages
	case lead == 0:
		return messages[start:len(messages):len(messages)]
	}
	return slices.Concat(messages[:lead], messages[start:])
}

func leadingSystem(messages []message.Message) int {
	for i, m := range messages {
		if m.Role != message.RoleSystem {
			return i
		}
	}
	return len(messages)
}

// turnRole is the role whose messages start the turns.
func turnRole(messages []message.Message) message.Role {
	for _, m := range messages {
		if m.Role == message.RoleUser {
			return message.RoleUser
		}
	}
	return message.RoleAssistant
}
