package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/invopop/jsonschema"
)

// Set is a set of values. In JSON it is an array without equal items:
// encoding/json can't read an array into a plain map[T]struct{}, which is why
// inference refuses that type and accepts this one.
type Set[T comparable] map[T]struct{}

// MarshalJSON writes the values as an array, sorted by their JSON.
func (s Set[T]) MarshalJSON() ([]byte, error) {
	items := make([]json.RawMessage, 0, len(s))
	for v := range s {
		b, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		items = append(items, b)
	}
	slices.SortFunc(items, func(a, b json.RawMessage) int { return bytes.Compare(a, b) })
	return json.Marshal(items)
}

// UnmarshalJSON reads an array; null leaves s as it is.
func (s *Set[T]) UnmarshalJSON(data []byte) error {
	var items []T
	if err := json.Unmarshal(data, &items); err != nil {
		return fmt.Errorf("set: %w", err)
	}
	if items == nil {
		return nil
	}
	*s = make(Set[T], len(items))
	for _, v := range items {
		(*s)[v] = struct{}{}
	}
	return nil
}

// JSONSchemaAlias is for the inference library, which describes a Set as what
// it returns.
func (Set[T]) JSONSchemaAlias() any { return uniqueList[T]{} }

type uniqueList[T comparable] []T

// JSONSchemaExtend is for the inference library.
func (uniqueList[T]) JSONSchemaExtend(s *jsonschema.Schema) { s.UniqueItems = true }
