package serve

import (
	"crypto/rand"
	"fmt"
	"net/url"
	"path"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/internal/excerpt"
	"helve/message"
	"helve/tool"
)

// mostMedia is how many bytes of one picture, recording or file travel in a result;
// clients refuse larger results. What is larger becomes a link.
const mostMedia = 1 << 20

// inlineAddress is what the addresses of files in a result begin with. No two are the
// same: clients take what has one address for one thing.
const inlineAddress = "helve://inline/"

// parts turns a result's content into the protocol's.
func (s *Server) parts(parts []message.Part) []sdk.Content {
	content := make([]sdk.Content, 0, len(parts))
	left := s.maxInline
	for _, p := range parts {
		switch p := p.(type) {
		case message.Text:
			content = append(content, s.text(string(p), &left)...)
		case message.Image:
			content = append(content, s.medium("image", p.MediaType, p.URL, p.Data, mostMedia, &sdk.ImageContent{Data: p.Data, MIMEType: p.MediaType}))
		case message.Audio:
			content = append(content, s.medium("audio", p.MediaType, p.URL, p.Data, mostMedia, &sdk.AudioContent{Data: p.Data, MIMEType: p.MediaType}))
		case message.File:
			content = append(content, s.file(p, mostMedia))
		case message.Resource:
			content = append(content, s.resource(p, &left))
		}
	}
	return content
}

// attachments turns what an artifact marks into the protocol's content: a file is
// always something to fetch.
func (s *Server) attachments(a tool.Attacher) []sdk.Content {
	var content []sdk.Content
	for _, p := range a.Attachments() {
		if f, ok := p.(message.File); ok {
			content = append(content, s.file(f, 0))
			continue
		}
		content = append(content, s.parts([]message.Part{p})...)
	}
	return content
}

// text is text, or its head and a link to the whole.
func (s *Server) text(text string, left *int) []sdk.Content {
	if len(text) <= *left {
		*left -= len(text)
		return []sdk.Content{&sdk.TextContent{Text: text}}
	}
	head := excerpt.Head(text, *left)
	*left = 0
	uri := s.kept.put(resultAddress, keptItem{mediaType: "text/plain", text: text})
	if uri == "" {
		return []sdk.Content{&sdk.TextContent{Text: fmt.Sprintf("%s\n[cut: the first %d of %d bytes are shown; ask for less]", head, len(head), len(text))}}
	}
	return []sdk.Content{
		&sdk.TextContent{Text: fmt.Sprintf("%s\n[cut: the first %d of %d bytes are shown; the whole is the resource %s]", head, len(head), len(text), uri)},
		link(uri, "result.txt", "text/plain", len(text)),
	}
}

// medium is data as inline has it, if it is at most most bytes, and a link to any other.
func (s *Server) medium(name, mediaType, at string, data []byte, most int, inline sdk.Content) sdk.Content {
	switch {
	case data == nil:
		return &sdk.ResourceLink{URI: at, Name: name, MIMEType: mediaType}
	case len(data) > most:
		return s.large(name, mediaType, data)
	}
	return inline
}

// file is a file of at most most bytes as such, and a link to any other. A resource
// needs an address, though one whose content is there is not fetched and not kept.
func (s *Server) file(p message.File, most int) sdk.Content {
	name := p.Name
	if name == "" {
		name = "file"
	}
	uri := inlineAddress + strings.ToLower(rand.Text()) + "/" + url.PathEscape(name)
	return s.medium(name, p.MediaType, p.URL, p.Data, most,
		&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: uri, MIMEType: p.MediaType, Blob: p.Data}})
}

func (s *Server) resource(p message.Resource, left *int) sdk.Content {
	name := p.Name
	if name == "" {
		name = path.Base(p.URI)
	}
	switch {
	case p.Data == nil && p.Text == "":
		return &sdk.ResourceLink{URI: p.URI, Name: name, MIMEType: p.MediaType}
	case len(p.Data) > mostMedia:
		return s.large(name, p.MediaType, p.Data)
	case len(p.Text) > *left:
		uri := s.kept.put(resultAddress, keptItem{mediaType: p.MediaType, text: p.Text})
		if uri == "" {
			return tooLarge(name, len(p.Text))
		}
		return link(uri, name, p.MediaType, len(p.Text))
	}
	*left -= len(p.Text)
	return &sdk.EmbeddedResource{Resource: contents(p)}
}

func contents(p message.Resource) *sdk.ResourceContents {
	return &sdk.ResourceContents{URI: p.URI, MIMEType: p.MediaType, Text: p.Text, Blob: p.Data}
}

// large is a link to what is kept for the client to fetch.
func (s *Server) large(name, mediaType string, data []byte) sdk.Content {
	uri := s.kept.put(artifactAddress, keptItem{mediaType: mediaType, data: data})
	if uri == "" {
		return tooLarge(name, len(data))
	}
	return link(uri, name, mediaType, len(data))
}

func tooLarge(name string, size int) sdk.Content {
	return &sdk.TextContent{Text: fmt.Sprintf("[left out: %s has %d bytes, and at most %d are kept]", name, size, mostKept)}
}

func link(uri, name, mediaType string, size int) *sdk.ResourceLink {
	n := int64(size)
	return &sdk.ResourceLink{URI: uri, Name: name, MIMEType: mediaType, Size: &n}
}
