package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"helve/agent"
	"helve/message"
	"helve/model"
	"helve/tool"
)

// answering returns what answers the questions of tools: the person at the terminal does,
// one at a time, and decides whether client may be asked. --approve allows calls and
// answers nothing.
func (a *app) answering(client model.Client) func(context.Context, tool.Call, []tool.Question) ([]tool.Answer, error) {
	return func(ctx context.Context, call tool.Call, questions []tool.Question) ([]tool.Answer, error) {
		answers := make([]tool.Answer, len(questions))
		for i, q := range questions {
			var err error
			if answers[i], err = a.answer(ctx, client, call, q); err != nil {
				return nil, err
			}
		}
		return answers, nil
	}
}

func (a *app) answer(ctx context.Context, client model.Client, call tool.Call, q tool.Question) (answer tool.Answer, err error) {
	if _, ok := q.(tool.Roots); ok {
		return tool.Answer{}, nil // no folder is a tool's to work in
	}
	completion, toModel := q.(tool.Completion)
	if a.json || a.jsonl || toModel && client == nil {
		return tool.Answer{}, tool.ErrNobody
	}
	who := "A tool"
	if call.Name != "" {
		who = label(call.Name)
	}
	err = a.talk(ctx, func(d *dialog) error {
		answer, err = d.answer(who, client, q)
		return err
	})
	if err != nil || !toModel {
		return answer, err
	}
	return agent.Complete(ctx, client, completion) // the screen is free again
}

// answer asks the person. Ctrl-D is a no.
func (d *dialog) answer(who string, client model.Client, q tool.Question) (answer tool.Answer, err error) {
	switch q := q.(type) {
	case tool.Form:
		answer, err = d.form(who, q)
	case tool.Link:
		answer, err = d.link(who, q)
	case tool.Completion:
		return tool.Answer{}, d.completion(who, client.Info().Model, q)
	}
	if errors.Is(err, io.EOF) {
		d.say("\n")
		return tool.Answer{Action: tool.Decline}, nil
	}
	return answer, err
}

// decided is the answer to a question of yes or no.
func decided(yes bool, err error) (tool.Answer, error) {
	if !yes {
		return tool.Answer{Action: tool.Decline}, err
	}
	return tool.Answer{Action: tool.Accept}, err
}

// link shows an address. helve never opens one: it is a stranger's.
func (d *dialog) link(who string, q tool.Link) (tool.Answer, error) {
	d.say("%s asks you to open an address:\n%s\n\n  %s\n\n", who, quote(q.Message), label(q.URL))
	if u, err := url.Parse(q.URL); err == nil && strings.ContainsFunc(u.Host, func(r rune) bool { return r > '~' }) {
		d.say("Mind the letters of its host, which may look like others: %+q\n", u.Host)
	}
	return decided(d.agrees("If you trust it, open it in your browser. Did you? "))
}

var (
	errNotAllowed  = &tool.Error{Kind: tool.KindDenied, Message: "A person was asked and did not allow the question to the model."}
	errTooMuchRead = &tool.Error{Kind: tool.KindDenied, Message: fmt.Sprintf("The question to the model is longer than the %d KiB that a person is asked to read and to allow.", mostShown>>10)}
)

// completion asks whether the model may be asked, and shows all that it would read.
func (d *dialog) completion(who, name string, q tool.Completion) error {
	text, err := transcript(q)
	if err != nil {
		return err
	}
	if len(text) > mostShown {
		return errTooMuchRead
	}
	d.say("%s wants to ask the model %s, and reads what it says:\n%s", who, label(name), text)
	yes, err := d.agrees("May it? ")
	switch {
	case errors.Is(err, io.EOF) || err == nil && !yes:
		return errNotAllowed
	}
	return err
}

// transcript is everything that is sent to a model, to be read by a person.
func transcript(q tool.Completion) (string, error) {
	var b strings.Builder
	write := func(role message.Role, text string) { fmt.Fprintf(&b, "%s:\n%s\n", role, quote(text)) }
	if q.System != "" {
		write(message.RoleSystem, q.System)
	}
	for _, m := range q.Messages {
		for _, p := range m.Parts {
			if text, ok := p.(message.Text); ok {
				write(m.Role, string(text))
				continue
			}
			data, err := message.MarshalParts([]message.Part{p})
			if err != nil {
				return "", err
			}
			write(m.Role, string(data))
		}
	}
	return b.String(), nil
}
