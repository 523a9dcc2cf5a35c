package main

import "encoding/json"

// echo is the tool of json-schema-2020-12-preservation that wants to see what became of
// another tool's parameters.
const echo, focal = "json_schema_echo", "json_schema_2020_12_tool"

// arguments makes some that fit a tool's parameters, in the place of a model.
func arguments(name string, schemas map[string]json.RawMessage) json.RawMessage {
	if name == echo {
		return object(map[string]any{"schema": schemas[focal]})
	}
	var parameters struct {
		Properties map[string]struct {
			Type any `json:"type"`
		} `json:"properties"`
	}
	if json.Unmarshal(schemas[name], &parameters) != nil {
		return json.RawMessage("{}")
	}
	made := map[string]any{}
	for name, p := range parameters.Properties {
		switch p.Type {
		case "number", "integer":
			made[name] = 3
		case "boolean":
			made[name] = true
		case "object":
			made[name] = map[string]any{}
		case "array":
			made[name] = []any{}
		default:
			made[name] = "x"
		}
	}
	return object(made)
}

func object(fields map[string]any) json.RawMessage {
	data, err := json.Marshal(fields)
	if err != nil {
		panic(err) // all of it was made here, or read from JSON
	}
	return data
}
