package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"helve/internal/nearest"
)

// toolKeys are those of a tool. type, strict and return are passed over: requests
// and templates have them, and no prompt does.
var toolKeys = []string{"name", "description", "parameters", "function", "type", "strict", "return"}

// otherKeys are what others call them.
var otherKeys = map[string]string{
	"input_schema": "parameters", "inputschema": "parameters", "schema": "parameters", "parameters_json_schema": "parameters",
	"arguments": "parameters", "args": "parameters", "properties": "parameters",
	"title": "name", "tool_name": "name", "summary": "description",
}

// unknownKeyError says that a tool has a key that means nothing here.
type unknownKeyError struct {
	key string
	at  int // in the tool's JSON
}

func (e *unknownKeyError) Error() string {
	hint := "a tool has name, description and parameters"
	near := otherKeys[strings.ToLower(e.key)]
	if near == "" {
		near = nearest.Name(e.key, toolKeys)
	}
	if near != "" {
		hint = "did you mean " + near + "?"
	}
	return fmt.Sprintf("unknown key %q: %s", e.key, hint)
}

// checkKeys looks for keys of a tool that are unknown; what else may be wrong with
// it is for others to say. at is where raw stands in the tool.
func checkKeys(raw json.RawMessage, at int) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil
		}
		name, end := key.(string), int(d.InputOffset())
		if !slices.ContainsFunc(toolKeys, func(known string) bool { return strings.EqualFold(name, known) }) {
			return &unknownKeyError{name, at + end}
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil
		}
		if strings.EqualFold(name, "function") {
			if err := checkKeys(value, at+int(d.InputOffset())-len(value)); err != nil {
				return err
			}
		}
	}
	return nil
}
