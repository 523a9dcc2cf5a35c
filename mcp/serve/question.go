//lint:file-ignore SA1019 What 2026-07-28 deprecates, clients of every version still use.

package serve

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/message"
	"helve/tool"
)

// asked is one question of a tool, as the protocol has it.
type asked struct {
	name     string
	question tool.Question
	input    sdk.InputRequest
}

// missing says that the client can't answer a question.
type missing struct {
	capability json.RawMessage // what the client would have to declare
	what       string
}

func (m *missing) Error() string {
	return "the client can't " + m.what + ": it has not declared that it can"
}

func (m *missing) Unwrap() error { return tool.ErrNobody }

var (
	noForm       = &missing{json.RawMessage(`{"elicitation":{}}`), "show a form"}
	noLink       = &missing{json.RawMessage(`{"elicitation":{"url":{}}}`), "open a link"}
	noCompletion = &missing{json.RawMessage(`{"sampling":{}}`), "ask a model"}
	noRoots      = &missing{json.RawMessage(`{"roots":{}}`), "tell its folders"}
)

// ask turns questions into what the client is asked. The error wraps
// [tool.ErrNobody] where it can't be.
func ask(questions []tool.Question, can *sdk.ClientCapabilities) ([]asked, error) {
	if can == nil {
		can = &sdk.ClientCapabilities{}
	}
	all := make([]asked, len(questions))
	names := map[string]bool{}
	for i, q := range questions {
		a, err := askOne(q, can)
		if err != nil {
			return nil, err
		}
		if a.name == "" {
			a.name = "question_" + strconv.Itoa(i+1)
		}
		if names[a.name] {
			return nil, fmt.Errorf("two questions have the name %q: give each its own", a.name)
		}
		names[a.name] = true
		all[i] = a
	}
	return all, nil
}

func askOne(q tool.Question, can *sdk.ClientCapabilities) (asked, error) {
	switch q := q.(type) {
	case tool.Form:
		if e := can.Elicitation; e == nil || e.Form == nil && e.URL != nil {
			return asked{}, noForm
		}
		wanted, err := fields(q.Fields)
		return asked{q.Name, q, &sdk.ElicitParams{Mode: "form", Message: q.Message, RequestedSchema: wanted}}, err
	case tool.Link:
		if e := can.Elicitation; e == nil || e.URL == nil {
			return asked{}, noLink
		}
		return asked{q.Name, q, &sdk.ElicitParams{Mode: "url", Message: q.Message, URL: q.URL, ElicitationID: rand.Text()}}, nil
	case tool.Completion:
		if can.Sampling == nil {
			return asked{}, noCompletion
		}
		p, err := completion(q)
		return asked{q.Name, q, p}, err
	case tool.Roots:
		if can.RootsV2 == nil && !can.Roots.ListChanged {
			return asked{}, noRoots
		}
		return asked{q.Name, q, &sdk.ListRootsParams{}}, nil
	}
	return asked{}, fmt.Errorf("a question of type %T can't be asked: use a Form, Link, Completion or Roots, by value", q)
}

const defaultTokens = 1024

func completion(q tool.Completion) (*sdk.CreateMessageWithToolsParams, error) {
	p := &sdk.CreateMessageWithToolsParams{SystemPrompt: q.System, MaxTokens: int64(q.MaxTokens), Messages: []*sdk.SamplingMessageV2{}}
	if p.MaxTokens <= 0 {
		p.MaxTokens = defaultTokens
	}
	for _, m := range q.Messages {
		if m.Role != message.RoleUser && m.Role != message.RoleAssistant {
			return nil, fmt.Errorf("a completion has messages of the user and the assistant, not of %q: put the host's instructions into System", m.Role)
		}
		for _, part := range m.Parts {
			var content sdk.Content
			switch part := part.(type) {
			case message.Text:
				content = &sdk.TextContent{Text: string(part)}
			case message.Image:
				content = &sdk.ImageContent{Data: part.Data, MIMEType: part.MediaType}
			case message.Audio:
				content = &sdk.AudioContent{Data: part.Data, MIMEType: part.MediaType}
			default:
				return nil, fmt.Errorf("a completion takes text, images and audio, not %T", part)
			}
			p.Messages = append(p.Messages, &sdk.SamplingMessageV2{Role: sdk.Role(m.Role), Content: []sdk.Content{content}})
		}
	}
	return p, nil
}

var errUnfit = errors.New("the client's answer does not fit the question")

// answer reads what the client answered.
func (a *asked) answer(response sdk.InputResponse) (tool.Answer, error) {
	switch q := a.question.(type) {
	case tool.Form:
		if r, ok := response.(*sdk.ElicitResult); ok && r != nil {
			return elicited(q, r)
		}
	case tool.Link:
		if r, ok := response.(*sdk.ElicitResult); ok && r != nil {
			return tool.Answer{Action: tool.Action(r.Action)}, checkAction(r.Action)
		}
	case tool.Completion:
		if r, ok := response.(*sdk.CreateMessageWithToolsResult); ok && r != nil {
			return completed(r)
		}
	case tool.Roots:
		if r, ok := response.(*sdk.ListRootsResult); ok && r != nil {
			answer := tool.Answer{Roots: []string{}}
			for _, root := range r.Roots {
				if root != nil {
					answer.Roots = append(answer.Roots, root.URI)
				}
			}
			return answer, nil
		}
	}
	return tool.Answer{}, errUnfit
}

func elicited(q tool.Form, r *sdk.ElicitResult) (tool.Answer, error) {
	answer := tool.Answer{Action: tool.Action(r.Action)}
	if err := checkAction(r.Action); err != nil || answer.Action != tool.Accept {
		return answer, err
	}
	if q.Fields == nil {
		answer.Fields = json.RawMessage(`{}`)
		return answer, nil
	}
	content := r.Content
	if content == nil {
		content = map[string]any{}
	}
	fields, err := json.Marshal(content)
	if err == nil {
		answer.Fields, err = q.Fields.Prepare(fields)
	}
	if err != nil {
		return tool.Answer{}, fmt.Errorf("%w: %w", errUnfit, err)
	}
	return answer, nil
}

func checkAction(action string) error {
	switch tool.Action(action) {
	case tool.Accept, tool.Decline, tool.Cancel:
		return nil
	}
	return errUnfit
}

func completed(r *sdk.CreateMessageWithToolsResult) (tool.Answer, error) {
	answer := tool.Answer{Model: r.Model, Message: message.Message{Role: message.RoleAssistant}}
	for _, c := range r.Content {
		switch c := c.(type) {
		case *sdk.TextContent:
			answer.Message.Parts = append(answer.Message.Parts, message.Text(c.Text))
		case *sdk.ImageContent:
			answer.Message.Parts = append(answer.Message.Parts, message.Image{Data: c.Data, MediaType: c.MIMEType})
		case *sdk.AudioContent:
			answer.Message.Parts = append(answer.Message.Parts, message.Audio{Data: c.Data, MediaType: c.MIMEType})
		default:
			return tool.Answer{}, errUnfit
		}
	}
	return answer, nil
}
