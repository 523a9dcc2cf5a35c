package sim

import "encoding/json"

// The answers of an OpenAI-compatible server (conventions.md section 2). They
// are our own types because go-openai's leave out empty arguments and a null
// finish reason, which the wire has.

const (
	modelName   = "offline"
	fingerprint = "helve-offline-demonstration" // not a language model, and says so
	created     = 1_763_596_800                 // constant: the same request gets the same bytes
)

type wireCompletion struct {
	ID          string       `json:"id"`
	Object      string       `json:"object"`
	Created     int64        `json:"created"`
	Model       string       `json:"model"`
	Fingerprint string       `json:"system_fingerprint"`
	Choices     []wireChoice `json:"choices"`
	Usage       wireUsage    `json:"usage"`
}

type wireChoice struct {
	Index        int         `json:"index"`
	Message      wireMessage `json:"message"`
	FinishReason string      `json:"finish_reason"`
}

type wireMessage struct {
	Role      string         `json:"role"`
	Content   *string        `json:"content"`
	Reasoning string         `json:"reasoning_content,omitempty"`
	ToolCalls []wireToolCall `json:"tool_calls,omitempty"`
}

type wireToolCall struct {
	Index    *int         `json:"index,omitempty"` // in streams only
	ID       string       `json:"id,omitempty"`
	Type     string       `json:"type,omitempty"`
	Function wireFunction `json:"function"`
}

type wireFunction struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

type wireChunk struct {
	ID          string            `json:"id"`
	Object      string            `json:"object"`
	Created     int64             `json:"created"`
	Model       string            `json:"model"`
	Fingerprint string            `json:"system_fingerprint"`
	Choices     []wireChunkChoice `json:"choices"`
	Usage       *usageOrNull      `json:"usage,omitempty"`
}

type wireChunkChoice struct {
	Index        int       `json:"index"`
	Delta        wireDelta `json:"delta"`
	FinishReason *string   `json:"finish_reason"`
}

type wireDelta struct {
	Role      string         `json:"role,omitempty"`
	Content   *string        `json:"content,omitempty"`
	Reasoning string         `json:"reasoning_content,omitempty"`
	ToolCalls []wireToolCall `json:"tool_calls,omitempty"`
}

type wireUsage struct {
	Input  int `json:"prompt_tokens"`
	Output int `json:"completion_tokens"`
	Total  int `json:"total_tokens"`
}

// usageOrNull is null on every chunk but the last when usage was asked for, and
// absent (a nil pointer) when it was not.
type usageOrNull struct{ usage *wireUsage }

func (u usageOrNull) MarshalJSON() ([]byte, error) { return json.Marshal(u.usage) }

type wireModel struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

var offlineModel = wireModel{ID: modelName, Object: "model", Created: created, OwnedBy: fingerprint}

// wireError is an error in OpenAI's form; all four keys are always there.
type wireError struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`
}
