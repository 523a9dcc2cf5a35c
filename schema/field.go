package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// field is one struct field as encoding/json sees it.
type field struct {
	reflect.StructField
	key string // in JSON
}

// fieldsOf lists the fields that encoding/json fills, those of embedded
// structs included, in the order of declaration. It refuses what the
// inference library and encoding/json read differently.
func fieldsOf(t reflect.Type, path string) ([]field, error) {
	fields, err := collectFields(t, path, nil)
	if err != nil {
		return nil, err
	}
	keys := make(map[string]field)
	for _, f := range fields {
		folded := foldKey(f.key)
		if other, ok := keys[folded]; ok {
			if other.key == f.key {
				return nil, fmt.Errorf("schema: %s: fields %s and %s have the same key %q; give them different `json` names", path, other.Name, f.Name, f.key)
			}
			return nil, fmt.Errorf("schema: %s: keys %q and %q differ in letter case only, which encoding/json does not tell apart; rename one", path, other.key, f.key)
		}
		keys[folded] = f
	}
	return fields, nil
}

func collectFields(t reflect.Type, path string, within []reflect.Type) ([]field, error) {
	if slices.Contains(within, t) {
		return nil, fmt.Errorf("schema: %s: %s is embedded in itself", path, t)
	}
	within = append(within, t)
	var out []field
	for i := range t.NumField() {
		sf := t.Field(i)
		name, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if name == "-" && options == "" && sf.Tag.Get("json") == "-" || sf.Tag.Get("jsonschema") == "-" && !sf.Anonymous {
			continue
		}
		if inner := embedded(sf, name); inner != nil {
			if sf.Type.Kind() == reflect.Pointer && !sf.IsExported() {
				return nil, fmt.Errorf("schema: %s.%s: encoding/json can't fill an embedded pointer to an unexported struct; embed the struct itself", path, sf.Name)
			}
			fields, err := collectFields(inner, path+"."+sf.Name, within)
			if err != nil {
				return nil, err
			}
			out = append(out, fields...)
			continue
		}
		if !sf.IsExported() {
			continue
		}
		f := field{StructField: sf, key: name}
		if name == "" {
			f.key = sf.Name
		}
		if err := checkField(f, options, path+"."+sf.Name); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// embedded returns the struct whose fields are taken over, or nil.
func embedded(sf reflect.StructField, name string) reflect.Type {
	t := sf.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if !sf.Anonymous || name != "" || t.Kind() != reflect.Struct {
		return nil
	}
	return t
}

// checkField refuses json options that make the field's JSON other than its
// type says, and tags that would be dropped silently.
func checkField(f field, options, path string) error {
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "", "omitempty", "omitzero":
		case "string":
			return fmt.Errorf("schema: %s: the json option %q is not supported; leave it out, integers of any size are kept exactly", path, option)
		default:
			return fmt.Errorf("schema: %s: encoding/json does not know the option %q", path, option)
		}
	}
	_, err := readTag(f, path)
	return err
}
