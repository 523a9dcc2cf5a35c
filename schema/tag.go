package schema

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// tag is what a field's jsonschema tags say. The inference library reads the
// same tags, but drops what it does not know, cuts text at commas, and makes
// strings of numbers in places; so every keyword is read here and set again.
type tag struct {
	required bool
	keywords []keyword
}

// keyword is one schema keyword with its value.
type keyword struct {
	name    string
	value   *value
	ofItems bool // it belongs to the elements of an array
}

// class is the JSON type that tags can speak about: one of the types, or
// typeAny where the Go type does not say.
func class(t reflect.Type) (of types, elem reflect.Type) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Implements(aliasMethod):
		return class(reflect.TypeOf(reflect.New(t).Elem().Interface().(interface{ JSONSchemaAlias() any }).JSONSchemaAlias()))
	case t.Implements(schemaMethod), t == rawType:
		return typeAny, nil
	case t == numberType:
		return typeNumber, nil
	case t == bigIntType:
		return typeInteger, nil
	case t == timeType, isText(t), isBytes(t):
		return typeString, nil
	}
	switch t.Kind() {
	case reflect.String:
		return typeString, nil
	case reflect.Bool:
		return typeBoolean, nil
	case reflect.Float32, reflect.Float64:
		return typeNumber, nil
	case reflect.Slice, reflect.Array:
		return typeArray, t.Elem()
	case reflect.Struct, reflect.Map:
		return typeObject, nil
	case reflect.Interface:
		return typeAny, nil
	}
	return typeInteger, nil
}

// readTag reads the jsonschema and jsonschema_description tags of a field.
func readTag(f field, path string) (tag, error) {
	var out tag
	of, elem := class(f.Type)
	text := f.Tag.Get("jsonschema")
	if text != "" && text != "-" {
		for _, part := range splitTag(text) {
			if part == "required" {
				out.required = true
				continue
			}
			if err := out.add(part, of, elem); err != nil {
				return tag{}, fmt.Errorf("schema: %s: tag jsonschema:%s: %w", path, strconv.Quote(text), err)
			}
		}
	}
	if description, ok := f.Tag.Lookup("jsonschema_description"); ok {
		out.set("description", newString(description), false)
	}
	return out, nil
}

// splitTag splits at commas that have no backslash before them.
func splitTag(text string) []string {
	var parts []string
	joined := false
	for _, part := range strings.Split(text, ",") {
		escaped := strings.HasSuffix(part, `\`)
		if escaped {
			part = strings.TrimSuffix(part, `\`) + ","
		}
		if joined {
			parts[len(parts)-1] += part
		} else {
			parts = append(parts, part)
		}
		joined = escaped
	}
	return parts
}

// set replaces a keyword, and adds to those that are lists.
func (t *tag) set(name string, v *value, ofItems bool) {
	for i, k := range t.keywords {
		if k.name != name || k.ofItems != ofItems {
			continue
		}
		if k.value.kind == typeArray && v.kind == typeArray {
			v.elems = append(k.value.elems, v.elems...)
		}
		t.keywords[i].value = v
		return
	}
	t.keywords = append(t.keywords, keyword{name, v, ofItems})
}

// add reads one key=value of a tag.
func (t *tag) add(part string, of types, elem reflect.Type) error {
	name, text, found := strings.Cut(part, "=")
	if name == "uniqueItems" && !found {
		text, found = "true", true
	}
	if !found {
		return cutError(part)
	}
	switch name {
	case "title", "description":
		t.set(name, newString(text), false)
		return nil
	case "default":
		v, err := defaultLiteral(text, of, elem)
		if err == nil {
			t.set(name, v, false)
		}
		return err
	case "minItems", "maxItems", "uniqueItems":
		if of != typeArray {
			return fmt.Errorf("%s does not apply to a field that is no array", name)
		}
		return t.limit(name, text, false)
	}
	ofItems := of == typeArray
	if ofItems {
		of, _ = class(elem)
	}
	switch name {
	case "enum":
		return t.list("enum", text, of, ofItems)
	case "example", "examples":
		return t.list("examples", text, of, ofItems)
	case "minLength", "maxLength":
		if of != typeString {
			return fmt.Errorf("%s applies to strings only", name)
		}
		return t.limit(name, text, ofItems)
	case "pattern", "format":
		if of != typeString {
			return fmt.Errorf("%s applies to strings only", name)
		}
		t.set(name, newString(text), ofItems)
		return nil
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		if of != typeInteger && of != typeNumber {
			return fmt.Errorf("%s applies to numbers only", name)
		}
		v, err := literal(text, typeNumber)
		if err == nil {
			t.set(name, v, ofItems)
		}
		return err
	}
	return fmt.Errorf("unknown key %q; known are title, description, default, enum, example, required, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength, maxLength, pattern, format, minItems, maxItems and uniqueItems"+
		" (text with a comma goes into jsonschema_description:\"…\", a comma elsewhere is written \\\\,)", name)
}

func cutError(part string) error {
	return fmt.Errorf("%q is not key=value: text with a comma is cut there; put a description into jsonschema_description:\"…\" and write a comma elsewhere as \\\\,", part)
}

// list adds one value to a keyword that holds several.
func (t *tag) list(name, text string, of types, ofItems bool) error {
	v, err := literal(text, of)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	t.set(name, newArray(v), ofItems)
	return nil
}

// limit sets a count or a flag.
func (t *tag) limit(name, text string, ofItems bool) error {
	if name == "uniqueItems" {
		if text != "true" {
			return fmt.Errorf("uniqueItems can only be true, got %q", text)
		}
	} else if _, err := strconv.ParseUint(text, 10, 31); err != nil {
		return fmt.Errorf("%s must be a count, got %q", name, text)
	}
	v, err := parse([]byte(text))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	t.set(name, v, ofItems)
	return nil
}

// literal reads a tag's text as a value of a type. Strings need no quotes;
// everything without a plain form is JSON.
func literal(text string, of types) (*value, error) {
	if of == typeString {
		return newString(text), nil
	}
	v, err := parse([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%q is not %s", text, of)
	}
	if v.kind&of == 0 {
		return nil, fmt.Errorf("%q is not %s", text, of)
	}
	return v, nil
}

// defaultLiteral is literal, but one element is enough for an array, and
// repeated keys add more.
func defaultLiteral(text string, of types, elem reflect.Type) (*value, error) {
	if of != typeArray || strings.HasPrefix(text, "[") {
		v, err := literal(text, of)
		if err != nil {
			return nil, fmt.Errorf("default: %w", err)
		}
		return v, nil
	}
	of, _ = class(elem)
	v, err := literal(text, of)
	if err != nil {
		return nil, fmt.Errorf("default: %w", err)
	}
	return newArray(v), nil
}
