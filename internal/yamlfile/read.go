package yamlfile

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"helve/internal/nearest"
)

// mostErrors is how many errors of one file are told.
const mostErrors = 50

// reader walks a tree and a Go value side by side.
type reader struct {
	document *Document
	env      func(string) (string, bool)
	errors   Errors
}

func (r *reader) fail(at *yaml.Node, hint, format string, args ...any) {
	r.add(&Error{Line: at.Line, Column: at.Column, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (r *reader) add(e *Error) {
	if e.File = r.document.file; len(r.errors) < mostErrors {
		r.errors = append(r.errors, e)
	}
}

func (r *reader) read(node *yaml.Node, v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		r.read(node, v.Elem())
		return
	}
	if custom, ok := v.Addr().Interface().(yaml.Unmarshaler); ok {
		r.expandAll(node)
		r.custom(node, custom)
		return
	}
	switch v.Kind() {
	case reflect.Int64:
		r.readDuration(node, v)
	case reflect.Struct:
		r.readStruct(node, v)
	case reflect.Map:
		r.readMap(node, v)
	case reflect.Slice:
		r.readList(node, v)
	default:
		r.readScalar(node, v)
	}
}

func (r *reader) custom(node *yaml.Node, v yaml.Unmarshaler) {
	err := v.UnmarshalYAML(node)
	var placed *Error
	switch {
	case err == nil:
	case errors.As(err, &placed):
		r.fail(&yaml.Node{Line: placed.Line, Column: placed.Column}, placed.Hint, "%s", placed.Message)
	default:
		r.fail(node, "", "%v", err)
	}
}

func (r *reader) readStruct(node *yaml.Node, v reflect.Value) {
	if node.Kind != yaml.MappingNode {
		r.fail(node, "write it as lines of key: value", "want keys and values, not %s", whatIs(node))
		return
	}
	fields, names := fieldsOf(v.Type())
	seen := map[string]bool{}
	for key, value := range r.pairs(node, seen) {
		f, known := fields[key.Value]
		if !known {
			r.unknown(key, names)
			continue
		}
		if isNull(value) {
			delete(seen, key.Value) // an empty value says as much as none
			continue
		}
		r.read(value, v.FieldByIndex(f.Index))
	}
	for _, name := range names {
		if fields[name].required && !seen[name] {
			r.fail(node, "", "%s is missing", name)
		}
	}
}

// pairs yields keys and values, and complains of a key that is there twice.
func (r *reader) pairs(node *yaml.Node, seen map[string]bool) func(func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		first := map[string]int{}
		for i := 0; i+1 < len(node.Content); i += 2 {
			key, value := node.Content[i], node.Content[i+1]
			if key.Kind != yaml.ScalarNode {
				r.fail(key, "", "a key must be text, not %s", whatIs(key))
				continue
			}
			if line, twice := first[key.Value]; twice {
				r.fail(key, "keep one of them", "the key %s is there already, in line %d", key.Value, line)
				continue
			}
			first[key.Value] = key.Line
			seen[key.Value] = true
			if !yield(key, value) {
				return
			}
		}
	}
}

func (r *reader) unknown(key *yaml.Node, names []string) {
	hint := "known are " + strings.Join(names, ", ")
	if near := nearest.Names(key.Value, names, 2); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	r.add(&Error{Line: key.Line, Column: key.Column, Message: fmt.Sprintf("unknown key %q", key.Value), Hint: hint, Unknown: key.Value})
}

func (r *reader) readMap(node *yaml.Node, v reflect.Value) {
	if node.Kind != yaml.MappingNode {
		r.fail(node, "write it as lines of key: value", "want keys and values, not %s", whatIs(node))
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for key, value := range r.pairs(node, map[string]bool{}) {
		element := reflect.New(v.Type().Elem()).Elem()
		if !isNull(value) {
			r.read(value, element)
		}
		v.SetMapIndex(reflect.ValueOf(key.Value).Convert(v.Type().Key()), element)
	}
}

func (r *reader) readList(node *yaml.Node, v reflect.Value) {
	if node.Kind != yaml.SequenceNode {
		r.fail(node, "write it as [a, b], or as lines that begin with -", "want a list, not %s", whatIs(node))
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(node.Content), len(node.Content)))
	for i, element := range node.Content {
		r.read(element, v.Index(i))
	}
}

func isNull(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null" }

// field is a key of a struct.
type field struct {
	reflect.StructField
	required bool
}

// fieldsOf returns the keys of a struct, and their names in its order.
func fieldsOf(t reflect.Type) (map[string]field, []string) {
	fields := map[string]field{}
	var names []string
	for _, f := range reflect.VisibleFields(t) {
		tag, tagged := f.Tag.Lookup("yaml")
		name, options, _ := strings.Cut(tag, ",")
		if !tagged || name == "-" || name == "" {
			continue
		}
		fields[name] = field{f, !slices.Contains(strings.Split(options, ","), "omitempty")}
		names = append(names, name)
	}
	return fields, names
}
