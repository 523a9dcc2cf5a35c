package tooltest

import (
	"encoding/json"

	"helve/schema"
)

// ownExamples are calls of what the schema itself offers. There are none where
// it offers nothing for a required property.
func ownExamples(s *schema.Schema) []json.RawMessage {
	if root := s.Root(); len(root.Examples) > 0 {
		return root.Examples
	}
	arguments := map[string]json.RawMessage{}
	for _, p := range s.Properties() {
		value := offered(p)
		if value == nil && p.Required {
			return nil
		}
		if p.Required {
			arguments[p.Name] = value
		}
	}
	return []json.RawMessage{encode(arguments)}
}

func offered(p schema.Property) json.RawMessage {
	switch {
	case p.Default != nil:
		return p.Default
	case len(p.Examples) > 0:
		return p.Examples[0]
	case len(p.Enum) > 0:
		return p.Enum[0]
	}
	return nil
}

func encode(arguments map[string]json.RawMessage) json.RawMessage {
	data, err := json.Marshal(arguments)
	if err != nil {
		panic(err) // the values came from documents that were read as JSON
	}
	return data
}
