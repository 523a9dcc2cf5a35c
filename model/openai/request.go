package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	api "github.com/sashabaranov/go-openai"

	"helve/model"
	"helve/tool"
)

// request is go-openai's request with the fields it would lose: a temperature
// of 0, the bytes of a tool, and content that is empty or null or neither text
// nor image.
type request struct {
	api.ChatCompletionRequest
	Messages    []wireMessage     `json:"messages"`
	Temperature *float64          `json:"temperature,omitempty"`
	Tools       []json.RawMessage `json:"tools,omitempty"`
}

// encode writes the request's body. The same request gives the same bytes,
// which is what a provider's prompt cache needs.
func (c *Client) encode(req *model.Request) ([]byte, error) {
	messages, err := encodeMessages(req.Messages)
	if err != nil {
		return nil, err
	}
	r := request{Messages: messages, Temperature: req.Temperature}
	r.Model = c.config.Model
	r.Stop = req.Stop
	r.Seed = req.Seed
	c.limitTokens(&r, req.MaxTokens)
	if !c.config.NoStream {
		r.Stream = true
		r.StreamOptions = &api.StreamOptions{IncludeUsage: true}
	}
	if len(req.Tools) > 0 {
		if r.ToolChoice, err = toolChoice(req); err != nil {
			return nil, err
		}
		for _, d := range req.Tools {
			function, _ := d.FunctionTool(c.config.Profile)
			r.Tools = append(r.Tools, function)
		}
	}
	return marshal(r)
}

// limitTokens writes the limit under the name that the server knows: OpenAI's
// newer models refuse the old one, and other servers know no other.
func (c *Client) limitTokens(r *request, n int) {
	if strings.HasSuffix(c.endpoint.Hostname(), ".openai.com") {
		r.MaxCompletionTokens = n
	} else {
		r.MaxTokens = n //lint:ignore SA1019 it is the only name that most servers know
	}
}

// toolChoice returns nil, which sends nothing, where the model may decide.
func toolChoice(req *model.Request) (any, error) {
	switch req.Choice {
	case model.ChooseAuto:
		return nil, nil
	case model.ChooseNone, model.ChooseRequired:
		return string(req.Choice), nil
	}
	name, ok := req.Choice.Named()
	if !ok {
		return nil, fmt.Errorf("tool choice %q is unknown: use one of package model's", req.Choice)
	}
	if !offers(req.Tools, name) {
		return nil, fmt.Errorf("tool choice names %q, which is not among the request's tools", name)
	}
	return api.ToolChoice{Type: api.ToolTypeFunction, Function: api.ToolFunction{Name: name}}, nil
}

func offers(tools []tool.Definition, name string) bool {
	for _, d := range tools {
		if d.Name == name {
			return true
		}
	}
	return false
}

// marshal leaves <, > and & as they are: a model reads escapes badly, and the
// bytes of a tool stay those of [tool.Definition.FunctionTool].
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
