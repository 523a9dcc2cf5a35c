package yamlfile

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

const (
	maxDepth = 100
	maxNodes = 100_000 // counted with what aliases stand for
)

// flattener makes a tree without aliases and merge keys, so that who walks it meets
// each value where it counts, and no more values than the bound allows.
type flattener struct {
	file  string
	nodes int
	err   *Error
}

func (f *flattener) flatten(node *yaml.Node, depth int) *yaml.Node {
	f.nodes++
	switch {
	case f.err != nil:
		return node
	case depth > maxDepth:
		return f.fail(node, fmt.Sprintf("values are nested more than %d deep here", maxDepth))
	case f.nodes > maxNodes:
		return f.fail(node, fmt.Sprintf("the file holds more than %d values, counting what aliases stand for", maxNodes))
	}
	if node.Kind == yaml.AliasNode {
		target := f.flatten(node.Alias, depth+1) // an alias inside its own anchor ends at the depth
		target.Line, target.Column = node.Line, node.Column
		return target
	}
	flat := *node
	flat.Content = make([]*yaml.Node, len(node.Content))
	for i, c := range node.Content {
		flat.Content[i] = f.flatten(c, depth+1)
	}
	if flat.Kind == yaml.MappingNode {
		f.merge(&flat)
	}
	return &flat
}

func (f *flattener) fail(node *yaml.Node, message string) *yaml.Node {
	f.err = &Error{File: f.file, Line: node.Line, Column: node.Column, Message: message}
	return node
}

// merge puts the keys behind << among the mapping's own, which win.
func (f *flattener) merge(m *yaml.Node) {
	var own, merged []*yaml.Node
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := m.Content[i], m.Content[i+1]
		switch {
		case key.ShortTag() != "!!merge":
			own = append(own, key, value)
		case value.Kind == yaml.SequenceNode:
			for _, v := range value.Content {
				merged = append(merged, v.Content...)
			}
		default:
			merged = append(merged, value.Content...)
		}
	}
	if len(merged) == 0 {
		return
	}
	seen := map[string]bool{}
	for i := 0; i < len(own); i += 2 {
		seen[own[i].Value] = true
	}
	for i := 0; i+1 < len(merged); i += 2 {
		if !seen[merged[i].Value] {
			seen[merged[i].Value] = true
			own = append(own, merged[i], merged[i+1])
		}
	}
	m.Content = own
}
