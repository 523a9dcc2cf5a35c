package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"helve/schema"
	"helve/tool"
)

// form asks for one field after the other.
func (d *dialog) form(who string, form tool.Form) (tool.Answer, error) {
	fields, err := form.Inputs()
	if err != nil {
		return tool.Answer{}, err
	}
	d.say("%s asks you:\n%s\n", who, quote(form.Message))
	if len(fields) == 0 {
		return decided(d.agrees(""))
	}
	d.say("Ctrl-D declines.\n")
	for {
		given := map[string]json.RawMessage{}
		for _, f := range fields {
			value, err := d.field(form.Fields, f)
			if err != nil {
				return tool.Answer{}, err
			}
			if value != nil {
				given[f.Name] = value
			}
		}
		data, err := json.Marshal(given)
		if err != nil {
			return tool.Answer{}, err
		}
		var invalid *schema.ValidationError
		switch err := form.Fields.Validate(data); {
		case err == nil:
			return tool.Answer{Action: tool.Accept, Fields: data}, nil
		case !errors.As(err, &invalid):
			return tool.Answer{}, err
		}
		for _, v := range invalid.Violations { // each field fits: it is how they go together
			d.say("%s %s.\n", label(v.Pointer), label(withoutValue(v.Message)))
		}
		d.say("Once more, from the first.\n")
	}
}

// field asks for one value, until there is one that fits. It is nil for a field that is
// left out.
func (d *dialog) field(form *schema.Schema, f tool.Field) (json.RawMessage, error) {
	if f.Format == "password" { // before anybody is told to type
		show, err := hideTyped(d.terminal)
		if err != nil {
			return nil, fmt.Errorf("what is typed can't be hidden: %w", err)
		}
		defer show()
	}
	d.say("\n%s\n", describeField(f))
	for i, c := range f.Choices {
		d.say("  %d  %s\n", i+1, label(c.Title))
	}
	for {
		d.say("> ")
		text, err := d.line()
		if err != nil {
			return nil, err
		}
		value, problem := fieldValue(form, f, text)
		if problem == "" {
			return value, nil
		}
		d.say("%s\n", label(problem))
	}
}

// describeField says what a field is, what kind of value it takes, and what an empty
// line means.
func describeField(f tool.Field) string {
	name := label(f.Name)
	if f.Title != "" && f.Title != f.Name {
		name = label(f.Title) + " (" + name + ")"
	}
	var about []string
	if f.Description != "" {
		about = append(about, label(f.Description))
	}
	about = append(about, kindOfField(f))
	switch {
	case f.Format == "password":
		about = append(about, "not shown")
	case f.Default != nil:
		about = append(about, "Enter for "+label(shownDefault(f)))
	case !f.Required:
		about = append(about, "Enter for none")
	}
	return name + ": " + strings.Join(about, "; ")
}

func kindOfField(f tool.Field) string {
	switch {
	case f.Type == "array":
		return "numbers from the list with commas between, - for none of it"
	case f.Choices != nil:
		return "a number from the list"
	case f.Type == "boolean":
		return "y or n"
	case f.Type == "integer":
		return "a whole number"
	case f.Type == "number":
		return "a number"
	}
	switch f.Format {
	case "email":
		return "an email address"
	case "uri":
		return "an address such as https://example.org"
	case "date":
		return "a date such as 2006-01-02"
	case "date-time":
		return "a date and time such as 2006-01-02T15:04:05Z"
	case "password":
		return "a secret"
	}
	return "text"
}

// shownDefault is a default as the person would choose it.
func shownDefault(f tool.Field) string {
	title := func(value string) string {
		if i := slices.IndexFunc(f.Choices, func(c tool.Choice) bool { return c.Value == value }); i >= 0 {
			return f.Choices[i].Title
		}
		return value
	}
	var text string
	var several []string
	switch {
	case json.Unmarshal(f.Default, &text) == nil:
		return title(text)
	case json.Unmarshal(f.Default, &several) == nil:
		for i := range several {
			several[i] = title(several[i])
		}
		return strings.Join(several, ", ")
	}
	return string(f.Default)
}

// fieldValue reads what was typed for a field. The problem says what to type instead.
func fieldValue(form *schema.Schema, f tool.Field, text string) (value json.RawMessage, problem string) {
	var given any = text
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "" && f.Default != nil:
		return f.Default, ""
	case trimmed == "" && f.Required && f.Type != "array":
		return nil, "It is needed."
	case trimmed == "" && !f.Required:
		return nil, ""
	case f.Type == "array":
		values, problem := chosen(f.Choices, trimmed)
		if problem != "" {
			return nil, problem
		}
		given = values
	case f.Choices != nil:
		choice, ok := choose(f.Choices, trimmed)
		if !ok {
			return nil, fmt.Sprintf("Type a number from 1 to %d.", len(f.Choices))
		}
		given = choice
	case f.Type == "boolean" && (isYes(text) || isNo(text)):
		given = isYes(text)
	case f.Type == "boolean":
		return nil, "Type y or n."
	case f.Type == "number" || f.Type == "integer":
		if !json.Valid([]byte(trimmed)) || strings.ContainsAny(trimmed[:1], `"{[tfn`) {
			return nil, "Type a number, such as 12."
		}
		given = json.RawMessage(trimmed)
	}
	value, err := json.Marshal(given)
	if err != nil {
		return nil, err.Error()
	}
	return value, misfit(form, f.Name, value)
}

// chosen reads several choices with commas between them.
func chosen(choices []tool.Choice, text string) (values []string, problem string) {
	values = []string{}
	if text == "" || text == "-" {
		return values, ""
	}
	for word := range strings.SplitSeq(text, ",") {
		value, ok := choose(choices, strings.TrimSpace(word))
		if !ok {
			return nil, fmt.Sprintf("Type numbers from 1 to %d with commas between, or - for none.", len(choices))
		}
		values = append(values, value)
	}
	return values, ""
}

// choose reads a choice: its number in the list, or what it is called there. Where a
// choice is called like a number, the number in the list counts.
func choose(choices []tool.Choice, text string) (value string, ok bool) {
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(choices) {
		return choices[n-1].Value, true
	}
	for _, c := range choices {
		if strings.EqualFold(c.Title, text) || c.Value == text {
			return c.Value, true
		}
	}
	return "", false
}

// misfit says what keeps value from being that of a field.
func misfit(form *schema.Schema, name string, value json.RawMessage) string {
	data, err := json.Marshal(map[string]json.RawMessage{name: value})
	if err != nil {
		return err.Error()
	}
	var invalid *schema.ValidationError
	if !errors.As(form.Validate(data), &invalid) {
		return ""
	}
	pointer := "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	for _, v := range invalid.Violations { // others are of fields that are still to come
		if v.Pointer == pointer || strings.HasPrefix(v.Pointer, pointer+"/") {
			return "It " + withoutValue(v.Message) + "."
		}
	}
	return ""
}

// withoutValue leaves out what was typed: it may be a secret, and the person knows it.
func withoutValue(violation string) string {
	text, _, _ := strings.Cut(violation, ", got ")
	return text
}
