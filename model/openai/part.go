package openai

import (
	"encoding/base64"
	"errors"
	"fmt"
	"path"
	"strings"

	api "github.com/sashabaranov/go-openai"

	"helve/message"
)

// wirePart is an element of a message's content. go-openai knows text and
// images; audio and files are
// https://platform.openai.com/docs/api-reference/chat/create.
type wirePart struct {
	Type       string                   `json:"type"`
	Text       string                   `json:"text,omitempty"`
	ImageURL   *api.ChatMessageImageURL `json:"image_url,omitempty"`
	InputAudio *wireAudio               `json:"input_audio,omitempty"`
	File       *wireFile                `json:"file,omitempty"`
}

type wireAudio struct {
	Data   []byte `json:"data"`
	Format string `json:"format"`
}

type wireFile struct {
	Name string `json:"filename"`
	Data string `json:"file_data"` // a data: URL
}

func textPart(s string) wirePart { return wirePart{Type: "text", Text: s} }

// encodeParts translates what a person or a tool said. Empty text is nothing.
func encodeParts(parts []message.Part) ([]wirePart, error) {
	out := make([]wirePart, 0, len(parts))
	for i, p := range parts {
		if p == message.Part(message.Text("")) {
			continue
		}
		w, err := encodePart(p)
		if err != nil {
			return nil, fmt.Errorf("part %d: %w", i, err)
		}
		out = append(out, w)
	}
	return out, nil
}

func encodePart(p message.Part) (wirePart, error) {
	switch p := p.(type) {
	case message.Text:
		return textPart(string(p)), nil
	case message.Image:
		return encodeImage(p)
	case message.Audio:
		return encodeAudio(p)
	case message.File:
		return encodeFile(p)
	case message.Resource:
		return encodeResource(p)
	}
	return wirePart{}, fmt.Errorf("chat completions take no %T here", p)
}

func encodeImage(p message.Image) (wirePart, error) {
	address := p.URL
	if address == "" {
		if len(p.Data) == 0 || p.MediaType == "" {
			return wirePart{}, errors.New("an image needs a URL, or data and a media type")
		}
		address = dataURL(p.MediaType, p.Data)
	}
	return wirePart{Type: "image_url", ImageURL: &api.ChatMessageImageURL{URL: address}}, nil
}

func encodeAudio(p message.Audio) (wirePart, error) {
	format, ok := strings.CutPrefix(p.MediaType, "audio/")
	if len(p.Data) == 0 || !ok {
		return wirePart{}, errors.New("chat completions take audio as data with a media type such as audio/wav, not by URL")
	}
	switch format = strings.TrimPrefix(format, "x-"); format {
	case "wave", "vnd.wave":
		format = "wav"
	case "mpeg":
		format = "mp3"
	}
	return wirePart{Type: "input_audio", InputAudio: &wireAudio{Data: p.Data, Format: format}}, nil
}

func encodeFile(p message.File) (wirePart, error) {
	if len(p.Data) == 0 || p.MediaType == "" {
		return wirePart{}, errors.New("chat completions take a file as data with a media type, not by URL")
	}
	name := p.Name
	if name == "" {
		name = "file"
	}
	return wirePart{Type: "file", File: &wireFile{Name: name, Data: dataURL(p.MediaType, p.Data)}}, nil
}

// encodeResource gives a resource the form that fits its content. Text comes
// under its address, so that the model can name it.
func encodeResource(p message.Resource) (wirePart, error) {
	kind, _, _ := strings.Cut(p.MediaType, "/")
	switch {
	case p.Text != "":
		return textPart(p.URI + ":\n" + p.Text), nil
	case len(p.Data) == 0:
		return textPart(strings.TrimSpace(p.Name + " " + p.URI)), nil
	case kind == "image":
		return encodeImage(message.Image{Data: p.Data, MediaType: p.MediaType})
	case kind == "audio":
		return encodeAudio(message.Audio{Data: p.Data, MediaType: p.MediaType})
	}
	name := p.Name
	if name == "" {
		name = path.Base(p.URI)
	}
	return encodeFile(message.File{Name: name, Data: p.Data, MediaType: p.MediaType})
}

func dataURL(mediaType string, data []byte) string {
	return "data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString(data)
}

// onlyText reports whether parts can be sent as a string, which servers for
// text models insist on.
func onlyText(parts []wirePart) bool {
	for _, p := range parts {
		if p.Type != "text" {
			return false
		}
	}
	return true
}

// joinText puts parts that stand for themselves on lines of their own.
func joinText(parts []wirePart) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Text
	}
	return strings.Join(texts, "\n")
}

// kinds names the parts for a person or a model, such as "image, file".
func kinds(parts []wirePart) string {
	names := make([]string, len(parts))
	for i, p := range parts {
		switch p.Type {
		case "image_url":
			names[i] = "image"
		case "input_audio":
			names[i] = "audio"
		default:
			names[i] = p.Type
		}
	}
	return strings.Join(names, ", ")
}
