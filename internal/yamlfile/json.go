package yamlfile

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// JSON is a value of any shape, as JSON. Its keys stay in the order of the file.
type JSON json.RawMessage

// UnmarshalYAML reads it.
func (j *JSON) UnmarshalYAML(node *yaml.Node) error {
	var b bytes.Buffer
	if err := writeJSON(&b, node); err != nil {
		return err
	}
	*j = b.Bytes()
	return nil
}

func writeJSON(b *bytes.Buffer, node *yaml.Node) error {
	switch node.Kind {
	case yaml.MappingNode:
		return writeObject(b, node)
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i, c := range node.Content {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := writeJSON(b, c); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	}
	var value any = node.Value
	switch node.ShortTag() {
	case "!!null", "!!bool", "!!int", "!!float":
		if err := node.Decode(&value); err != nil {
			return at(node, "%v", err)
		}
	}
	return write(b, node, value)
}

func writeObject(b *bytes.Buffer, node *yaml.Node) error {
	seen := map[string]bool{}
	b.WriteByte('{')
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		if key.Kind != yaml.ScalarNode {
			return at(key, "a key must be text, not %s", whatIs(key))
		}
		if seen[key.Value] {
			return at(key, "the key %s is there twice", key.Value)
		}
		seen[key.Value] = true
		if i > 0 {
			b.WriteByte(',')
		}
		if err := write(b, key, key.Value); err != nil {
			return err
		}
		b.WriteByte(':')
		if err := writeJSON(b, node.Content[i+1]); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

func write(b *bytes.Buffer, node *yaml.Node, value any) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil { // .inf and .nan
		return at(node, "%s has no form in JSON", whatIs(node))
	}
	b.Truncate(b.Len() - 1) // the encoder ends with a newline
	return nil
}

func at(node *yaml.Node, format string, args ...any) *Error {
	return &Error{Line: node.Line, Column: node.Column, Message: fmt.Sprintf(format, args...)}
}
