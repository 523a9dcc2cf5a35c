package dataanalysis

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/invopop/jsonschema"
)

// givenRow is a row that a model writes: each cell a string, a json.Number, a
// bool or nil. A number keeps its digits, as an ID of twenty needs it.
type givenRow []any

// JSONSchema says what a cell can be, as providers want it of each value.
func (givenRow) JSONSchema() *jsonschema.Schema {
	cell := &jsonschema.Schema{Extras: map[string]any{"type": []string{"string", "number", "boolean", "null"}}}
	return &jsonschema.Schema{Type: "array", Items: cell}
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *givenRow) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode((*[]any)(r)); err != nil {
		return err
	}
	for i, v := range *r { // for hosts that call a tool without its schema
		switch v.(type) {
		case []any, map[string]any:
			return fmt.Errorf("cell %d: a cell holds a text, a number, true, false or null, no list and no object", i+1)
		}
	}
	return nil
}
