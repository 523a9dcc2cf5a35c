package gen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// node is an object of a schema, whose keys have an order.
type node []member

type member struct {
	key   string
	value json.RawMessage
}

// parseNode reads an object.
func parseNode(data []byte) (node, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("a schema must be an object: %.100s", data)
	}
	var n node
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		n = append(n, member{fmt.Sprint(key), value})
	}
	return n, nil
}

func (n node) get(key string) json.RawMessage {
	if i := n.index(key); i >= 0 {
		return n[i].value
	}
	return nil
}

func (n node) index(key string) int {
	return slices.IndexFunc(n, func(m member) bool { return m.key == key })
}

// set replaces the value of a key, or adds it at the end.
func (n node) set(key string, value json.RawMessage) node {
	if i := n.index(key); i >= 0 {
		n[i].value = value
		return n
	}
	return append(n, member{key, value})
}

func (n node) without(keys ...string) node {
	return slices.DeleteFunc(slices.Clone(n), func(m member) bool { return slices.Contains(keys, m.key) })
}

// insert adds members behind those keys that are there.
func (n node) insert(behind []string, members ...member) node {
	at := 0
	for i, m := range n {
		if slices.Contains(behind, m.key) {
			at = i + 1
		}
	}
	return slices.Insert(slices.Clone(n), at, members...)
}

// json writes the object without white space.
func (n node) json() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(text(m.key))
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// text writes a string without the escapes that HTML wants.
func text(s string) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always has a JSON form
	return bytes.TrimSpace(b.Bytes())
}
