package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"helve/schema"
)

// flat is the schema of a form as clients take it: an object of plain fields. The
// error is for the tool's author.
func flat(s *schema.Schema) (json.RawMessage, error) {
	if s == nil {
		return json.RawMessage(`{"type":"object","properties":{}}`), nil
	}
	var root struct {
		Type       json.RawMessage            `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required,omitempty"`
	}
	if err := json.Unmarshal(s.JSON(), &root); err != nil || string(root.Type) != `"object"` || root.Properties == nil {
		return nil, fmt.Errorf("the fields of a form are an object with properties, and not %s", clip(s.String()))
	}
	for _, name := range slices.Sorted(maps.Keys(root.Properties)) {
		if err := plain(root.Properties[name]); err != nil {
			return nil, fmt.Errorf("the form's field %q %w: a form is flat: text, numbers, truth values and choices", name, err)
		}
	}
	return json.Marshal(root)
}

func plain(field json.RawMessage) error {
	var f struct {
		Type   string `json:"type"`
		Format string `json:"format"`
		Items  struct {
			Enum  []any `json:"enum"`
			AnyOf []any `json:"anyOf"`
		} `json:"items"`
	}
	if err := json.Unmarshal(field, &f); err != nil {
		return fmt.Errorf("has a schema that no client takes")
	}
	switch f.Type {
	case "string":
		switch f.Format {
		case "", "email", "uri", "date", "date-time":
			return nil
		}
		return fmt.Errorf("has the format %q, and clients know email, uri, date and date-time", f.Format)
	case "number", "integer", "boolean":
		return nil
	case "array":
		if f.Items.Enum != nil || f.Items.AnyOf != nil {
			return nil
		}
		return fmt.Errorf("is a list of anything; name its choices by an enum")
	case "":
		return fmt.Errorf("has no type of its own")
	}
	return fmt.Errorf("is of type %s", f.Type)
}
