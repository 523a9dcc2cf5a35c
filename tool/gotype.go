package tool

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"

	"helve/message"
	"helve/schema"
)

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	partType      = reflect.TypeFor[message.Part]()

	injected = map[reflect.Type]string{
		reflect.TypeFor[CallID]():   "tool.RuntimeFrom(ctx).CallID",
		reflect.TypeFor[State]():    "tool.RuntimeFrom(ctx).State",
		reflect.TypeFor[Store]():    "tool.RuntimeFrom(ctx).Store",
		reflect.TypeFor[Runtime]():  "tool.RuntimeFrom(ctx)",
		reflect.TypeFor[*Runtime](): "tool.RuntimeFrom(ctx)",
	}
)

// parametersOf describes the input type t to a model. It refuses a type that is
// no object, and one with a place for an injected value: the model fills this
// type, so it could forge the value.
func parametersOf(t reflect.Type) (*schema.Schema, error) {
	err := walk(t, "", map[reflect.Type]bool{}, func(t reflect.Type, path string) (bool, error) {
		if from, ok := injected[t]; ok {
			return false, fmt.Errorf("%s is of type %v, which the host gives and a model must not set: read %s instead", place("input", path), t, from)
		}
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	s, err := schema.ForType(t)
	if err != nil {
		return nil, err
	}
	if !isObject(s) { // of a struct too, if it is a time.Time
		return nil, fmt.Errorf("its input is %v: arguments are an object, so it must be a struct or a map", t)
	}
	return s, nil
}

// checkOutput refuses a type that no model can read.
func checkOutput(t reflect.Type) error {
	part := t
	if t.Kind() == reflect.Slice {
		part = t.Elem()
	}
	if part.Kind() == reflect.Pointer && part.Elem().Implements(partType) {
		return fmt.Errorf("its output is of type %v: return the part by value", t)
	}
	return walk(t, "", map[reflect.Type]bool{}, func(t reflect.Type, path string) (bool, error) {
		if t == reflect.TypeFor[Result]() || t.Implements(marshaler) || t.Implements(textMarshaler) || t.Implements(partType) {
			return false, nil
		}
		switch t.Kind() {
		case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
			return false, fmt.Errorf("%s is of type %v, which has no JSON form: return data, or a tool.Result", place("output", path), t)
		case reflect.Map:
			if !isKey(t.Key()) {
				return false, fmt.Errorf("%s is of type %v, whose keys have no JSON form: use strings or integers as keys", place("output", path), t)
			}
		}
		return true, nil
	})
}

// isKey reports that encoding/json can write t as the key of an object.
func isKey(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return true
	}
	return t.Implements(textMarshaler)
}

// place names a spot in a type for an error.
func place(what, path string) string {
	if path == "" {
		return "its " + what
	}
	return what + " field " + path
}

// walk visits t and the types it is made of, each once, as far as encoding/json
// would go.
func walk(t reflect.Type, path string, seen map[reflect.Type]bool, visit func(reflect.Type, string) (deeper bool, err error)) error {
	if seen[t] {
		return nil
	}
	seen[t] = true
	deeper, err := visit(t, path)
	if err != nil || !deeper {
		return err
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return walk(t.Elem(), path, seen, visit)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if (!f.IsExported() && !f.Anonymous) || f.Tag.Get("json") == "-" {
				continue
			}
			name := f.Name
			if path != "" {
				name = path + "." + name
			}
			if err := walk(f.Type, name, seen, visit); err != nil {
				return err
			}
		}
	}
	return nil
}
