package library

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"helve/catalog"
	"helve/mcp/serve"
	"helve/message"
	"helve/schema"
	"helve/tool"
)

// PromptFile is a prompt as a file describes it.
type PromptFile struct {
	Name        string     `yaml:"name" jsonschema:"minLength=1" jsonschema_description:"What clients call it, such as the word behind the slash of a command."`
	Title       string     `yaml:"title,omitempty" jsonschema_description:"What people read in its place."`
	Description string     `yaml:"description,omitempty" jsonschema_description:"What it is for."`
	Arguments   []Argument `yaml:"arguments,omitempty" jsonschema_description:"What the person fills in."`
	Messages    []Message  `yaml:"messages" jsonschema:"minItems=1" jsonschema_description:"How the conversation begins."`
}

// Argument is what a person fills in before the conversation begins.
type Argument struct {
	Name        string   `yaml:"name" jsonschema:"pattern=^[A-Za-z_][A-Za-z0-9_-]*$" jsonschema_description:"{name} in a text stands for its value."`
	Description string   `yaml:"description,omitempty" jsonschema_description:"What to fill in."`
	Required    bool     `yaml:"required,omitempty" jsonschema_description:"There is no prompt without it."`
	Values      []string `yaml:"values,omitempty" jsonschema_description:"Values to choose from, as a help. Others may be given too."`
	Ask         string   `yaml:"ask,omitempty" jsonschema_description:"What the person is asked who has not filled it in."`
}

// Message is a message of a prompt: one of its last four keys.
type Message struct {
	Role     string `yaml:"role,omitempty" jsonschema:"enum=user,enum=assistant,default=user" jsonschema_description:"Who says it."`
	Text     string `yaml:"text,omitempty" jsonschema_description:"A text, with {argument} for the value of an argument."`
	Image    string `yaml:"image,omitempty" jsonschema_description:"A picture: its file, below the workspace."`
	Audio    string `yaml:"audio,omitempty" jsonschema_description:"A recording: its file, below the workspace."`
	Resource string `yaml:"resource,omitempty" jsonschema_description:"The content of a resource of the workspace: its address, with {argument} for the value of an argument."`
}

type prompt struct {
	PromptFile
	dir string
}

var argumentName = regexp.MustCompile(`^[A-Za-z_][\w-]*$`)

// check finds what no type can.
func (p *prompt) check(f *catalog.File) (errs []error) {
	wrong := func(pointer, format string, args ...any) { errs = append(errs, f.Errorf(pointer, format, args...)) }
	if strings.TrimSpace(p.Name) == "" {
		wrong("/name", "the name is empty: give it one")
	}
	var names []string
	for i, a := range p.Arguments {
		at := fmt.Sprintf("/arguments/%d/name", i)
		switch {
		case !argumentName.MatchString(a.Name):
			wrong(at, "the name of an argument has letters, digits, _ and -, and begins with a letter: {%s} could not stand in a text", a.Name)
		case contains(names, a.Name):
			wrong(at, "the argument %s is there already: rename one of them", a.Name)
		}
		names = append(names, a.Name)
	}
	if len(p.Messages) == 0 {
		wrong("/messages", "there is no message: write one, such as - text: Say hello")
	}
	for i, m := range p.Messages {
		at := fmt.Sprintf("/messages/%d", i)
		if m.Role != "" && m.Role != "user" && m.Role != "assistant" {
			wrong(at+"/role", "nobody has the role %.20q: write user or assistant", m.Role)
		}
		switch given := m.given(); len(given) {
		case 0:
			wrong(at, "the message is empty: write text, image, audio or resource")
		case 1:
			if err := m.checkContent(p.dir, names); err != nil {
				wrong(at+"/"+given[0], "%v", err)
			}
		default:
			wrong(at+"/"+given[1], "a message has one of %s: write a message for each", strings.Join(given, " and "))
		}
	}
	return errs
}

// given are the keys of the message's content.
func (m *Message) given() (keys []string) {
	for _, c := range []struct{ key, value string }{{"text", m.Text}, {"image", m.Image}, {"audio", m.Audio}, {"resource", m.Resource}} {
		if c.value != "" {
			keys = append(keys, c.key)
		}
	}
	return keys
}

func (m *Message) checkContent(dir string, names []string) error {
	if m.Image+m.Audio != "" {
		if _, err := m.media(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errors.New(tool.AsError(err).Message)
		}
		return nil // it may come: see missing
	}
	return check(m.Text+m.Resource, names)
}

// missing warns of files that are not there.
func (p *prompt) missing(f *catalog.File) (warnings []error) {
	for i, m := range p.Messages {
		for key, file := range map[string]string{"image": m.Image, "audio": m.Audio} {
			if file != "" {
				warnings = append(warnings, warnMissing(f, fmt.Sprintf("/messages/%d/%s", i, key), file))
			}
		}
	}
	return warnings
}

// media reads the picture or the recording of a message.
func (m *Message) media(dir string) (message.Part, error) {
	file, kind := m.Image, "image/"
	if file == "" {
		file, kind = m.Audio, "audio/"
	}
	data, err := read(dir, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &tool.Error{Kind: tool.KindNotFound, Message: fmt.Sprintf("The file %s is not there.", file), Err: err}
	}
	if err != nil {
		return nil, err
	}
	media := mediaType(file, data)
	switch {
	case !strings.HasPrefix(media, kind):
		return nil, &tool.Error{Kind: tool.KindExecution, Message: fmt.Sprintf("%s is not of the kind %s*.", file, kind)}
	case m.Image != "":
		return message.Image{Data: data, MediaType: media}, nil
	}
	return message.Audio{Data: data, MediaType: media}, nil
}

// served is the prompt for a server of these resources.
func (p *prompt) served(resources []*resource) serve.Prompt {
	served := serve.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
	for _, a := range p.Arguments {
		served.Arguments = append(served.Arguments, serve.Argument{Name: a.Name, Description: a.Description, Required: a.Required && a.Ask == "", Values: a.Values})
	}
	served.Render = func(ctx context.Context, given map[string]string) ([]message.Message, error) {
		values, err := p.values(ctx, given)
		if err != nil {
			return nil, err
		}
		var messages []message.Message
		for _, m := range p.Messages {
			part, err := m.part(p.dir, values, resources)
			if err != nil {
				return nil, err
			}
			role := message.RoleUser
			if m.Role == "assistant" {
				role = message.RoleAssistant
			}
			messages = append(messages, message.Message{Role: role, Parts: []message.Part{part}})
		}
		return messages, nil
	}
	return served
}

// values are those of the arguments. The person is asked, in one form for each, for
// those that want it and were not given; one that is not required may stay empty.
func (p *prompt) values(ctx context.Context, given map[string]string) (map[string]string, error) {
	values := map[string]string{}
	var asked []Argument
	var questions []tool.Question
	for _, a := range p.Arguments {
		value, ok := given[a.Name]
		values[a.Name] = value
		if !ok && a.Ask != "" {
			asked = append(asked, a)
			questions = append(questions, a.question())
		}
	}
	if len(questions) == 0 {
		return values, nil
	}
	answers, err := tool.RuntimeFrom(ctx).Ask(ctx, questions...)
	if errors.Is(err, tool.ErrNobody) && !anyRequired(asked) {
		return values, nil
	}
	if err != nil {
		return nil, err
	}
	for i, a := range asked {
		if answers[i].Action != tool.Accept {
			if a.Required {
				return nil, &tool.Error{Kind: tool.KindDenied, Message: fmt.Sprintf("The prompt %s needs %s.", p.Name, a.Name)}
			}
			continue
		}
		var fields map[string]string
		if err := json.Unmarshal(answers[i].Fields, &fields); err != nil {
			return nil, err
		}
		values[a.Name] = fields[a.Name]
	}
	return values, nil
}

func anyRequired(arguments []Argument) bool {
	for _, a := range arguments {
		if a.Required {
			return true
		}
	}
	return false
}

// question asks for the value of an argument.
func (a *Argument) question() tool.Question {
	field := map[string]any{"type": "string"}
	if a.Description != "" {
		field["description"] = a.Description
	}
	fields := map[string]any{"type": "object", "properties": map[string]any{a.Name: field}}
	if a.Required {
		field["minLength"] = 1
		fields["required"] = []string{a.Name}
	}
	text, _ := json.Marshal(fields) // texts
	return tool.Form{Name: a.Name, Message: a.Ask, Fields: schema.MustCompile(string(text))}
}

// part is the content of a message.
func (m *Message) part(dir string, values map[string]string, resources []*resource) (message.Part, error) {
	switch {
	case m.Text != "":
		return message.Text(expand(m.Text, values)), nil
	case m.Resource == "":
		return m.media(dir)
	}
	uri := expand(m.Resource, values)
	for _, r := range resources {
		if !r.answers(uri) {
			continue
		}
		content, err := r.read(uri)
		if err != nil {
			return nil, err
		}
		content.URI = uri
		return content, nil
	}
	return nil, &tool.Error{Kind: tool.KindNotFound, Message: fmt.Sprintf("There is no resource %.200q.", uri)}
}
