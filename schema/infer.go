package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/invopop/jsonschema"
)

// For infers the schema of T. The package documentation has the rules. The
// error names the field that can't be described and says how to mend it.
func For[T any]() (*Schema, error) { return ForType(reflect.TypeFor[T]()) }

// ForType is For with a type known at run time only.
func ForType(t reflect.Type) (*Schema, error) {
	if t == nil {
		return nil, errors.New("schema: no type")
	}
	for t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	if err := checkType(t); err != nil {
		return nil, err
	}
	n := namer{names: make(map[reflect.Type]string), types: make(map[string]reflect.Type)}
	r := jsonschema.Reflector{Anonymous: true, Namer: n.name, Mapper: mapped}
	b, err := json.Marshal(r.ReflectFromType(t))
	if err != nil {
		return nil, fmt.Errorf("schema: %s: %w", t, err)
	}
	doc, err := parse(b)
	if err != nil {
		return nil, fmt.Errorf("schema: %s: %w", t, err)
	}
	if doc, err = finish(doc, &n); err != nil {
		return nil, fmt.Errorf("schema: %s: %w", t, err)
	}
	s, err := compile(doc)
	if err != nil {
		return nil, fmt.Errorf("%w (inferred from %s)", err, t)
	}
	return s, nil
}

// namer gives every type its own key under $defs. The inference library goes
// by the type's name alone and would mix up types of two packages.
type namer struct {
	names map[reflect.Type]string
	types map[string]reflect.Type
}

// name is called for every type; "" leaves types without a name alone.
// Anonymous structs get a name too, so that their fields can be found again.
func (n *namer) name(t reflect.Type) string {
	if t.PkgPath() == "" && t.Kind() != reflect.Struct {
		return ""
	}
	if name, ok := n.names[t]; ok {
		return name
	}
	base := plainName(t.Name())
	if base == "" {
		base = "anonymous"
	}
	name := base
	for i := 2; n.types[name] != nil; i++ {
		name = base + strconv.Itoa(i)
	}
	n.names[t], n.types[name] = name, t
	return name
}

// plainName makes Pair_int_Item of Pair[int,example.com/shop.Item].
func plainName(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '[' || r == ']' || r == ',' || r == ' ' || r == '*' })
	for i, w := range words {
		w = w[strings.LastIndexAny(w, "/.")+1:]
		words[i] = strings.Map(func(r rune) rune {
			if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, w)
	}
	return strings.Join(words, "_")
}

// Types whose JSON the inference library does not know.
var (
	durationType = reflect.TypeFor[time.Duration]()
	numberType   = reflect.TypeFor[json.Number]()
)

const nanoseconds = "in nanoseconds; 1000000000 is one second"

// mapped describes the types that encoding/json treats otherwise than the
// inference library thinks. nil leaves a type to the library.
func mapped(t reflect.Type) *jsonschema.Schema {
	switch {
	case t == durationType:
		return &jsonschema.Schema{Type: "integer", Description: "Duration " + nanoseconds + "."}
	case t == numberType:
		return &jsonschema.Schema{Type: "number"}
	case t == bigIntType:
		return &jsonschema.Schema{Type: "integer"}
	case t == timeType || describesItself(t):
		return nil
	case isText(t):
		return &jsonschema.Schema{Type: "string"}
	case isBytes(t):
		return &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}
	}
	return sized(t.Kind())
}

// sized gives the small integer types their range. The 64-bit ones have only
// a sign: their limits would be noise in every prompt.
func sized(k reflect.Kind) *jsonschema.Schema {
	var low, high int64
	switch k {
	case reflect.Int8:
		low, high = math.MinInt8, math.MaxInt8
	case reflect.Int16:
		low, high = math.MinInt16, math.MaxInt16
	case reflect.Int32:
		low, high = math.MinInt32, math.MaxInt32
	case reflect.Uint8:
		high = math.MaxUint8
	case reflect.Uint16:
		high = math.MaxUint16
	case reflect.Uint32:
		high = math.MaxUint32
	case reflect.Uint, reflect.Uint64:
		return &jsonschema.Schema{Type: "integer", Minimum: "0"}
	default:
		return nil
	}
	return &jsonschema.Schema{
		Type:    "integer",
		Minimum: json.Number(strconv.FormatInt(low, 10)),
		Maximum: json.Number(strconv.FormatInt(high, 10)),
	}
}
