package tool

import (
	"encoding/json"
	"reflect"
	"sync"

	"helve/schema"
)

// Outputter is a [Tool] that can say what its results look like.
//
// OutputSchema describes the JSON that the tool's results are: an object. It is nil
// for a tool whose results are text or pictures, or whose form nobody knows. It
// returns the same value every time and may be called by many goroutines at once.
//
// A tool of [New] and [FromSchema] is an Outputter; it has a schema where its function
// returns a struct.
type Outputter interface {
	OutputSchema() *schema.Schema
}

// OutputSchema describes the struct that the function returns, and is nil where it
// returns anything else. The schema is made when it is first asked for.
func (f *function) OutputSchema() *schema.Schema { return f.output.schema() }

// output is what a function returns, and its schema once somebody asked.
type output struct {
	of   reflect.Type
	once sync.Once
	made *schema.Schema
}

func (o *output) schema() *schema.Schema {
	o.once.Do(func() { o.made = outputOf(o.of) })
	return o.made
}

// outputOf is nil for a type that is not written as an object, field by field, or that
// package schema can't describe: that a result has no schema is no fault.
func outputOf(t reflect.Type) *schema.Schema {
	if t.Kind() != reflect.Struct || t.Implements(marshaler) || t.Implements(textMarshaler) || t.Implements(partType) ||
		t.Implements(reflect.TypeFor[error]()) || t == reflect.TypeFor[Result]() {
		return nil
	}
	s, err := schema.ForType(t)
	if err != nil || !isObject(s) {
		return nil
	}
	var doc map[string]any
	if json.Unmarshal(s.JSON(), &doc) != nil {
		return nil
	}
	allowNull(doc)
	s, err = schema.Compile(compact(doc))
	if err != nil {
		return nil
	}
	return s
}

// allowNull lets what is not set be null, in all parts of a schema: an input leaves it
// out, and encoding/json writes a nil slice, map or pointer so.
func allowNull(s map[string]any) {
	required := map[any]bool{}
	names, _ := s["required"].([]any)
	for _, name := range names {
		required[name] = true
	}
	for key, v := range s {
		parts, ok := v.(map[string]any)
		if !ok {
			continue
		}
		if key != "properties" && key != "$defs" {
			parts = map[string]any{key: v} // items, additionalProperties
		}
		for name, p := range parts {
			part, ok := p.(map[string]any)
			if !ok || key == "default" {
				continue
			}
			allowNull(part)
			kind, _ := part["type"].(string)
			if kind == "array" || kind == "object" || key == "properties" && kind != "" && !required[name] {
				part["type"] = []any{kind, "null"}
			}
		}
	}
}
