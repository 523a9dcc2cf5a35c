package message

import "encoding/json"

// Part is a piece of a message: one of the types of this package. The set is
// closed, so a type switch over it can be complete.
type Part interface{ part() }

// Text is plain text.
type Text string

// Reasoning is what a model thought before it answered. It is shown to people
// who ask for it and is not part of the answer.
type Reasoning string

// Image is a picture, by value or by address. Exactly one of Data and URL is set.
type Image struct {
	Data      []byte `json:"data,omitempty"`
	URL       string `json:"url,omitempty"`
	MediaType string `json:"media_type,omitempty"` // RFC 6838, such as image/png; needed with Data
}

// Audio is a sound recording. Exactly one of Data and URL is set.
type Audio struct {
	Data      []byte `json:"data,omitempty"`
	URL       string `json:"url,omitempty"`
	MediaType string `json:"media_type,omitempty"` // such as audio/wav
}

// File is a document such as a PDF. Exactly one of Data and URL is set.
type File struct {
	Name      string `json:"name,omitempty"`
	Data      []byte `json:"data,omitempty"`
	URL       string `json:"url,omitempty"`
	MediaType string `json:"media_type,omitempty"`
}

// Resource is something with an address of its own, as in the Model Context
// Protocol. Text or Data is its content; with neither it is a link.
type Resource struct {
	URI       string `json:"uri"`
	Name      string `json:"name,omitempty"`
	MediaType string `json:"media_type,omitempty"`
	Text      string `json:"text,omitempty"`
	Data      []byte `json:"data,omitempty"`
}

// ToolCall is a model's request to run a tool. Arguments is a JSON value,
// nearly always an object, as the model wrote it: not yet validated.
type ToolCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// ToolResult answers the [ToolCall] whose ID is CallID.
//
// Content is what the model reads. Artifact is for the host and is never sent
// to a model (document 002, section 2.3). The JSON form keeps the artifact if
// encoding/json can write it, and leaves it out if not; read back, it is what
// encoding/json makes of it.
type ToolResult struct {
	CallID   string
	Name     string
	Content  []Part
	IsError  bool
	Artifact any
}

// Text returns the text of the result's content.
func (r ToolResult) Text() string { return textOf(r.Content) }

func (Text) part()       {}
func (Reasoning) part()  {}
func (Image) part()      {}
func (Audio) part()      {}
func (File) part()       {}
func (Resource) part()   {}
func (ToolCall) part()   {}
func (ToolResult) part() {}
