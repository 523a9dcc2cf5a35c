package serve

import (
	"encoding/json"
	"errors"

	"helve/schema"
	"helve/tool"
)

// objectSchema returns a schema of arguments as the protocol wants it: with "type":
// "object" at its root. The bytes stay as they are where it says so.
func objectSchema(doc json.RawMessage) (json.RawMessage, error) {
	switch string(doc) {
	case "true":
		return json.RawMessage(`{"type":"object"}`), nil
	case "false":
		return nil, errors.New("its schema allows no arguments at all")
	}
	var root map[string]json.RawMessage
	if err := json.Unmarshal(doc, &root); err != nil {
		return nil, err
	}
	if string(root["type"]) == `"object"` {
		return doc, nil
	}
	if !allowsObject(root["type"]) {
		return nil, errors.New("its schema wants arguments that are no object")
	}
	root["type"] = json.RawMessage(`"object"`)
	return json.Marshal(root)
}

func allowsObject(kind json.RawMessage) bool {
	if kind == nil {
		return true
	}
	var kinds []string
	if json.Unmarshal(kind, &kinds) != nil {
		return false
	}
	for _, k := range kinds {
		if k == "object" {
			return true
		}
	}
	return false
}

// outputSchema is what the tool's results look like, or nil. Clients from before
// 2026-07-28 take only objects.
func outputSchema(t tool.Tool) *schema.Schema {
	o, ok := t.(tool.Outputter)
	if !ok {
		return nil
	}
	s := o.OutputSchema()
	if s == nil {
		return nil
	}
	var root struct {
		Type json.RawMessage `json:"type"`
	}
	if json.Unmarshal(s.JSON(), &root) != nil || string(root.Type) != `"object"` {
		return nil
	}
	return s
}
