package skill

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"helve/internal/nearest"
)

// template is the arguments of a script, with {{parameter}} in the places of values. An
// argument stays one argument, whatever the value; one with a parameter that is absent is
// left out.
type template []string

var placeholder = regexp.MustCompile(`\{\{\s*([^{}\s]+)\s*\}\}`)

// check refuses a placeholder for a parameter that the schema does not have: it is most
// often misspelt.
func (t template) check(parameters json.RawMessage) error {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(parameters, &s); err != nil {
		return err
	}
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, argument := range t {
		for _, m := range placeholder.FindAllStringSubmatch(argument, -1) {
			if _, known := s.Properties[m[1]]; known {
				continue
			}
			hint := ""
			if near := nearest.Name(m[1], names); near != "" {
				hint = ": did you mean {{" + near + "}}?"
			}
			return fmt.Errorf("there is no parameter %.64q%s", m[1], hint)
		}
	}
	return nil
}

// fill puts values, a JSON object, into the template.
func (t template) fill(values json.RawMessage) ([]string, error) {
	var byName map[string]json.RawMessage
	if len(values) > 0 {
		if err := json.Unmarshal(values, &byName); err != nil {
			return nil, err
		}
	}
	args := make([]string, 0, len(t))
	for _, argument := range t {
		if filled, all := fillOne(argument, byName); all {
			args = append(args, filled)
		}
	}
	return args, nil
}

// fillOne reports whether all parameters of an argument have values.
func fillOne(argument string, values map[string]json.RawMessage) (filled string, all bool) {
	all = true
	filled = placeholder.ReplaceAllStringFunc(argument, func(found string) string {
		value, given := values[strings.TrimSpace(found[2:len(found)-2])]
		if !given || string(value) == "null" {
			all = false
			return ""
		}
		var text string
		if json.Unmarshal(value, &text) == nil {
			return text
		}
		return string(value) // a number, a boolean, or JSON
	})
	return filled, all
}
