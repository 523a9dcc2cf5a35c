package model

import (
	"context"
	"iter"

	"helve/message"
	"helve/tool"
)

// Client is something that answers a conversation.
//
// Stream starts one answer when the sequence is ranged over, and each range
// starts a new one. Events come in the order of the answer; the last is a
// [Finish]. An error ends the sequence, and what came before it stays valid. To
// stop early, break out of the loop or cancel ctx: both release everything the
// answer holds before the range returns. Once ctx has ended no event comes any
// more and the error is ctx's. Stream does not modify req. A Client is
// safe for concurrent use.
type Client interface {
	Stream(ctx context.Context, req *Request) iter.Seq2[Event, error]
	Info() Info
}

// Info says what a client talks to. It is constant, but for what nobody knew before
// the first answer: whether the server takes tools.
type Info struct {
	Provider        string // such as "openai", "sim"
	Model           string
	Server          string // where it listens, as HOST:PORT; empty for what is no server
	FunctionCalling Ability

	// Dialect names the text dialect in which the client reads and writes tool
	// calls; empty for the provider's own function calling. See package dialect.
	Dialect string
}

// Ability says whether a model can do a thing.
type Ability string

const (
	Unknown Ability = ""
	Yes     Ability = "yes"
	No      Ability = "no"
)

// Request asks for one answer. The zero value of a field means the provider's
// default.
type Request struct {
	Messages []message.Message
	Tools    []tool.Definition // sent in this order; none means no tools at all
	Choice   ToolChoice

	Temperature *float64
	MaxTokens   int // of the answer
	Stop        []string
	Seed        *int
}

// ToolChoice says whether the model may, must or must not call a tool: one of
// the constants, or [ChooseTool] for a certain one.
type ToolChoice string

const (
	ChooseAuto     ToolChoice = "" // the model decides
	ChooseNone     ToolChoice = "none"
	ChooseRequired ToolChoice = "required"
)

// ChooseTool makes the model call the tool of this name.
func ChooseTool(name string) ToolChoice { return ToolChoice("tool:" + name) }

// Named returns the tool that c names.
func (c ToolChoice) Named() (name string, ok bool) {
	const prefix = "tool:"
	if len(c) <= len(prefix) || c[:len(prefix)] != prefix {
		return "", false
	}
	return string(c[len(prefix):]), true
}
