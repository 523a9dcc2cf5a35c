package openai

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	api "github.com/sashabaranov/go-openai"

	"helve/model"
)

// chunk is a piece of a streamed answer, or the whole of one that is not
// streamed. It has what this package reads and no more, so that a field nobody
// needs can't spoil an answer. The types of go-openai are used where they lose
// nothing; its tool call refuses arguments that are not a string, and its delta
// knows one of the two names for reasoning.
type chunk struct {
	Object  string          `json:"object"`
	ID      string          `json:"id"`
	Model   string          `json:"model"`
	Choices []choice        `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

// choice has a Delta in a stream and a Message outside one.
type choice struct {
	Index        int    `json:"index"`
	Delta        *delta `json:"delta"`
	Message      *delta `json:"message"`
	FinishReason string `json:"finish_reason"`
}

type delta struct {
	Content          content   `json:"content"`
	ReasoningContent content   `json:"reasoning_content"` // DeepSeek, Qwen, vLLM
	Reasoning        content   `json:"reasoning"`         // OpenRouter, Ollama, Groq
	Refusal          string    `json:"refusal"`
	ToolCalls        []piece   `json:"tool_calls"`
	FunctionCall     *function `json:"function_call"` // before there were tools
}

type piece struct {
	Index    *int     `json:"index"`
	ID       string   `json:"id"`
	Function function `json:"function"`
}

type function struct {
	Name      string    `json:"name"`
	Arguments arguments `json:"arguments"`
}

// callPiece is a piece of a call as the [merger] takes it.
type callPiece struct {
	Index     *int
	ID        string
	Name      string
	Arguments string
}

// pieces returns the pieces of calls in d.
func (d *delta) pieces(yield func(callPiece) bool) {
	for _, p := range d.ToolCalls {
		if !yield(callPiece{p.Index, p.ID, p.Function.Name, string(p.Function.Arguments)}) {
			return
		}
	}
	if f := d.FunctionCall; f != nil {
		yield(callPiece{Name: f.Name, Arguments: string(f.Arguments)})
	}
}

// reasoning returns the model's thoughts, under whichever name they came. Some
// servers send both, with the same text.
func (d *delta) reasoning() string {
	if d.ReasoningContent != "" {
		return string(d.ReasoningContent)
	}
	return string(d.Reasoning)
}

// content is text: a string, or a list of parts of which the text is taken.
// What else a server puts there is not text.
type content string

func (c *content) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case '"':
		s, err := unquote(data)
		*c = content(s)
		return err
	case '[':
		var parts []json.RawMessage
		if err := json.Unmarshal(data, &parts); err != nil {
			return err
		}
		var b strings.Builder
		for _, raw := range parts {
			var part struct {
				Text string `json:"text"`
			}
			if json.Unmarshal(raw, &part) == nil {
				b.WriteString(part.Text)
			}
		}
		*c = content(b.String())
	}
	return nil
}

// arguments is JSON in a string. Some servers send the JSON itself.
type arguments string

func (a *arguments) UnmarshalJSON(data []byte) error {
	switch {
	case data[0] == '"':
		s, err := unquote(data)
		*a = arguments(s)
		return err
	case string(data) != "null":
		*a = arguments(data)
	}
	return nil
}

// unquote reads a JSON string that [json.Unmarshal] found to be one. Most have
// nothing to decode.
func unquote(data []byte) (s string, err error) {
	if bytes.IndexByte(data, '\\') < 0 && utf8.Valid(data) {
		return string(data[1 : len(data)-1]), nil
	}
	err = json.Unmarshal(data, &s)
	return s, err
}

// readUsage reads a usage. One that can't be read is unknown: it must not cost
// the answer.
func readUsage(data json.RawMessage) model.Usage {
	var u api.Usage
	if err := json.Unmarshal(data, &u); err != nil {
		return model.Usage{}
	}
	usage := model.Usage{InputTokens: u.PromptTokens, OutputTokens: u.CompletionTokens}
	if d := u.PromptTokensDetails; d != nil {
		usage.CachedTokens = d.CachedTokens
	}
	if d := u.CompletionTokensDetails; d != nil {
		usage.ReasoningTokens = d.ReasoningTokens
	}
	return usage
}

// brokenOff reports whether a server says that it stopped the answer itself.
func brokenOff(raw string) bool {
	switch strings.ToLower(raw) {
	case "abort", "aborted", "cancelled", "canceled", "error", "network_error", "insufficient_system_resource":
		return true
	}
	return false
}

// finishReason translates what servers write into the five reasons of package
// model. A reason it does not know passes as it is.
func finishReason(raw string) model.FinishReason {
	switch strings.ToLower(raw) {
	case "stop", "stop_sequence", "end_turn", "eos":
		return model.FinishStop
	case "tool_calls", "tool_use", "function_call":
		return model.FinishToolCalls
	case "length", "max_tokens", "model_length":
		return model.FinishLength
	case "content_filter", "safety":
		return model.FinishContentFilter
	case "refusal":
		return model.FinishRefusal
	}
	return model.FinishReason(raw)
}
