package gen

import (
	"fmt"
	"go/types"
)

// form is how encoding/json, and so package schema, sees a type.
type form uint8

const (
	formBad    form = iota
	formBasic       // string, boolean and number
	formText        // read by UnmarshalText
	formBytes       // base64
	formRaw         // json.RawMessage
	formAny         // interface without methods
	formJSON        // decodes itself, and package schema or //helve:schema knows what
	formSet         // schema.Set
	formSlice       // also array
	formMap         //
	formPtr         //
	formStruct      //
)

const (
	toolPath    = "helve/tool"
	schemaPath  = "helve/schema"
	messagePath = "helve/message"
)

// isNamed reports that t is the named type of a package.
func isNamed(t types.Type, path, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path && named.Obj().Name() == name
}

// has reports that a value of type t, or a pointer to one, has a method.
func has(t types.Type, method string) bool {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), false, nil, method)
	_, ok := obj.(*types.Func)
	return ok
}

// form classifies t. The error says why a model can't be told of it.
func (p *program) form(t types.Type) (form, error) {
	t = types.Unalias(t)
	if ptr, ok := t.(*types.Pointer); ok {
		if _, twice := types.Unalias(ptr.Elem()).(*types.Pointer); twice {
			return formBad, refuse(t, "a pointer to a pointer says no more than one; use *T")
		}
		return formPtr, nil
	}
	if named, ok := t.(*types.Named); ok {
		if obj := named.Obj(); obj.Pkg() != nil && obj.Pkg().Path() != p.path && !obj.Exported() {
			return formBad, refuse(t, "its package does not export it, so that the generated code can't name it; export it, or use tool.New for this function")
		}
	}
	switch {
	case isNamed(t, "time", "Time"):
		return formText, nil
	case isNamed(t, "encoding/json", "RawMessage"):
		return formRaw, nil
	case isNamed(t, "encoding/json", "Number"), isNamed(t, "math/big", "Int"):
		return formJSON, nil
	case isNamed(t, schemaPath, "Set"):
		return formSet, nil
	case isNamed(t, "net/url", "URL"):
		return formBad, refuse(t, "encoding/json can't read a URL from a string; use string")
	}
	if injects(t) != "" {
		return formBad, refuse(t, "the host gives it and a model must not set it; take it as a parameter of its own")
	}
	if named, ok := t.(*types.Named); ok && p.ownSchema(named) != nil {
		return formJSON, nil
	}
	for _, method := range []string{"JSONSchema", "JSONSchemaAlias", "JSONSchemaExtend"} {
		if has(t, method) {
			return formBad, refuse(t, "its method %s runs in the program alone; write //helve:schema {…} on the type's doc comment, or use tool.New for this function", method)
		}
	}
	if _, isInterface := t.Underlying().(*types.Interface); !isInterface {
		switch {
		case has(t, "UnmarshalJSON"):
			return formBad, refuse(t, "it decodes its own JSON (UnmarshalJSON) but does not say its schema; write //helve:schema {…} on the type's doc comment")
		case has(t, "UnmarshalText"):
			return formText, nil
		}
	}
	return formOf(t)
}

// formOf classifies a type that has no methods of interest.
func formOf(t types.Type) (form, error) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Kind() == types.Invalid:
			return formBad, fmt.Errorf("its type is not known: it may be misspelt, or its package may not build")
		case u.Info()&(types.IsString|types.IsBoolean|types.IsInteger|types.IsFloat) != 0 && u.Kind() != types.Uintptr && u.Kind() != types.UnsafePointer:
			return formBasic, nil
		}
	case *types.Interface:
		if u.NumMethods() == 0 && u.IsMethodSet() {
			return formAny, nil
		}
		return formBad, refuse(t, "nothing says which type a value would have; use a concrete type, any or json.RawMessage")
	case *types.Slice:
		if isByte(u.Elem()) {
			return formBytes, nil
		}
		return formSlice, nil
	case *types.Array:
		return formSlice, nil
	case *types.Map:
		key, ok := u.Key().Underlying().(*types.Basic)
		if elem, empty := types.Unalias(u.Elem()).(*types.Struct); empty && elem.NumFields() == 0 {
			return formBad, refuse(t, "an array of JSON can't be read into it; use schema.Set")
		}
		if !ok || key.Info()&types.IsString == 0 || has(u.Key(), "UnmarshalText") {
			return formBad, refuse(t, "keys of a JSON object are strings; use a map with string keys")
		}
		return formMap, nil
	case *types.Struct:
		return formStruct, nil
	case *types.Pointer:
		return formBad, refuse(t, "a named pointer type has no JSON form of its own; use a plain pointer")
	}
	return formBad, refuse(t, "it has no JSON form; leave it out, or take data in its place")
}

// isByte reports that a slice of t is base64 in JSON.
func isByte(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uint8 && !has(t, "UnmarshalJSON") && !has(t, "UnmarshalText")
}

func refuse(t types.Type, format string, args ...any) error {
	return fmt.Errorf("type %s can't be described to a model: %s", short(t), fmt.Sprintf(format, args...))
}

// short is a type as a developer writes it.
func short(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// injects returns the expression for a value of an injected type, read from the
// variable rt, or "" for any other type (document 002, section 1.3).
func injects(t types.Type) string {
	t = types.Unalias(t)
	if ptr, ok := t.(*types.Pointer); ok && isNamed(ptr.Elem(), toolPath, "Runtime") {
		return "rt"
	}
	for _, field := range []string{"CallID", "State", "Store"} {
		if isNamed(t, toolPath, field) {
			return "rt." + field
		}
	}
	return ""
}

// elem is what a value of type t is made of, and nil where that is nothing or
// many things.
func elem(t types.Type) types.Type {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Pointer:
		return u.Elem()
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	}
	return nil
}

// setElem is the T of a schema.Set[T].
func setElem(t types.Type) types.Type {
	named, _ := types.Unalias(t).(*types.Named)
	return named.TypeArgs().At(0)
}
