package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"helve/model"
)

// ParseScript reads a script in the form that [Script] shows. An error names the
// line and the key.
func ParseScript(data []byte) (Script, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return Script{}, fmt.Errorf("sim: script: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if doc.Kind == 0 {
		return Script{}, errors.New("sim: script: it is empty: write at least one turn under turns")
	}
	var s Script
	err := keys(doc.Content[0], "the script", map[string]reader{
		"turns": func(n *yaml.Node) error { return each(n, "turns", s.readTurn) },
	})
	if err == nil && len(s.Turns) == 0 {
		err = at(doc.Content[0], "turns is missing or empty: write at least one turn")
	}
	if err != nil {
		return Script{}, fmt.Errorf("sim: script: %w", err)
	}
	return s, nil
}

func (s *Script) readTurn(n *yaml.Node) error {
	var t Turn
	err := keys(n, "a turn", map[string]reader{
		"when":      text("when", &t.When),
		"reasoning": text("reasoning", &t.Reasoning),
		"text":      text("text", &t.Text),
		"calls":     func(n *yaml.Node) error { return each(n, "calls", t.readCall) },
		"finish":    t.readFinish,
		"usage": func(n *yaml.Node) error {
			return keys(n, "usage", map[string]reader{
				"input":  tokens("input", &t.Usage.InputTokens),
				"output": tokens("output", &t.Usage.OutputTokens),
			})
		},
		"fault": t.readFault,
	})
	s.Turns = append(s.Turns, t)
	return err
}

func (t *Turn) readCall(n *yaml.Node) error {
	c := Call{Arguments: `{}`}
	written := 0
	err := keys(n, "a call", map[string]reader{
		"id":   text("id", &c.ID),
		"name": text("name", &c.Name),
		"arguments": func(n *yaml.Node) error {
			written++
			if n.Kind != yaml.MappingNode {
				return at(n, "arguments is not a mapping: write raw for text that is sent word for word")
			}
			data, err := toJSON(n)
			c.Arguments = string(data)
			return err
		},
		"raw": func(n *yaml.Node) error {
			written++
			return text("raw", &c.Arguments)(n)
		},
	})
	switch {
	case err != nil:
		return err
	case c.Name == "":
		return at(n, "name is missing: a call names its tool")
	case written > 1:
		return at(n, "both arguments and raw are given: write one")
	}
	t.Calls = append(t.Calls, c)
	return nil
}

func (t *Turn) readFinish(n *yaml.Node) error {
	allowed := []model.FinishReason{model.FinishStop, model.FinishToolCalls, model.FinishLength, model.FinishContentFilter}
	t.Finish = model.FinishReason(n.Value)
	if n.Kind != yaml.ScalarNode || !slices.Contains(allowed, t.Finish) {
		return at(n, "finish is %q: use stop, tool_calls, length or content_filter", n.Value)
	}
	return nil
}

func (t *Turn) readFault(n *yaml.Node) error {
	f, err := parseFault(n.Value)
	if err != nil {
		return at(n, "fault: %v", err)
	}
	t.Fault = f
	return nil
}

// reader takes over one value.
type reader func(*yaml.Node) error

// keys reads a mapping and refuses keys that have no reader.
func keys(n *yaml.Node, what string, readers map[string]reader) error {
	if n.Kind != yaml.MappingNode {
		return at(n, "%s is not a mapping of keys to values", what)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		read, ok := readers[key.Value]
		if !ok || key.Kind != yaml.ScalarNode {
			return at(key, "unknown key %q in %s: use one of %s", key.Value, what, strings.Join(sortedKeys(readers), ", "))
		}
		if seen[key.Value] {
			return at(key, "key %q is given twice", key.Value)
		}
		seen[key.Value] = true
		if err := read(value); err != nil {
			return err
		}
	}
	return nil
}

func each(n *yaml.Node, key string, read reader) error {
	if n.Kind != yaml.SequenceNode {
		return at(n, "%s is not a list: begin each item with a dash", key)
	}
	for _, item := range n.Content {
		if err := read(item); err != nil {
			return err
		}
	}
	return nil
}

func text(key string, into *string) reader {
	return func(n *yaml.Node) error {
		if n.Kind != yaml.ScalarNode {
			return at(n, "%s is not text", key)
		}
		*into = n.Value
		return nil
	}
}

func tokens(key string, into *int) reader {
	return func(n *yaml.Node) error {
		if n.Decode(into) != nil || *into < 0 {
			return at(n, "%s is not a number of tokens", key)
		}
		return nil
	}
}

// toJSON writes a YAML value as JSON, its keys in the order they are written.
func toJSON(n *yaml.Node) ([]byte, error) {
	switch n.Kind {
	case yaml.MappingNode:
		out := []byte{'{'}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, err := json.Marshal(n.Content[i].Value)
			if err != nil {
				return nil, at(n.Content[i], "%v", err)
			}
			value, err := toJSON(n.Content[i+1])
			if err != nil {
				return nil, err
			}
			out = append(append(append(separate(out, i > 0), key...), ':'), value...)
		}
		return append(out, '}'), nil
	case yaml.SequenceNode:
		out := []byte{'['}
		for i, item := range n.Content {
			value, err := toJSON(item)
			if err != nil {
				return nil, err
			}
			out = append(separate(out, i > 0), value...)
		}
		return append(out, ']'), nil
	case yaml.ScalarNode:
		return scalarJSON(n)
	}
	return nil, at(n, "references are not read: write the value out")
}

func separate(out []byte, more bool) []byte {
	if more {
		return append(out, ',')
	}
	return out
}

// scalarJSON keeps a number as it is written, so that big ones stay exact.
func scalarJSON(n *yaml.Node) ([]byte, error) {
	switch n.Tag {
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return []byte(n.Value), nil
		}
	case "!!bool", "!!null":
	default:
		data, err := json.Marshal(n.Value)
		return data, err
	}
	var v any
	if err := n.Decode(&v); err != nil {
		return nil, at(n, "%v", err)
	}
	data, err := json.Marshal(v)
	if err != nil {
		return nil, at(n, "%s has no JSON form", n.Value)
	}
	return data, nil
}

func at(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("line %d: %s", n.Line, fmt.Sprintf(format, args...))
}

func sortedKeys(readers map[string]reader) []string {
	names := make([]string, 0, len(readers))
	for name := range readers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
