package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/internal/excerpt"
	"helve/mcp/internal/mend"
	"helve/message"
	"helve/tool"
)

// Output is the artifact of a call of a server's tool, also of one that failed: what
// the server sent for the program and not for the model. A result that has neither
// structured content nor metadata has no artifact.
type Output struct {
	Structured json.RawMessage `json:"structured,omitempty"` // as the server wrote it, byte for byte; it fits the tool's output schema only if the server keeps its word
	Meta       map[string]any  `json:"meta,omitempty"`       // the result's _meta
}

// errorBytes is how much of a failed call's text the model gets.
const errorBytes = 8 << 10

// convert makes of a server's result, mended by [mend.Message], what the model and the
// host get. The error is a [tool.Error]: the server says that its tool failed, in words
// without secrets.
func convert(r *sdk.CallToolResult, redact func(string) string) (tool.Result, error) {
	var result tool.Result
	output := outputOf(r)
	if output.Structured != nil || output.Meta != nil {
		result.Artifact = output
	}
	content := parts(r.Content)
	if len(content) == 0 && output.Structured != nil {
		content = []message.Part{message.Text(output.Structured)}
	}
	if r.IsError {
		return result, &tool.Error{Kind: tool.KindExecution, Message: reason(content, redact)}
	}
	result.Content = content
	return result, nil
}

// outputOf takes our own keys out of the metadata: they are no server's affair, nor a
// host's.
func outputOf(r *sdk.CallToolResult) Output {
	var o Output
	if text, ok := r.Meta[mend.RawStructured].(string); ok && json.Valid([]byte(text)) {
		o.Structured = json.RawMessage(text)
	} else if r.StructuredContent != nil { // not mended: it never was bytes of a server
		o.Structured, _ = json.Marshal(r.StructuredContent)
	}
	meta := maps.Clone(map[string]any(r.Meta))
	delete(meta, mend.RawStructured)
	delete(meta, mend.RawTool)
	if len(meta) > 0 {
		o.Meta = meta
	}
	return o
}

// parts makes a part of each block. Blocks are apart; texts of a message are read
// without a gap, so a text that another follows gets an end of line.
func parts(blocks []sdk.Content) []message.Part {
	var all []message.Part
	for _, block := range blocks {
		p := part(block)
		if len(all) > 0 {
			before, isText := all[len(all)-1].(message.Text)
			if _, follows := p.(message.Text); isText && follows && !strings.HasSuffix(string(before), "\n") {
				all[len(all)-1] = before + "\n"
			}
		}
		all = append(all, p)
	}
	return all
}

func part(block sdk.Content) message.Part {
	switch b := block.(type) {
	case *sdk.TextContent:
		return message.Text(b.Text)
	case *sdk.ImageContent:
		if len(b.Data) > 0 {
			return message.Image{Data: b.Data, MediaType: mediaType(b.MIMEType, b.Data)}
		}
	case *sdk.AudioContent:
		if len(b.Data) > 0 {
			return message.Audio{Data: b.Data, MediaType: mediaType(b.MIMEType, b.Data)}
		}
	case *sdk.ResourceLink:
		name := b.Name
		if name == "" {
			name = b.Title
		}
		return message.Resource{URI: b.URI, Name: name, MediaType: b.MIMEType}
	case *sdk.EmbeddedResource:
		if r := b.Resource; r != nil {
			return message.Resource{URI: r.URI, MediaType: r.MIMEType, Text: r.Text, Data: r.Blob}
		}
	}
	raw, err := block.MarshalJSON()
	if err != nil {
		return message.Text(fmt.Sprintf("[a %T that can't be shown]", block))
	}
	return message.Text(raw)
}

// mediaType is what the server says, and where it says nothing what the bytes look like.
func mediaType(declared string, data []byte) string {
	if declared != "" {
		return declared
	}
	return http.DetectContentType(data)
}

// reason is the words of a failed call. What is secret is taken out before they are cut,
// else half of it may stay.
func reason(content []message.Part, redact func(string) string) string {
	var words []string
	for _, p := range content {
		switch p := p.(type) {
		case message.Text:
			words = append(words, strings.TrimSpace(string(p)))
		case message.Resource:
			words = append(words, strings.TrimSpace(p.Text))
		}
	}
	text := strings.TrimSpace(strings.Join(words, "\n"))
	if text == "" {
		return "(the server gave no reason)"
	}
	return excerpt.Of(redact(text), errorBytes)
}
