package httptool

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// member is a key of a JSON object and its value.
type member struct {
	key   string
	value json.RawMessage
}

// members returns the keys of a JSON object in their order.
func members(object json.RawMessage) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, fmt.Errorf("want keys and values")
	}
	var all []member
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := member{key: key.(string)}
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// writeMembers is the opposite of members.
func writeMembers(all []member) json.RawMessage {
	b := []byte{'{'}
	for i, m := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, quote(m.key)...), ':'), m.value...)
	}
	return append(b, '}')
}

// quote is s as JSON, without the escapes that HTML wants.
func quote(s string) json.RawMessage { return toJSON(s) }

// toJSON writes a value that came out of JSON.
func toJSON(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return json.RawMessage("null") // what was read from JSON can be written
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func isObject(raw json.RawMessage) bool { return startsWith(raw, '{') }
func isList(raw json.RawMessage) bool   { return startsWith(raw, '[') }
func isString(raw json.RawMessage) bool { return startsWith(raw, '"') }
func isNull(raw json.RawMessage) bool   { return startsWith(raw, 'n') }

func startsWith(raw json.RawMessage, c byte) bool {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	return len(raw) > 0 && raw[0] == c
}

// compact is raw without its blanks; what is not JSON stays as it is.
func compact(raw []byte) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}
