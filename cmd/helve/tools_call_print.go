package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"helve/message"
	"helve/tool"
)

// calledTool is what a call gave, for programs. All of the content is in Parts, where it
// is more than text; what the host got, and no model would, is in the rest.
type calledTool struct {
	Name        string          `json:"name"`
	Content     string          `json:"content"`
	DurationMS  float64         `json:"duration_ms"`
	Parts       []shownPart     `json:"parts,omitempty"`
	Attachments []shownPart     `json:"attachments,omitempty"`
	Artifact    json.RawMessage `json:"artifact,omitempty"`
}

// shownPart is a part in the form that package message gives it, and with its size. Data
// is never cut: the executor lets none through that is larger than 20 MiB.
type shownPart struct {
	Type      string `json:"type"`
	Name      string `json:"name,omitempty"`
	URI       string `json:"uri,omitempty"`
	URL       string `json:"url,omitempty"`
	MediaType string `json:"media_type,omitempty"`
	Size      int    `json:"size,omitempty"` // bytes of what follows; a link has none
	Text      string `json:"text,omitempty"`
	Data      []byte `json:"data,omitempty"`
}

func newCalledTool(name string, result tool.Result, took time.Duration) (calledTool, error) {
	called := calledTool{Name: name, Content: plain(result.Content), DurationMS: float64(took.Microseconds()) / 1000}
	if !onlyText(result.Content) {
		called.Parts = shownParts(result.Content)
	}
	if a, ok := result.Artifact.(tool.Attacher); ok {
		called.Attachments = shownParts(a.Attachments())
	}
	var err error
	called.Artifact, err = artifactJSON(result.Artifact)
	return called, err
}

func onlyText(content []message.Part) bool {
	for _, p := range content {
		if _, ok := p.(message.Text); !ok {
			return false
		}
	}
	return true
}

func shownParts(parts []message.Part) []shownPart {
	var all []shownPart
	for _, p := range parts {
		var s shownPart
		switch p := p.(type) {
		case message.Text:
			s = shownPart{Type: "text", Text: string(p)}
		case message.Image:
			s = shownPart{Type: "image", URL: p.URL, MediaType: p.MediaType, Data: p.Data}
		case message.Audio:
			s = shownPart{Type: "audio", URL: p.URL, MediaType: p.MediaType, Data: p.Data}
		case message.File:
			s = shownPart{Type: "file", Name: p.Name, URL: p.URL, MediaType: p.MediaType, Data: p.Data}
		case message.Resource:
			s = shownPart{Type: "resource", Name: p.Name, URI: p.URI, MediaType: p.MediaType, Text: p.Text, Data: p.Data}
		}
		s.Size = len(s.Text) + len(s.Data)
		all = append(all, s)
	}
	return all
}

// artifactJSON is an artifact as JSON; nil where there is none. An artifact may be any
// value of Go, so that it may have no JSON form.
func artifactJSON(artifact any) (json.RawMessage, error) {
	if artifact == nil {
		return nil, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(artifact); err != nil {
		return nil, fmt.Errorf("the tool's artifact has no JSON form and is left out: %w", err)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// withArtifact adds the artifact of a call that failed to what its error tells.
func withArtifact(detail map[string]any, artifact json.RawMessage) map[string]any {
	if artifact == nil {
		return detail
	}
	all := map[string]any{}
	maps.Copy(all, detail)
	all["artifact"] = artifact
	return all
}
