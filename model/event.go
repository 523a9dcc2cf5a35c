package model

import "helve/message"

// Event is a piece of an answer: [TextDelta], [ReasoningDelta], [ToolCallDelta],
// [ToolCall], [InvalidToolCall] or [Finish].
type Event interface{ event() }

// TextDelta is a piece of the answer's text.
type TextDelta string

// ReasoningDelta is a piece of what the model thinks before it answers.
type ReasoningDelta string

// ToolCallDelta is a piece of a call that is still being written, for those who
// show it. The complete [ToolCall] follows; a consumer may ignore deltas.
// Index counts the calls of the answer from 0.
type ToolCallDelta struct {
	Index     int
	ID, Name  string // known from the first delta of a call on
	Arguments string // the next piece
}

// ToolCall is a complete call whose arguments are a JSON value.
type ToolCall message.ToolCall

// InvalidToolCall is a complete call whose arguments are not JSON. It can't be
// run. [Generate] makes an error of it; a loop may answer the model instead.
type InvalidToolCall struct {
	ID  string
	Err *ArgumentsError

	// Part is the number of parts of the answer's message that stand before it.
	// [Fold] sets it.
	Part int
}

// Finish is the last event of an answer. ID and Model are what the provider
// said, and may be empty.
type Finish struct {
	Reason FinishReason
	Usage  Usage
	ID     string
	Model  string
}

func (TextDelta) event()       {}
func (ReasoningDelta) event()  {}
func (ToolCallDelta) event()   {}
func (ToolCall) event()        {}
func (InvalidToolCall) event() {}
func (Finish) event()          {}

// FinishReason says why a model stopped.
type FinishReason string

const (
	FinishStop          FinishReason = "stop"
	FinishToolCalls     FinishReason = "tool_calls"
	FinishLength        FinishReason = "length"         // cut off by a token limit
	FinishContentFilter FinishReason = "content_filter" // cut off or emptied by the provider
	FinishRefusal       FinishReason = "refusal"        // the model would not answer
)

// Complete reports whether the model said all it wanted to. Calls from an answer
// that is not complete must not run (docs/design.md, rule 8). A reason that
// is not one of the constants counts as complete: servers have words of their
// own for "stop".
func (r FinishReason) Complete() bool {
	return r != FinishLength && r != FinishContentFilter && r != FinishRefusal
}

// Usage counts tokens. Zero means unknown.
type Usage struct {
	InputTokens     int `json:"input_tokens"`
	OutputTokens    int `json:"output_tokens"`
	CachedTokens    int `json:"cached_tokens,omitempty"`    // of the input
	ReasoningTokens int `json:"reasoning_tokens,omitempty"` // of the output
}

// Add returns the sum of u and v.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		InputTokens:     u.InputTokens + v.InputTokens,
		OutputTokens:    u.OutputTokens + v.OutputTokens,
		CachedTokens:    u.CachedTokens + v.CachedTokens,
		ReasoningTokens: u.ReasoningTokens + v.ReasoningTokens,
	}
}
