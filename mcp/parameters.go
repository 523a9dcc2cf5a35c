package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"helve/internal/excerpt"
	"helve/mcp/internal/rawjson"
	"helve/schema"
)

// anyObject is the schema of a tool that does not say what it takes.
const anyObject = `{"type":"object"}`

// parametersOf makes of a tool's inputSchema one that helve can check and a provider
// takes: an object. Servers send null, true, lists, other dialects' patterns, defaults
// that break their own rules; none of it is worth losing the tool. The server checks
// its arguments itself, so what can't be compiled is left out, with a warning.
func parametersOf(raw json.RawMessage) (*schema.Schema, []string, error) {
	raw = notNull(raw)
	switch {
	case raw == nil, string(raw) == "true", string(raw) == "{}":
		s, err := schema.Compile([]byte(anyObject))
		return s, nil, err
	case raw[0] != '{':
		s, err := schema.Compile([]byte(anyObject))
		return s, []string{"its inputSchema is no object: any arguments are taken"}, err
	}
	rooted, warnings, err := withObjectRoot(raw)
	if err != nil {
		return nil, nil, err
	}
	s, findings, err := schema.CompileLenient(rooted)
	if err == nil {
		for _, f := range findings {
			warnings = append(warnings, "its inputSchema: "+f.Pointer+": "+f.Message)
		}
		return s, warnings, nil
	}
	reason := excerpt.Of(err.Error(), 300)
	for _, loosen := range []func(map[string]any){withoutForeign, withoutConstraints} {
		if s, err := loosened(rooted, loosen); err == nil {
			return s, append(warnings, "its inputSchema was loosened: "+reason), nil
		}
	}
	s, err = schema.Compile(outline(rooted))
	return s, append(warnings, "its inputSchema can't be used, and any arguments are taken: "+reason), err
}

// withObjectRoot returns the schema with "type":"object" at its root, where providers
// look for it, and everything else as it stands.
func withObjectRoot(raw json.RawMessage) (json.RawMessage, []string, error) {
	fields := rawjson.Object(raw)
	if fields == nil {
		return nil, nil, errors.New("no JSON object")
	}
	kind := notNull(fields["type"])
	var types []string
	isList := kind != nil && json.Unmarshal(kind, &types) == nil
	switch {
	case rawjson.Text(kind) == "object":
		return raw, nil, nil
	case kind == nil, slices.Contains(types, "object"), slices.Contains(objects, rawjson.Text(kind)) && !isList:
		changed, err := withMember(raw, "type", json.RawMessage(`"object"`))
		return changed, nil, err
	}
	return json.RawMessage(anyObject), []string{fmt.Sprintf("its inputSchema is of type %s, and arguments are an object: any are taken", excerpt.Of(string(kind), 100))}, nil
}

// objects are names for an object in other languages, and a type left empty.
var objects = []string{"dict", "map", "struct", ""}

// withMember returns an object with another value for a member, in its place, or at the
// beginning where there was none.
func withMember(object json.RawMessage, name string, value json.RawMessage) (json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil { // the brace
		return nil, err
	}
	var members []string
	found := false
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		if key == name {
			v, found = value, true
		}
		members = append(members, member(key.(string), v))
	}
	if !found {
		members = slices.Insert(members, 0, member(name, value))
	}
	return json.RawMessage("{" + strings.Join(members, ",") + "}"), nil
}

func member(key string, value json.RawMessage) string {
	return string(rawjson.Of(key)) + ":" + string(value)
}

// loosened compiles the schema after loosen has been to each schema in it. The order of
// the keys is lost; digits are not.
func loosened(raw json.RawMessage, loosen func(map[string]any)) (*schema.Schema, error) {
	doc, err := exact(raw)
	if err != nil {
		return nil, err
	}
	eachSchema(doc, loosen)
	s, _, err := schema.CompileLenient(rawjson.Of(doc))
	return s, err
}

// eachSchema calls visit for each schema in doc. Of the keywords that hold schemas by
// name, the names are no keywords.
func eachSchema(doc any, visit func(map[string]any)) {
	switch doc := doc.(type) {
	case []any:
		for _, e := range doc {
			eachSchema(e, visit)
		}
	case map[string]any:
		visit(doc)
		for key, value := range doc {
			switch key {
			case "enum", "const", "default", "examples", "example":
			case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
				if named, ok := value.(map[string]any); ok {
					for _, s := range named {
						eachSchema(s, visit)
					}
				}
			default:
				eachSchema(value, visit)
			}
		}
	}
}

// withoutForeign takes out what is written for other programs: patterns with look-ahead,
// which zod makes for an e-mail address; addresses of schemas; PHP's [] for {}; nulls.
func withoutForeign(s map[string]any) {
	for _, key := range []string{"$schema", "$id", "id", "$vocabulary", "format", "default"} {
		delete(s, key)
	}
	if p, ok := s["pattern"].(string); ok {
		if _, err := regexp.Compile(p); err != nil {
			delete(s, "pattern")
		}
	}
	for _, key := range []string{"properties", "patternProperties", "$defs", "definitions"} {
		if list, ok := s[key].([]any); ok && len(list) == 0 {
			s[key] = map[string]any{}
		}
	}
	for key, value := range s {
		if value == nil && key != "const" {
			delete(s, key)
		}
	}
}

// withoutConstraints leaves of a schema what describes its shape.
func withoutConstraints(s map[string]any) {
	for key, value := range s {
		switch key {
		case "type", "enum", "items":
		case "description", "title":
			if _, ok := value.(string); !ok {
				delete(s, key)
			}
		case "properties":
			if _, ok := value.(map[string]any); !ok {
				delete(s, key)
			}
		default:
			delete(s, key)
		}
	}
}

// outline is an object with the names of the schema's properties and their descriptions.
func outline(raw json.RawMessage) []byte {
	fields := rawjson.Object(raw)
	properties := rawjson.Object(fields["properties"])
	out := map[string]any{}
	for name, raw := range properties {
		property := map[string]any{}
		fields := rawjson.Object(raw)
		if d := rawjson.Text(fields["description"]); d != "" {
			property["description"] = d
		}
		out[name] = property
	}
	if len(out) == 0 {
		return []byte(anyObject)
	}
	return rawjson.Of(map[string]any{"type": "object", "properties": out})
}
