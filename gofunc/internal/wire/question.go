package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"helve/message"
	"helve/schema"
	"helve/tool"
)

// Question is a [tool.Question] on its way: one of its fields is set.
type Question struct {
	Form       *Form            `json:"form,omitempty"`
	Link       *tool.Link       `json:"link,omitempty"`
	Completion *tool.Completion `json:"completion,omitempty"`
	Roots      *tool.Roots      `json:"roots,omitempty"`
}

// Form is a [tool.Form] on its way.
type Form struct {
	Name    string          `json:"name,omitempty"`
	Message string          `json:"message"`
	Fields  json.RawMessage `json:"fields,omitempty"`
}

// Answer is a [tool.Answer] on its way.
type Answer struct {
	Action  tool.Action      `json:"action,omitempty"`
	Fields  json.RawMessage  `json:"fields,omitempty"`
	Message *message.Message `json:"message,omitempty"`
	Model   string           `json:"model,omitempty"`
	Roots   []string         `json:"roots,omitempty"`
}

// NewQuestions takes questions apart, which [tool.Runtime.Ask] has checked.
func NewQuestions(questions []tool.Question) []Question {
	var out []Question
	for _, q := range questions {
		var w Question
		switch q := q.(type) {
		case tool.Form:
			w.Form = &Form{Name: q.Name, Message: q.Message}
			if q.Fields != nil {
				w.Form.Fields = q.Fields.JSON()
			}
		case tool.Link:
			w.Link = &q
		case tool.Completion:
			w.Completion = &q
		case tool.Roots:
			w.Roots = &q
		}
		out = append(out, w)
	}
	return out
}

func (q Question) tool() (tool.Question, error) {
	switch {
	case q.Form != nil && len(q.Form.Fields) == 0:
		return tool.Form{Name: q.Form.Name, Message: q.Form.Message}, nil
	case q.Form != nil:
		fields, err := schema.Compile(q.Form.Fields)
		return tool.Form{Name: q.Form.Name, Message: q.Form.Message, Fields: fields}, err
	case q.Link != nil:
		return *q.Link, nil
	case q.Completion != nil:
		return *q.Completion, nil
	case q.Roots != nil:
		return *q.Roots, nil
	}
	return nil, errors.New("a question of no kind")
}

// answers asks the host.
func answers(ctx context.Context, rt *tool.Runtime, questions []Question) ([]Answer, error) {
	var asked []tool.Question
	for i, q := range questions {
		question, err := q.tool()
		if err != nil {
			return nil, fmt.Errorf("question %d: %w", i+1, err)
		}
		asked = append(asked, question)
	}
	given, err := rt.Ask(ctx, asked...)
	var out []Answer
	for _, a := range given {
		w := Answer{Action: a.Action, Fields: a.Fields, Model: a.Model, Roots: a.Roots}
		if !a.Message.IsZero() {
			w.Message = &a.Message
		}
		out = append(out, w)
	}
	return out, err
}

// ToolAnswers puts the answers of a together again.
func (a Ask) ToolAnswers() []tool.Answer {
	var out []tool.Answer
	for _, w := range a.Answers {
		answer := tool.Answer{Action: w.Action, Fields: w.Fields, Model: w.Model, Roots: w.Roots}
		if w.Message != nil {
			answer.Message = *w.Message
		}
		out = append(out, answer)
	}
	return out
}
