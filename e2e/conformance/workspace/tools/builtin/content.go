// Package fixtures holds the tools that the official MCP conformance suites call, as a
// person would write them for a workspace. What they are called and what they do is the
// suites' choice.
package fixtures

import (
	"errors"
	"os"

	"helve/message"
)

// SimpleText returns a text.
//
//helve:tool name=test_simple_text read_only
func SimpleText() string { return "This is a simple text response for testing." }

// Image returns a picture.
//
//helve:tool name=test_image_content read_only
func Image() (message.Image, error) {
	data, err := os.ReadFile("files/pixel.png")
	return message.Image{Data: data, MediaType: "image/png"}, err
}

// Audio returns a recording.
//
//helve:tool name=test_audio_content read_only
func Audio() (message.Audio, error) {
	data, err := os.ReadFile("files/silence.wav")
	return message.Audio{Data: data, MediaType: "audio/wav"}, err
}

// EmbeddedResource returns a resource with its content.
//
//helve:tool name=test_embedded_resource read_only
func EmbeddedResource() message.Resource {
	return message.Resource{URI: "test://embedded-resource", MediaType: "text/plain", Text: "This is an embedded resource content."}
}

// Mixed returns a text, a picture and a resource.
//
//helve:tool name=test_multiple_content_types read_only
func Mixed() ([]message.Part, error) {
	picture, err := Image()
	return []message.Part{
		message.Text("Multiple content types test:"),
		picture,
		message.Resource{URI: "test://mixed-content-resource", MediaType: "application/json", Text: `{"test":"data","value":123}`},
	}, err
}

// Fail returns an error.
//
//helve:tool name=test_error_handling
func Fail() error { return errors.New("this tool intentionally returns an error for testing") }
