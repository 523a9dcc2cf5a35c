package schema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"reflect"
	"time"

	"github.com/invopop/jsonschema"
)

var (
	timeType   = reflect.TypeFor[time.Time]()
	bigIntType = reflect.TypeFor[big.Int]()
	rawType    = reflect.TypeFor[json.RawMessage]()
	urlType    = reflect.TypeFor[url.URL]()

	schemaMethod   = reflect.TypeFor[interface{ JSONSchema() *jsonschema.Schema }]()
	extendMethod   = reflect.TypeFor[interface{ JSONSchemaExtend(*jsonschema.Schema) }]()
	aliasMethod    = reflect.TypeFor[interface{ JSONSchemaAlias() any }]()
	textDecoder    = reflect.TypeFor[encoding.TextUnmarshaler]()
	jsonDecoder    = reflect.TypeFor[json.Unmarshaler]()
	emptyStruct    = reflect.TypeFor[struct{}]()
	schemaMethods  = []reflect.Type{schemaMethod, extendMethod, aliasMethod}
	methodsOfTypes = []string{"JSONSchema", "JSONSchemaExtend", "JSONSchemaAlias"}
)

// describesItself reports that t says its own schema.
func describesItself(t reflect.Type) bool {
	return t.Implements(schemaMethod) || t.Implements(aliasMethod)
}

// isText reports that encoding/json reads t from a string.
func isText(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(textDecoder) && !p.Implements(jsonDecoder)
}

// isBytes reports that encoding/json reads t from base64.
func isBytes(t reflect.Type) bool {
	if t.Kind() != reflect.Slice || t.Elem().Kind() != reflect.Uint8 || t == rawType {
		return false
	}
	p := reflect.PointerTo(t.Elem())
	return !p.Implements(jsonDecoder) && !p.Implements(textDecoder)
}

// typeChecker walks a Go type and refuses what has no schema, before the
// inference library panics, or worse, guesses.
type typeChecker struct {
	seen map[reflect.Type]bool
}

func checkType(t reflect.Type) error {
	c := typeChecker{seen: make(map[reflect.Type]bool)}
	return c.check(t, t.String())
}

// check names the type's place as path, such as "shop.Order.Items[].Price".
func (c *typeChecker) check(t reflect.Type, path string) error {
	if t.Kind() == reflect.Pointer && t.Name() != "" {
		return refuse(path, t, "a named pointer type has no JSON form of its own; use a plain pointer")
	}
	if t.Kind() == reflect.Pointer {
		return c.check(t.Elem(), path)
	}
	if c.seen[t] {
		return nil
	}
	c.seen[t] = true
	for i, m := range schemaMethods {
		if reflect.PointerTo(t).Implements(m) && !t.Implements(m) {
			return refuse(path, t, "its method %s has a pointer receiver and would not be found; give it a value receiver", methodsOfTypes[i])
		}
	}
	switch {
	case t.Implements(aliasMethod):
		alias := reflect.New(t).Elem().Interface().(interface{ JSONSchemaAlias() any }).JSONSchemaAlias()
		return c.check(reflect.TypeOf(alias), path)
	case t.Implements(schemaMethod), t == timeType, t == bigIntType, t == rawType, isText(t):
		return nil
	case t == urlType:
		return refuse(path, t, "encoding/json can't read a URL from a string; use string")
	case reflect.PointerTo(t).Implements(jsonDecoder):
		return refuse(path, t, "it decodes its own JSON (UnmarshalJSON) but does not say its schema; give it a method JSONSchema() *jsonschema.Schema")
	}
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer, reflect.Uintptr:
		return refuse(path, t, "a %s has no JSON; leave the field out with `json:\"-\"`", t.Kind())
	case reflect.Interface:
		if t.NumMethod() > 0 {
			return refuse(path, t, "encoding/json can't decode into an interface with methods; use a concrete type, any or json.RawMessage")
		}
	case reflect.Slice, reflect.Array:
		return c.check(t.Elem(), path+"[]")
	case reflect.Map:
		if t.Elem() == emptyStruct {
			return refuse(path, t, "encoding/json can't read an array into it; use schema.Set")
		}
		if t.Key().Kind() != reflect.String || reflect.PointerTo(t.Key()).Implements(textDecoder) {
			return refuse(path, t, "keys of a JSON object are strings; use a map with string keys")
		}
		return c.check(t.Elem(), path+"[]")
	case reflect.Struct:
		return c.fields(t, path)
	}
	return nil
}

func (c *typeChecker) fields(t reflect.Type, path string) error {
	fields, err := fieldsOf(t, path)
	if err != nil {
		return err
	}
	for _, f := range fields {
		if err := c.check(f.Type, path+"."+f.Name); err != nil {
			return err
		}
	}
	return nil
}

func refuse(path string, t reflect.Type, format string, args ...any) error {
	return fmt.Errorf("schema: %s: type %s can't be described: %s", path, t, fmt.Sprintf(format, args...))
}
