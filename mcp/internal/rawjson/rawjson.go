// Package rawjson looks into JSON from a server one step at a time. What it does not look
// at stays as it was written.
package rawjson

import (
	"bytes"
	"encoding/json"
)

// Object returns the members of an object by their names, which count letter by letter;
// of those given twice it is the last. Of anything else it is nil.
func Object(raw json.RawMessage) map[string]json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return nil
	}
	return fields
}

// Text is the text of a JSON string, and "" of anything else.
func Text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// Of writes what was read from JSON, without the escapes that HTML wants.
func Of(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return json.RawMessage("null") // what came out of JSON goes back
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
