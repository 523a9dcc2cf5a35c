package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"helve/message"
	"helve/schema"
)

// Question is what a tool asks while it runs: a [Form], a [Link], a [Completion] or
// [Roots]. Its Name, which may be empty, is for a host that passes questions on and
// must tell them apart: no two questions of one Ask have the same.
type Question interface {
	check() error
	// accept returns an answer of the host as the tool may rely on it.
	accept(Answer) (Answer, error)
}

// Form asks the person who uses the tool to fill in a few fields. See [Form.Inputs] for
// what they can be.
type Form struct {
	Name    string
	Message string         // what the person reads, at most 16 KiB
	Fields  *schema.Schema // a flat object; nil asks for a yes or no
}

// Link asks the person to open an address, such as that of a payment.
type Link struct {
	Name    string
	Message string // why, at most 16 KiB
	URL     string // http or https
}

// Completion asks the model of the host. The host may show the messages to a person
// first, and shorten the answer.
type Completion struct {
	Name      string
	System    string
	Messages  []message.Message // at least one, at most 4 MiB in all
	MaxTokens int               // 0 leaves it to the host
}

// Roots asks which folders the tool may work in.
type Roots struct {
	Name string
}

// Answer is what became of a [Question].
type Answer struct {
	Action  Action          // of a Form or a Link
	Fields  json.RawMessage // of a Form that was accepted: an object
	Message message.Message // of a Completion
	Model   string          // that wrote Message
	Roots   []string        // of Roots: file:// URLs
}

// Action is what a person did with a question.
type Action string

const (
	Accept  Action = "accept"  // it was answered
	Decline Action = "decline" // the person said no
	Cancel  Action = "cancel"  // the person did not choose, or went away
)

// ErrNobody is for a question that nobody is there to answer: no person, no model, or a
// policy that forbids to ask. [AsError] makes an error of [KindUnavailable] of it.
var ErrNobody = errors.New("tool: nobody is there to answer a question")

// Bounds of what a tool may ask, and of what a host may answer.
const (
	maxQuestions  = 32
	maxText       = 16 << 10 // bytes of a message or an address
	maxFields     = 64 << 10 // bytes of a form's schema
	maxCompletion = 4 << 20  // bytes of a completion's messages
	maxAnswer     = 1 << 20  // bytes of a form that was filled in
	maxRoots      = 1000
)

// Ask asks questions, all at once, and waits for their answers: one for each, in order.
// At most 32 may be asked at once. The call's deadline stands still meanwhile, so a
// person may take the time they need; ctx, and the end of the run, still count.
//
// A form that was accepted is valid against its fields and has their defaults, whoever
// the host is. A person who says no is an answer, see [Action]. An error is for all of
// the questions: [ErrNobody], that the model may not be asked, that a question can't be
// put, or that the host gave an answer that does not fit.
//
// Most tools want [Ask] or [Confirm].
func (rt *Runtime) Ask(ctx context.Context, questions ...Question) ([]Answer, error) {
	if len(questions) > maxQuestions {
		return nil, fmt.Errorf("tool: %d questions at once: ask at most %d", len(questions), maxQuestions)
	}
	for i, q := range questions {
		switch q.(type) {
		case Form, Link, Completion, Roots:
		default: // nil, or a pointer, which no host expects
			return nil, fmt.Errorf("tool: question %d is a %T: give a Form, Link, Completion or Roots by value", i+1, q)
		}
		if err := q.check(); err != nil {
			return nil, fmt.Errorf("tool: question %d: %w", i+1, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if rt.Answer == nil {
		return nil, ErrNobody
	}
	if len(questions) == 0 {
		return nil, nil
	}
	answers, err := rt.Answer(ctx, rt.CallID, questions)
	if err != nil {
		return nil, err
	}
	if len(answers) != len(questions) {
		return nil, fmt.Errorf("tool: the host gave %d answers to %d questions", len(answers), len(questions))
	}
	accepted := make([]Answer, len(answers))
	for i, q := range questions {
		if accepted[i], err = q.accept(answers[i]); err != nil {
			return nil, fmt.Errorf("tool: the host's answer to question %d %w", i+1, err)
		}
	}
	return accepted, nil
}

func (f Form) check() error {
	if err := checkText("message", f.Message); err != nil {
		return err
	}
	_, err := f.Inputs()
	return err
}

func (f Form) accept(a Answer) (Answer, error) {
	action, err := a.action()
	if err != nil || action.Action != Accept || f.Fields == nil {
		return action, err
	}
	if len(a.Fields) > maxAnswer {
		return Answer{}, fmt.Errorf("has more than %d KiB", maxAnswer>>10)
	}
	if action.Fields, err = f.Fields.Prepare(a.Fields); err != nil {
		return Answer{}, misfit(err)
	}
	return action, nil
}

// misfit says where an answer is wrong and not what it is: it may be a secret.
func misfit(err error) error {
	var invalid *schema.ValidationError
	if !errors.As(err, &invalid) {
		return errors.New("is not JSON")
	}
	where := make([]string, len(invalid.Violations))
	for i, v := range invalid.Violations {
		where[i] = fmt.Sprintf("%s (%s)", v.Pointer, v.Keyword)
	}
	return fmt.Errorf("does not fit its fields: %s", strings.Join(where, ", "))
}

func (l Link) check() error {
	if err := checkText("message", l.Message); err != nil {
		return err
	}
	if len(l.URL) > maxText {
		return fmt.Errorf("the address has more than %d KiB", maxText>>10)
	}
	u, err := url.Parse(l.URL)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("the address is none that a person can open: it must begin with https://HOST or http://HOST")
	}
	return nil
}

func (l Link) accept(a Answer) (Answer, error) { return a.action() }

func (c Completion) check() error {
	if len(c.Messages) == 0 {
		return errors.New("a completion needs a message")
	}
	if c.MaxTokens < 0 {
		return fmt.Errorf("MaxTokens is %d: it must not be negative", c.MaxTokens)
	}
	data, err := json.Marshal(c.Messages)
	if err != nil {
		return fmt.Errorf("its messages: %w", err)
	}
	if len(c.System)+len(data) > maxCompletion {
		return fmt.Errorf("its messages have more than %d MiB", maxCompletion>>20)
	}
	if problems := message.Check(c.Messages); len(problems) > 0 {
		return fmt.Errorf("message %d: %s", problems[0].Index+1, problems[0].Text)
	}
	return nil
}

func (c Completion) accept(a Answer) (Answer, error) {
	if a.Message.Role != message.RoleAssistant || len(a.Message.Parts) == 0 {
		return Answer{}, errors.New("has no message of a model")
	}
	return Answer{Message: a.Message, Model: a.Model}, nil
}

func (Roots) check() error { return nil }

func (Roots) accept(a Answer) (Answer, error) {
	if len(a.Roots) > maxRoots {
		return Answer{}, fmt.Errorf("has more than %d folders", maxRoots)
	}
	for _, root := range a.Roots {
		if !strings.HasPrefix(root, "file://") {
			return Answer{}, errors.New("has a folder that is no file:// URL")
		}
	}
	return Answer{Roots: a.Roots}, nil
}

// action is what a person did, without anything else.
func (a Answer) action() (Answer, error) {
	switch a.Action {
	case Accept, Decline, Cancel:
		return Answer{Action: a.Action}, nil
	}
	return Answer{}, fmt.Errorf("has the action %.20q: it must be accept, decline or cancel", string(a.Action))
}

func checkText(what, text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("its %s is empty: say what the person is asked for", what)
	case len(text) > maxText:
		return fmt.Errorf("its %s has more than %d KiB", what, maxText>>10)
	}
	return nil
}
