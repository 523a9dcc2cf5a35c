package yamlfile

import (
	"bytes"
	"encoding/json"
	"reflect"
	"time"

	"github.com/invopop/jsonschema"
)

// Schema returns the JSON Schema of the files that [Decode] reads into v, a struct or
// a pointer to one: the keys of its yaml tags, with the descriptions of its
// jsonschema_description tags. Editors read it.
func Schema(title string, v any) ([]byte, error) {
	r := jsonschema.Reflector{FieldNameTag: "yaml", Anonymous: true, ExpandedStruct: true, DoNotReference: true, Mapper: schemaOf}
	s := r.Reflect(v)
	s.Title = title
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(s)
	return b.Bytes(), err
}

func schemaOf(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[time.Duration]():
		return &jsonschema.Schema{Type: "string", Examples: []any{"30s", "500ms", "2m"}}
	case reflect.TypeFor[Secret]():
		return &jsonschema.Schema{Type: "string", Examples: []any{"${NAME}"}}
	case reflect.TypeFor[JSON]():
		return &jsonschema.Schema{}
	}
	return nil
}
