package schema

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// reference resolves a pointer into the same document; the full validator
// alone follows any other kind.
func (m *shapeMaker) reference(s *shape, ref *value) {
	if !m.opaque {
		if target, at := resolve(m.doc, ref.text); target != nil {
			s.ref = m.shape(target, at)
			return
		}
	}
	s.exact = false
}

// resolve finds the node that "#" or "#/a/b" names, or nil.
func resolve(doc *value, ref string) (*value, *location) {
	at := &location{}
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok || pointer == "" {
		if !ok {
			doc = nil
		}
		return doc, at
	}
	pointer, err := url.PathUnescape(pointer)
	if err != nil || pointer[0] != '/' {
		return nil, nil
	}
	node := doc
	for _, token := range strings.Split(pointer[1:], "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		if at = at.child(token); node.kind != typeArray {
			node = node.get(token)
		} else if i, err := strconv.Atoi(token); err == nil && 0 <= i && i < len(node.elems) {
			node = node.elems[i]
		} else {
			node = nil
		}
		if node == nil {
			return nil, nil
		}
	}
	return node, at
}

// onlyReference reports that a schema with a $ref adds nothing but notes.
func onlyReference(node *value) bool {
	for _, m := range node.members {
		switch m.key {
		case "$ref", "$schema", "$defs", "definitions", "title", "description", "default", "examples", "deprecated", "$comment":
		default:
			return false
		}
	}
	return true
}

// hasInnerID reports an $id anywhere below the root, even in places that are
// not schemas: being too careful costs only speed.
func hasInnerID(v *value, root bool) bool {
	for _, e := range v.elems {
		if hasInnerID(e, false) {
			return true
		}
	}
	for _, m := range v.members {
		if (m.key == "$id" || m.key == "id") && !root && m.value.kind == typeString {
			return true
		}
		if hasInnerID(m.value, false) {
			return true
		}
	}
	return false
}

// checkCircles refuses references that lead back to themselves without going
// into the value: nothing can be valid by them.
func checkCircles(list []*shape) error {
	const entered, left = 1, 2
	state := make(map[*shape]int)
	var visit func(s *shape) *shape
	visit = func(s *shape) *shape {
		switch state[s] {
		case entered:
			return s
		case left:
			return nil
		}
		state[s] = entered
		if s.ref != nil {
			if c := visit(s.ref); c != nil {
				return c
			}
		}
		for _, a := range s.all {
			if c := visit(a); c != nil {
				return c
			}
		}
		state[s] = left
		return nil
	}
	for _, s := range list {
		if c := visit(s); c != nil {
			return fmt.Errorf("schema: at %q: the reference goes round in a circle", c.at.pointer())
		}
	}
	return nil
}
