package gen

import (
	"encoding/json"
	"errors"
	"go/types"
	"math/big"
	"net/netip"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/invopop/jsonschema"

	"helve/schema"
)

// Package schema infers from a reflect.Type, which exists only in a program that
// has the type compiled in. So each field is inferred from a type that stands in
// for its own: the same for what has no name, the underlying one for what has, and
// aStruct for a struct, whose own fields are described one by one. So tags, limits
// and errors are those of tool.New.

// aStruct stands in for any struct. Without the limit on its keys it takes any
// default; the whole schema is compiled in the end, which finds a bad one.
type aStruct struct{}

// JSONSchemaExtend is for the inference library.
func (aStruct) JSONSchemaExtend(s *jsonschema.Schema) { s.AdditionalProperties = nil }

var basics = map[types.BasicKind]reflect.Type{
	types.Bool: reflect.TypeFor[bool](), types.String: reflect.TypeFor[string](),
	types.Int: reflect.TypeFor[int](), types.Int8: reflect.TypeFor[int8](), types.Int16: reflect.TypeFor[int16](),
	types.Int32: reflect.TypeFor[int32](), types.Int64: reflect.TypeFor[int64](),
	types.Uint: reflect.TypeFor[uint](), types.Uint8: reflect.TypeFor[uint8](), types.Uint16: reflect.TypeFor[uint16](),
	types.Uint32: reflect.TypeFor[uint32](), types.Uint64: reflect.TypeFor[uint64](),
	types.Float32: reflect.TypeFor[float32](), types.Float64: reflect.TypeFor[float64](),
}

// standIn returns the type in t's place. t has a form.
func (d *describer) standIn(t types.Type) (reflect.Type, error) {
	t = types.Unalias(t)
	form, err := d.form(t)
	if err != nil {
		return nil, err
	}
	switch {
	case isNamed(t, "time", "Time"):
		return reflect.TypeFor[time.Time](), nil
	case isNamed(t, "time", "Duration"):
		return reflect.TypeFor[time.Duration](), nil
	case isNamed(t, "encoding/json", "Number"):
		return reflect.TypeFor[json.Number](), nil
	case isNamed(t, "math/big", "Int"):
		return reflect.TypeFor[big.Int](), nil
	}
	switch form {
	case formBasic:
		basic, _ := t.Underlying().(*types.Basic)
		return basics[basic.Kind()], nil
	case formText:
		return reflect.TypeFor[netip.Addr](), nil
	case formBytes:
		return reflect.TypeFor[[]byte](), nil
	case formRaw, formAny, formJSON:
		return reflect.TypeFor[any](), nil
	case formStruct:
		return reflect.TypeFor[aStruct](), nil
	case formSet:
		return d.sliceOf(setElem(t))
	}
	if d.isReference(t) { // it holds itself
		if form == formMap {
			return reflect.TypeFor[map[string]any](), nil
		}
		return reflect.TypeFor[[]any](), nil
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		inner, err := d.standIn(u.Elem())
		if err != nil {
			return nil, err
		}
		if inner.Size() > 0 && u.Len() > maxArray/int64(inner.Size()) || u.Len() > maxArray {
			return nil, refuse(t, "an array of that length is too much for a call; use a slice")
		}
		return reflect.ArrayOf(int(u.Len()), inner), nil
	case *types.Map:
		inner, err := d.standIn(u.Elem())
		if err != nil {
			return nil, err
		}
		return reflect.MapOf(reflect.TypeFor[string](), inner), nil
	case *types.Pointer:
		inner, err := d.standIn(u.Elem())
		if err != nil {
			return nil, err
		}
		return reflect.PointerTo(inner), nil
	}
	return d.sliceOf(elem(t))
}

// maxArray bounds arrays, in bytes of their stand-in and in elements.
const maxArray = 1 << 20

func (d *describer) sliceOf(t types.Type) (reflect.Type, error) {
	inner, err := d.standIn(t)
	if err != nil {
		return nil, err
	}
	return reflect.SliceOf(inner), nil
}

// infer returns the schema of a field by its stand-in, and whether it is required.
func (d *describer) infer(f field) (node, bool, error) {
	t, err := d.standIn(f.typ)
	if err != nil {
		return nil, false, err
	}
	object := reflect.StructOf([]reflect.StructField{{Name: "F", Type: t, Tag: f.property()}})
	s, err := schema.ForType(object)
	if err != nil {
		err = schemaError(err, object.String())
		if len(f.path) == 0 { // a parameter has no tag that a person wrote
			err = errors.New(ourTag.ReplaceAllString(err.Error(), ""))
		}
		return nil, false, err
	}
	var doc struct {
		Properties struct{ F json.RawMessage }
		Required   []string
	}
	if err := json.Unmarshal(s.JSON(), &doc); err != nil {
		return nil, false, err
	}
	n, err := parseNode(doc.Properties.F)
	return n, len(doc.Required) > 0, err
}

var ourTag = regexp.MustCompile(`^tag jsonschema:"(\\.|[^"\\])*": `)

// schemaError takes the stand-in out of an error of package schema.
func schemaError(err error, standIn string) error {
	text := strings.TrimPrefix(err.Error(), "schema: ")
	text = strings.TrimSuffix(text, " (inferred from "+standIn+")")
	text = strings.TrimPrefix(text, standIn+".F: ")
	text = strings.TrimPrefix(text, `at "/properties/f": `)
	return errors.New(strings.ReplaceAll(text, standIn, "it"))
}

// nanoseconds writes a duration such as 30s as encoding/json reads it.
func nanoseconds(value string) string {
	if d, err := time.ParseDuration(value); err == nil {
		data, err := json.Marshal(d)
		if err == nil {
			return string(data)
		}
	}
	return value
}
