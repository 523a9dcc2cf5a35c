package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/message"
	"helve/tool"
)

// Prompt is a conversation's beginning that a person chooses, such as a slash command.
//
// Render makes it of the arguments: those that are required are there. What it asks by
// [tool.RuntimeFrom] the client answers, as for a tool. Its error is told to the
// person. It is called by many goroutines at once.
type Prompt struct {
	Name, Title, Description string

	Arguments []Argument
	Render    func(ctx context.Context, arguments map[string]string) ([]message.Message, error)
}

// Argument is what a person fills in.
type Argument struct {
	Name, Description string

	Required bool
	Values   []string // to choose from, as a help; any other may be given
}

func (s *Server) offerPrompt(p Prompt) offer {
	definition := &sdk.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
	for _, a := range p.Arguments {
		definition.Arguments = append(definition.Arguments, &sdk.PromptArgument{Name: a.Name, Description: a.Description, Required: a.Required})
	}
	o := offer{
		definition: definition,
		put:        func() { s.sdk.AddPrompt(definition, s.getPrompt) },
		drop:       func() { s.sdk.RemovePrompts(p.Name) },
	}
	switch {
	case p.Name == "":
		o.err = fmt.Errorf("it has no name")
	case p.Render == nil:
		o.err = fmt.Errorf("its Render is nil")
	}
	return o
}

func (c *Content) prompt(name string) (Prompt, bool) {
	for _, p := range c.Prompts {
		if p.Name == name {
			return p, true
		}
	}
	return Prompt{}, false
}

// getPrompt is the handler of every prompt.
func (s *Server) getPrompt(ctx context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	params := req.Params
	p, ok := s.content.Load().prompt(params.Name)
	if !ok {
		return nil, invalid("unknown prompt " + clip(params.Name))
	}
	for _, a := range p.Arguments {
		if _, given := params.Arguments[a.Name]; a.Required && !given {
			return nil, invalid(fmt.Sprintf("the prompt %s needs the argument %q", p.Name, a.Name))
		}
	}
	r := newRequest(ctx, req)
	r.method, r.name, r.state, r.answers = "prompts/get", p.Name, params.RequestState, params.InputResponses
	r.arguments = func() []byte {
		arguments, _ := json.Marshal(params.Arguments) // strings
		return arguments
	}
	result, asks, err := s.serve(r, func(ctx context.Context, rt *tool.Runtime) (sdk.Result, error) {
		messages, err := p.Render(tool.WithRuntime(ctx, rt), params.Arguments)
		if err != nil {
			return nil, requestError(err)
		}
		rendered, err := s.promptMessages(messages)
		return &sdk.GetPromptResult{Description: p.Description, Messages: rendered}, err
	})
	if asks != nil {
		return &sdk.GetPromptResult{InputRequests: asks.inputs(), RequestState: asks.state, Messages: nil}, nil
	}
	if err != nil {
		return nil, err
	}
	return result.(*sdk.GetPromptResult), nil
}

// promptMessages gives each part a message of its own, as the protocol has it.
func (s *Server) promptMessages(messages []message.Message) ([]*sdk.PromptMessage, error) {
	rendered := []*sdk.PromptMessage{}
	for _, m := range messages {
		if m.Role != message.RoleUser && m.Role != message.RoleAssistant {
			return nil, fmt.Errorf("a prompt has messages of the user and the assistant, not of %q", m.Role)
		}
		for _, content := range s.parts(m.Parts) {
			rendered = append(rendered, &sdk.PromptMessage{Role: sdk.Role(m.Role), Content: content})
		}
	}
	return rendered, nil
}

// mostValues is how many completions the protocol allows.
const mostValues = 100

// complete helps a person to fill in the arguments of a prompt.
func (s *Server) complete(_ context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	result := &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{}}}
	ref, argument := req.Params.Ref, req.Params.Argument
	if ref.Type != "ref/prompt" {
		return result, nil
	}
	p, ok := s.content.Load().prompt(ref.Name)
	if !ok {
		return nil, invalid("unknown prompt " + clip(ref.Name))
	}
	for _, a := range p.Arguments {
		if a.Name != argument.Name {
			continue
		}
		for _, v := range a.Values {
			if !strings.HasPrefix(strings.ToLower(v), strings.ToLower(argument.Value)) {
				continue
			}
			result.Completion.Total++
			if len(result.Completion.Values) < mostValues {
				result.Completion.Values = append(result.Completion.Values, v)
			}
		}
	}
	result.Completion.HasMore = result.Completion.Total > mostValues
	return result, nil
}
