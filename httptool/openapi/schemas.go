package openapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// deepest is how far schemas may be nested without a reference between.
const deepest = 60

// schemas turns the schemas of a document into those of a tool, JSON Schema of
// draft 2020-12. What a schema refers to becomes one of the tool's $defs.
type schemas struct {
	root any
	v30  bool // OpenAPI 3.0 has nullable, and exclusiveMinimum: true
	defs object
	done map[string]string // the name in $defs of each pointer
}

func newSchemas(root any, v30 bool) *schemas {
	return &schemas{root: root, v30: v30, done: map[string]string{}}
}

// convert returns the schema for a tool.
func (s *schemas) convert(schema any, depth int) (any, error) {
	if depth > deepest {
		return nil, errors.New("its schema is nested too deep")
	}
	m, ok := schema.(map[string]any)
	if !ok {
		return schema, nil // true and false
	}
	var out object
	if ref, ok := m["$ref"].(string); ok {
		name, err := s.define(ref)
		if err != nil {
			return nil, err
		}
		out = object{{"$ref", "#/$defs/" + name}}
		if s.v30 {
			return out, nil // it says that all beside a $ref is ignored
		}
	}
	removed := readOnly(m)
	for _, key := range slices.Sorted(keys(m)) {
		if key == "$ref" {
			continue
		}
		value, keep, err := s.keyword(key, m[key], removed, depth)
		if err != nil {
			return nil, err
		}
		if keep {
			out = append(out, field{key, value})
		}
	}
	out = s.modern(m, out)
	sortKeywords(out)
	return out, nil
}

// keyword converts the value of one keyword, and says whether it stays.
func (s *schemas) keyword(key string, value any, removed map[string]bool, depth int) (any, bool, error) {
	switch key {
	case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties":
		converted, err := s.convert(value, depth+1)
		return converted, true, err
	case "allOf", "anyOf", "oneOf", "prefixItems":
		list, ok := value.([]any)
		if !ok {
			return nil, false, fmt.Errorf("the %s of its schema is no list", key)
		}
		out := make([]any, len(list))
		for i, e := range list {
			var err error
			if out[i], err = s.convert(e, depth+1); err != nil {
				return nil, false, err
			}
		}
		return out, true, nil
	case "properties", "patternProperties", "dependentSchemas":
		return s.properties(value, removed, depth)
	case "required":
		return without(value, removed)
	case "description":
		text, ok := value.(string)
		return shorten(text), ok && text != "", nil
	case "example":
		return nil, false, nil // modern makes it examples
	case "format":
		return value, !slices.Contains([]any{"int32", "int64", "float", "double"}, value), nil
	case "title", "nullable", "discriminator", "xml", "externalDocs", "deprecated", "readOnly", "writeOnly", "$schema", "$id", "$anchor", "$comment", "$defs":
		return nil, false, nil
	}
	return value, !strings.HasPrefix(key, "x-"), nil
}

func (s *schemas) properties(value any, removed map[string]bool, depth int) (any, bool, error) {
	m, ok := value.(map[string]any)
	if !ok {
		return nil, false, errors.New("the properties of its schema are no object")
	}
	out := object{}
	for _, name := range slices.Sorted(keys(m)) {
		if removed[name] {
			continue
		}
		converted, err := s.convert(m[name], depth+1)
		if err != nil {
			return nil, false, err
		}
		out = append(out, field{name, converted})
	}
	return out, true, nil
}

// readOnly are the properties that only answers have.
func readOnly(schema map[string]any) map[string]bool {
	removed := map[string]bool{}
	properties, _ := schema["properties"].(map[string]any)
	for name, p := range properties {
		if m, ok := p.(map[string]any); ok && m["readOnly"] == true {
			removed[name] = true
		}
	}
	return removed
}

func without(required any, removed map[string]bool) (any, bool, error) {
	list, _ := required.([]any)
	list = slices.DeleteFunc(slices.Clone(list), func(e any) bool {
		name, ok := e.(string)
		return !ok || removed[name]
	})
	return list, len(list) > 0, nil
}

// modern writes what OpenAPI 3.0 has of its own as JSON Schema does, and puts what
// Go can't check into the description.
func (s *schemas) modern(m map[string]any, out object) object {
	if example, ok := m["example"]; ok && out.get("examples") == nil {
		out = append(out, field{"examples", []any{example}})
	}
	for _, bound := range []struct{ exclusive, inclusive string }{{"exclusiveMinimum", "minimum"}, {"exclusiveMaximum", "maximum"}} {
		exclusive, ok := m[bound.exclusive].(bool)
		if !ok {
			continue
		}
		out = out.without(bound.exclusive)
		if limit := m[bound.inclusive]; exclusive && limit != nil {
			out = append(out.without(bound.inclusive), field{bound.exclusive, limit})
		}
	}
	if pattern, ok := m["pattern"].(string); ok {
		if _, err := regexp.Compile(pattern); err != nil {
			description, _ := out.get("description").(string)
			out = append(out.without("pattern").without("description"), field{"description", strings.TrimSpace(description + " It matches " + pattern + ".")})
		}
	}
	if s.v30 && m["nullable"] == true {
		out = nullable(out)
	}
	return out
}

// nullable lets null be a value too.
func nullable(out object) object {
	kind, ok := out.get("type").(string)
	if !ok {
		return object{{"anyOf", []any{out, object{{"type", "null"}}}}}
	}
	for i, f := range out {
		switch f.key {
		case "type":
			out[i].value = []any{kind, "null"}
		case "enum":
			if list, ok := f.value.([]any); ok && !slices.Contains(list, nil) {
				out[i].value = append(slices.Clone(list), nil)
			}
		}
	}
	return out
}

// define makes what a reference points at one of the $defs and returns its name.
func (s *schemas) define(ref string) (string, error) {
	if name, ok := s.done[ref]; ok {
		return name, nil
	}
	target, err := s.lookup(ref)
	if err != nil {
		return "", err
	}
	name := argumentName(ref[strings.LastIndex(ref, "/")+1:])
	for n := 2; s.defs.get(name) != nil; n++ {
		name = argumentName(ref[strings.LastIndex(ref, "/")+1:]) + "_" + strconv.Itoa(n)
	}
	s.done[ref] = name
	at := len(s.defs)
	s.defs = append(s.defs, field{name, true}) // taken: the schema may refer to itself
	converted, err := s.convert(target, 0)
	s.defs[at].value = converted
	return name, err
}

// lookup follows a reference inside the document.
func (s *schemas) lookup(ref string) (any, error) {
	pointer, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil, fmt.Errorf("its schema refers to %.100q, which is outside the document", ref)
	}
	value := s.root
	for _, step := range strings.Split(pointer, "/") {
		if unescaped, err := url.PathUnescape(step); err == nil {
			step = unescaped
		}
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch v := value.(type) {
		case map[string]any:
			value, ok = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			if ok = err == nil && i >= 0 && i < len(v); ok {
				value = v[i]
			}
		default:
			ok = false
		}
		if !ok {
			return nil, fmt.Errorf("its schema refers to %.100q, which is not in the document", ref)
		}
	}
	return value, nil
}

// resolve follows the references that a schema begins with.
func (s *schemas) resolve(schema any) (map[string]any, error) {
	for range deepest {
		m, ok := schema.(map[string]any)
		if !ok {
			return nil, errors.New("its schema is none")
		}
		ref, ok := m["$ref"].(string)
		if !ok {
			return m, nil
		}
		var err error
		if schema, err = s.lookup(ref); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("its schema refers to itself")
}

// plainKeywords are those that an object may have whose properties become
// parameters.
var plainKeywords = []string{"type", "properties", "required", "description", "title", "example", "examples", "allOf", "xml", "externalDocs", "deprecated", "nullable", "$comment"}

// flat returns the properties of a schema that is an object and nothing more, the
// required ones first. It reports false for any other schema.
func (s *schemas) flat(schema any, depth int) (properties []property, ok bool) {
	m, err := s.resolve(schema)
	if err != nil || depth > deepest {
		return nil, false
	}
	if kind, typed := m["type"]; typed && kind != "object" {
		return nil, false
	}
	for key := range m {
		closed := key == "additionalProperties" && m[key] == false
		if !closed && !slices.Contains(plainKeywords, key) && !strings.HasPrefix(key, "x-") {
			return nil, false
		}
	}
	branches, _ := m["allOf"].([]any)
	for _, branch := range branches {
		more, ok := s.flat(branch, depth+1)
		if !ok {
			return nil, false
		}
		properties = append(properties, more...)
	}
	own, _ := m["properties"].(map[string]any)
	required, _ := m["required"].([]any)
	removed := readOnly(m)
	for _, name := range slices.Sorted(keys(own)) {
		if !removed[name] {
			properties = append(properties, property{name: name, schema: own[name]})
		}
	}
	seen := map[string]bool{}
	for i, p := range properties {
		if seen[p.name] {
			return nil, false // two schemas for one property
		}
		seen[p.name] = true
		properties[i].required = p.required || slices.Contains(required, any(p.name))
	}
	slices.SortStableFunc(properties, func(a, b property) int { return order(a.required, b.required) })
	return properties, len(properties) > 0
}

// property is one of an object's.
type property struct {
	name     string
	schema   any
	required bool
}

// order puts true before false.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// size is how long a schema is as JSON.
func size(v any) int {
	data, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return len(data)
}
