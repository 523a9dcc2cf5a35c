package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
)

// parseTools reads a list of tools in any of its forms.
func parseTools(body []byte) ([]json.RawMessage, error) {
	if !json.Valid(body) {
		return nil, errors.New("the list of tools is not JSON")
	}
	list := body
	if fields := objectOf(body); fields != nil {
		list = fields["tools"]
	}
	var tools []json.RawMessage
	if json.Unmarshal(list, &tools) != nil || tools == nil {
		return nil, errors.New(`there is no list of tools: write [{"name": …, "description": …, "parameters": …}, …], or the same as {"tools": […]}`)
	}
	for i, t := range tools {
		tools[i] = asMCP(t)
	}
	return tools, nil
}

// asMCP writes a tool as MCP does. What is no object stays as it is.
func asMCP(raw json.RawMessage) json.RawMessage {
	fields := objectOf(raw)
	if fields == nil {
		return raw
	}
	if inner := objectOf(fields["function"]); inner != nil { // OpenAI's form
		fields = inner
	}
	out := map[string]json.RawMessage{}
	for _, key := range []string{"name", "title", "description", "outputSchema", "annotations", "execution"} {
		if fields[key] != nil {
			out[key] = fields[key]
		}
	}
	for _, key := range []string{"inputSchema", "input_schema", "parameters"} {
		if fields[key] != nil {
			out["inputSchema"] = schemaOf(fields[key])
			break
		}
	}
	return asJSON(out)
}

// schemaOf makes a schema of parameters that are described one by one (document 004:
// with their type, and whether they are required): as a list of objects with a name, or
// as an object of them by name. A schema stays as it is.
func schemaOf(raw json.RawMessage) json.RawMessage {
	var list []map[string]json.RawMessage
	if json.Unmarshal(raw, &list) == nil && list != nil {
		return describe(list)
	}
	fields := objectOf(raw)
	for _, key := range []string{"type", "properties", "$ref", "anyOf", "oneOf", "allOf"} {
		if isKeyword(key, fields[key]) {
			return raw
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		one := objectOf(fields[name])
		if one["type"] == nil {
			return raw
		}
		one["name"] = asJSON(name)
		list = append(list, one)
	}
	if list == nil {
		return raw
	}
	return describe(list)
}

// isKeyword tells the keyword of a schema from a parameter of that name, which is
// described by an object with a type.
func isKeyword(key string, value json.RawMessage) bool {
	if value == nil {
		return false
	}
	fields := objectOf(value)
	if key == "properties" {
		return fields == nil || textOf(fields["type"]) == ""
	}
	return fields == nil
}

// describe is the schema of an object of the parameters, in their order.
func describe(parameters []map[string]json.RawMessage) json.RawMessage {
	properties := []byte{'{'}
	required := []string{}
	seen := map[string]bool{}
	for _, p := range parameters {
		name := textOf(p["name"])
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		if string(p["required"]) == "true" {
			required = append(required, name)
		}
		property := maps.Clone(p)
		delete(property, "name")
		if string(p["required"]) == "true" || string(p["required"]) == "false" {
			delete(property, "required") // a schema's own is a list
		}
		if len(properties) > 1 {
			properties = append(properties, ',')
		}
		properties = append(append(append(properties, asJSON(name)...), ':'), asJSON(property)...)
	}
	return asJSON(struct {
		Type       string          `json:"type"`
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required,omitempty"`
	}{"object", append(properties, '}'), required})
}

// objectOf returns the members of an object, nil of anything else.
func objectOf(raw json.RawMessage) map[string]json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return nil
	}
	return fields
}

// textOf is the text of a JSON string, and "" of anything else.
func textOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// asJSON writes what came out of JSON, without the escapes that HTML wants.
func asJSON(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
