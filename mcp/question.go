//lint:file-ignore SA1019 What 2026-07-28 deprecates, servers of every version still use.

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/mcp/internal/mend"
	"helve/message"
	"helve/schema"
	"helve/tool"
)

// elicit asks the person for a server. Without anybody there it is declined at once.
func elicit(ctx context.Context, w *waiting, server string, p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
	q, err := form(server, p)
	if err != nil {
		return nil, err
	}
	answer, err := w.ask(ctx, q)
	switch {
	case errors.Is(err, tool.ErrNobody):
		return &sdk.ElicitResult{Action: string(tool.Decline)}, nil
	case err != nil:
		return &sdk.ElicitResult{Action: string(tool.Cancel)}, nil
	}
	result := &sdk.ElicitResult{Action: string(answer.Action)}
	if answer.Action == tool.Accept && len(answer.Fields) > 0 {
		if err := json.Unmarshal(answer.Fields, &result.Content); err != nil {
			return nil, fmt.Errorf("the answer can't be read: %w", err)
		}
	}
	return result, nil
}

func form(server string, p *sdk.ElicitParams) (tool.Question, error) {
	text := fmt.Sprintf("The server %s asks: %s", server, p.Message)
	if p.Mode == "url" {
		return tool.Link{Message: text, URL: p.URL}, nil
	}
	if p.RequestedSchema == nil {
		return tool.Form{Message: text}, nil
	}
	data, err := formOf(p)
	if err != nil {
		return nil, err
	}
	fields, err := schema.Compile(data)
	if err != nil {
		return nil, fmt.Errorf("the requested schema can't be read: %w", err)
	}
	return tool.Form{Message: text, Fields: fields}, nil
}

// formOf is a form as the server wrote it.
func formOf(p *sdk.ElicitParams) ([]byte, error) {
	if raw, ok := p.Meta[mend.RawForm].(string); ok {
		return []byte(raw), nil
	}
	return json.Marshal(p.RequestedSchema)
}

// sample asks the host's model for a server.
func sample(ctx context.Context, w *waiting, p *sdk.CreateMessageParams) (*sdk.CreateMessageResult, error) {
	q := tool.Completion{System: p.SystemPrompt, MaxTokens: int(p.MaxTokens)}
	for i, m := range p.Messages {
		part, err := partOf(m.Content)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		role := message.RoleUser
		if m.Role == "assistant" {
			role = message.RoleAssistant
		}
		q.Messages = append(q.Messages, message.Message{Role: role, Parts: []message.Part{part}})
	}
	answer, err := w.ask(ctx, q)
	if err != nil {
		return nil, err
	}
	return &sdk.CreateMessageResult{
		Content: &sdk.TextContent{Text: answer.Message.Text()}, Model: answer.Model, Role: "assistant", StopReason: "endTurn",
	}, nil
}

func partOf(c sdk.Content) (message.Part, error) {
	switch c := c.(type) {
	case *sdk.TextContent:
		return message.Text(c.Text), nil
	case *sdk.ImageContent:
		return message.Image{Data: c.Data, MediaType: c.MIMEType}, nil
	case *sdk.AudioContent:
		return message.Audio{Data: c.Data, MediaType: c.MIMEType}, nil
	}
	return nil, fmt.Errorf("content of the type %T can't be shown to a model here", c)
}

// maxLinks is how many links a server may want to be opened before one call.
const maxLinks = 5

// linksIn returns the links that a server wants to be opened before it runs a call: it
// refuses the call with them.
func linksIn(err error) []*sdk.ElicitParams {
	said, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok || said.Code != sdk.CodeURLElicitationRequired {
		return nil
	}
	var data struct {
		Elicitations []*sdk.ElicitParams `json:"elicitations"`
	}
	if json.Unmarshal(said.Data, &data) != nil || len(data.Elicitations) > maxLinks {
		return nil
	}
	for _, p := range data.Elicitations {
		if p == nil || p.Mode != "url" {
			return nil
		}
	}
	return data.Elicitations
}

// opened asks the person to open links, and reports whether they did.
func (s *session) opened(w *waiting, links []*sdk.ElicitParams) bool {
	c := s.client
	if !c.options.Elicitation || c.config.Elicitation != Ask {
		return false
	}
	for _, p := range links {
		r, err := elicit(w.ctx, w, c.config.Name, p)
		if err != nil || r.Action != string(tool.Accept) {
			return false
		}
	}
	return true
}
