package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"helve/schema"
)

// Field is one thing that a [Form] asks for: text, a number, a truth value, or of Type
// array any number of Choices.
type Field struct {
	schema.Property
	Choices []Choice // nil where any value of its type will do
}

// Choice is a value that a person may choose, and how it is called.
type Choice struct{ Value, Title string }

// Inputs returns the fields of the form, in order, for hosts that show them. It is nil
// for a yes or no.
//
// A form is what a person can be shown by any host: a flat object of strings, numbers,
// integers, booleans, strings with an enum, and arrays of strings with an enum, as in the
// elicitation of MCP (2025-11-25). Choices may have titles, by oneOf (in an array anyOf)
// of const and title. A string may have the format email, uri, date or date-time; or
// password, which helve's own hosts hide and MCP does not have. Anything else is an error
// that names the field.
func (f Form) Inputs() ([]Field, error) {
	if f.Fields == nil {
		return nil, nil
	}
	if len(f.Fields.JSON()) > maxFields {
		return nil, fmt.Errorf("its fields take more than %d KiB: ask for less", maxFields>>10)
	}
	object := node(f.Fields.JSON())
	if object == nil || object["type"] != nil && object.text("type") != "object" {
		return nil, errors.New("its fields are no object: a form has named fields")
	}
	properties := object.node("properties")
	var fields []Field
	for _, p := range f.Fields.Properties() {
		choices, err := choicesOf(properties.node(p.Name), p)
		if err != nil {
			return nil, fmt.Errorf("field %.64q %w", p.Name, err)
		}
		fields = append(fields, Field{p, choices})
	}
	return fields, nil
}

var formats = []string{"", "email", "uri", "date", "date-time", "password"}

// choicesOf returns what may be chosen for a field, and an error where the field can't
// be asked for.
func choicesOf(field keys, p schema.Property) ([]Choice, error) {
	kind := field.text("type")
	switch kind {
	case "number", "integer", "boolean":
		return nil, nil
	case "object":
		return nil, errors.New("is an object: a form is flat, so ask for its parts")
	case "array":
		items := field.node("items")
		if items["enum"] == nil && items["anyOf"] == nil {
			return nil, errors.New("is an array of anything: give its items an enum to choose from")
		}
		return items.choices("anyOf")
	case "string":
		choices, err := field.choices("oneOf")
		if err == nil && choices == nil && !slices.Contains(formats, p.Format) {
			err = fmt.Errorf("has the format %.64q: a form knows email, uri, date, date-time and password", p.Format)
		}
		return choices, err
	}
	return nil, errors.New("has not exactly one type: make it a string, number, integer, boolean or an array of choices")
}

// keys are those of an object of JSON Schema, in the case they are written in.
type keys map[string]json.RawMessage

func node(doc json.RawMessage) (k keys) {
	_ = json.Unmarshal(doc, &k) // true has no keys
	return k
}

func (k keys) node(key string) keys { return node(k[key]) }

func (k keys) text(key string) (text string) {
	_ = json.Unmarshal(k[key], &text)
	return text
}

// choices reads an enum, or what has a const and a title each.
func (k keys) choices(titled string) ([]Choice, error) {
	var values, names []string
	var titles []keys
	if unread(k["enum"], &values) || unread(k["enumNames"], &names) || unread(k[titled], &titles) {
		return nil, errors.New("has choices that are not text")
	}
	if len(names) != len(values) { // of older MCP servers
		names = values
	}
	var choices []Choice
	for i, value := range values {
		choices = append(choices, Choice{value, names[i]})
	}
	if choices != nil {
		return choices, nil
	}
	for _, t := range titles {
		choice := Choice{t.text("const"), t.text("title")}
		if choice.Value == "" || choice.Title == "" {
			return nil, errors.New("has a choice without a const or a title")
		}
		choices = append(choices, choice)
	}
	return choices, nil
}

func unread(doc json.RawMessage, into any) bool {
	return doc != nil && json.Unmarshal(doc, into) != nil
}
