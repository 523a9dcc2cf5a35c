package tool

import (
	"context"
	"encoding/json"
	"errors"

	"helve/message"
	"helve/schema"
)

// Question is what a tool asks while it runs: a [Form], a [Link], a [Completion] or
// [Roots]. Its Name, which may be empty, is for a host that passes questions on and
// must tell them apart: no two questions of one Ask have the same.
type Question interface{ question() }

// Form asks the person who uses the tool to fill in a few fields.
type Form struct {
	Name    string
	Message string         // what the person reads
	Fields  *schema.Schema // a flat object of text, numbers, truth values and choices; nil asks for a yes or no
}

// Link asks the person to open an address, such as that of a payment.
type Link struct {
	Name    string
	Message string
	URL     string
}

// Completion asks the model of the host.
type Completion struct {
	Name      string
	System    string
	Messages  []message.Message
	MaxTokens int
}

// Roots asks which folders the tool may work in.
type Roots struct {
	Name string
}

func (Form) question()       {}
func (Link) question()       {}
func (Completion) question() {}
func (Roots) question()      {}

// Answer is what became of a [Question].
type Answer struct {
	Action  Action          // of a Form or a Link
	Fields  json.RawMessage // of a Form that was accepted: an object
	Message message.Message // of a Completion
	Model   string          // that wrote Message
	Roots   []string        // of Roots: file:// URLs
}

// Action is what a person did with a question.
type Action string

const (
	Accept  Action = "accept"  // it was answered
	Decline Action = "decline" // the person said no
	Cancel  Action = "cancel"  // the person did not choose, or went away
)

// ErrNobody is for a question that nobody is there to answer: no person, no model, or a
// policy that forbids to ask.
var ErrNobody = errors.New("tool: nobody is there to answer a question")

// Ask asks questions, all at once, and waits for their answers.
func (rt *Runtime) Ask(ctx context.Context, questions ...Question) ([]Answer, error) {
	if rt.Answer == nil {
		return nil, ErrNobody
	}
	return rt.Answer(ctx, rt.CallID, questions)
}
