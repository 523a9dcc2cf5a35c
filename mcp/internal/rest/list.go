package rest

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"helve/mcp/internal/rawjson"
)

// parseTools reads a list of tools in any of its forms.
func parseTools(body []byte) ([]json.RawMessage, error) {
	if !json.Valid(body) {
		return nil, errors.New("the list of tools is not JSON")
	}
	list := body
	if fields := rawjson.Object(body); fields != nil {
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
	fields := rawjson.Object(raw)
	if fields == nil {
		return raw
	}
	if inner := rawjson.Object(fields["function"]); inner != nil { // OpenAI's form
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
	return rawjson.Of(out)
}

// schemaOf makes a schema of parameters that are described one by one (document 004:
// with their type, and whether they are required): as a list of objects with a name, or
// as an object of them by name. A schema stays as it is.
func schemaOf(raw json.RawMessage) json.RawMessage {
	var list []map[string]json.RawMessage
	if json.Unmarshal(raw, &list) == nil && list != nil {
		return describe(list)
	}
	fields := rawjson.Object(raw)
	for _, key := range []string{"type", "properties", "$ref", "anyOf", "oneOf", "allOf"} {
		if isKeyword(key, fields[key]) {
			return raw
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		one := rawjson.Object(fields[name])
		if one["type"] == nil {
			return raw
		}
		one["name"] = rawjson.Of(name)
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
	fields := rawjson.Object(value)
	if key == "properties" {
		return fields == nil || rawjson.Text(fields["type"]) == ""
	}
	return fields == nil
}

// describe is the schema of an object of the parameters, in their order.
func describe(parameters []map[string]json.RawMessage) json.RawMessage {
	properties := []byte{'{'}
	required := []string{}
	seen := map[string]bool{}
	for _, p := range parameters {
		name := rawjson.Text(p["name"])
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
		properties = append(append(append(properties, rawjson.Of(name)...), ':'), rawjson.Of(property)...)
	}
	return rawjson.Of(struct {
		Type       string          `json:"type"`
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required,omitempty"`
	}{"object", append(properties, '}'), required})
}
