// Package jsonobject reads JSON objects whose keys must stay in their order.
package jsonobject

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Member is a key of a JSON object and its value.
type Member struct {
	Key   string
	Value json.RawMessage
}

// Read returns the keys of a JSON object in their order.
func Read(object json.RawMessage) ([]Member, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.New("want keys and values")
	}
	var all []Member
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := Member{Key: key.(string)}
		if err := d.Decode(&m.Value); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// Write is the opposite of [Read].
func Write(all []Member) json.RawMessage {
	b := []byte{'{'}
	for i, m := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, Marshal(m.Key)...), ':'), m.Value...)
	}
	return append(b, '}')
}

// Marshal writes a value that came out of JSON, without the escapes that HTML wants.
func Marshal(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return json.RawMessage("null") // what was read from JSON can be written
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Value returns what is under key, or nil.
func Value(all []Member, key string) json.RawMessage {
	for _, m := range all {
		if m.Key == key {
			return m.Value
		}
	}
	return nil
}

// IsObject says what valid JSON is by its first character, as do the others below.
func IsObject(raw json.RawMessage) bool { return startsWith(raw, '{') }

// IsList is for an array.
func IsList(raw json.RawMessage) bool { return startsWith(raw, '[') }

// IsString is for text.
func IsString(raw json.RawMessage) bool { return startsWith(raw, '"') }

// IsNull is for null.
func IsNull(raw json.RawMessage) bool { return startsWith(raw, 'n') }

// IsBool is for true and false.
func IsBool(raw json.RawMessage) bool { return startsWith(raw, 't') || startsWith(raw, 'f') }

func startsWith(raw json.RawMessage, c byte) bool {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	return len(raw) > 0 && raw[0] == c
}

// Compact is raw without its blanks; what is not JSON stays as it is.
func Compact(raw []byte) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}
