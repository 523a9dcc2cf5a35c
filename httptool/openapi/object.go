package openapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
)

// object is a JSON object in the order in which a person would write its keys.
type object []field

type field struct {
	key   string
	value any
}

// MarshalJSON writes the fields in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(f.key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(f.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func (o object) get(key string) any {
	for _, f := range o {
		if f.key == key {
			return f.value
		}
	}
	return nil
}

func (o object) without(key string) object {
	return slices.DeleteFunc(slices.Clone(o), func(f field) bool { return f.key == key })
}

// keyOrder is how the keywords of a schema are written; others follow by name.
var keyOrder = []string{"$ref", "type", "format", "description", "enum", "const", "default", "properties", "required", "additionalProperties", "items"}

// sortKeywords puts the keywords of a schema in order.
func sortKeywords(o object) {
	rank := func(key string) int {
		if i := slices.Index(keyOrder, key); i >= 0 {
			return i
		}
		return len(keyOrder)
	}
	slices.SortFunc(o, func(a, b field) int { return cmp.Or(cmp.Compare(rank(a.key), rank(b.key)), cmp.Compare(a.key, b.key)) })
}
