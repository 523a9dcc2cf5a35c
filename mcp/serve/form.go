package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"helve/schema"
	"helve/tool"
)

// fields is the schema of a form as clients take it. That it is flat the runtime has
// seen; an error wraps [tool.ErrNobody], since other hosts could ask it.
func fields(s *schema.Schema) (json.RawMessage, error) {
	if s == nil {
		return json.RawMessage(`{"type":"object","properties":{}}`), nil
	}
	var root struct {
		Type       string                     `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required,omitempty"`
	}
	if err := json.Unmarshal(s.JSON(), &root); err != nil {
		return nil, fmt.Errorf("the fields of the form can't be read: %w", err)
	}
	root.Type = "object"
	for _, name := range slices.Sorted(maps.Keys(root.Properties)) {
		var field struct {
			Format string `json:"format"`
		}
		if json.Unmarshal(root.Properties[name], &field) == nil && field.Format == "password" {
			return nil, fmt.Errorf("the form asks for a password (%q), which MCP forbids: %w", name, tool.ErrNobody)
		}
	}
	return json.Marshal(root)
}
