package tool

import (
	"fmt"

	"helve/message"
)

// Result is what a call of a tool gives back.
//
// Content is for the model: text and other parts in order. Artifact is for the
// host alone; it is never sent to a model (document 002, section 2).
type Result struct {
	Content  []message.Part
	Artifact any

	err error // why WithArtifact could not make the content
}

// Text returns a Result of plain text.
func Text(s string) Result { return Result{Content: []message.Part{message.Text(s)}} }

// WithArtifact returns a Result whose content is made of content by the rules
// that apply to a function's return value, and that carries artifact for the
// host.
func WithArtifact(content, artifact any) Result {
	r, err := resultOf(content)
	r.Artifact, r.err = artifact, err
	return r
}

// check refuses what can't stand in a result: a conversation that holds it could
// be neither stored nor sent.
func (r Result) check() error {
	if r.err != nil {
		return r.err
	}
	for _, p := range r.Content {
		switch p.(type) {
		case message.Text, message.Image, message.Audio, message.File, message.Resource:
		case nil:
			return &Error{Kind: KindExecution, Message: "The tool returned content with a nil part."}
		default:
			return &Error{Kind: KindExecution, Message: fmt.Sprintf("The tool returned a %T as content: it must be text, an image, audio, a file or a resource, by value.", p)}
		}
	}
	return nil
}

// Text returns the text of the content.
func (r Result) Text() string { return message.Message{Parts: r.Content}.Text() }
