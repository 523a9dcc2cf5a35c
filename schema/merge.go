package schema

import (
	"bytes"
	"fmt"
	"slices"
)

// maxInlined is how many schemas one rendering may copy in the place of
// references: inlining what is shared can grow a schema a thousandfold.
const maxInlined = 5000

// deref replaces a reference by what it points to; what stands beside it wins.
func (r *renderer) deref(node *value, at *location) *value {
	for range maxDepth {
		ref := node.get("$ref")
		if ref == nil {
			break
		}
		node.remove("$ref")
		if target := r.target(ref.text, at); target != nil {
			node = overlay(target, node)
		}
	}
	return node
}

// target returns a copy of what a reference points to, or nil and a finding.
func (r *renderer) target(ref string, at *location) *value {
	target, _ := resolve(r.doc, ref)
	if target == nil || target.kind != typeObject {
		r.find(at, fmt.Sprintf("the reference %s can't be followed", ref), "use a reference such as #/$defs/name")
		return nil
	}
	if r.inlined += size(target); r.inlined > maxInlined {
		r.find(at, fmt.Sprintf("more than %d schemas with all references replaced; %s is left out", maxInlined, ref), "refer to large definitions less often")
		return nil
	}
	return target.clone()
}

func size(node *value) int {
	n := 1
	subschemas(node, &location{}, func(sub *value, _ *location) *value {
		n += size(sub)
		return sub
	})
	return n
}

// overlay sets all of over's keywords on node; they win.
func overlay(node, over *value) *value {
	for _, m := range over.members {
		node.set(m.key, m.value)
	}
	return node
}

// single turns an allOf of nothing but a reference into that reference.
func single(node *value) {
	all := node.get("allOf")
	if all == nil || len(all.elems) != 1 || node.get("$ref") != nil {
		return
	}
	if ref := all.elems[0].get("$ref"); ref != nil && len(all.elems[0].members) == 1 {
		node.remove("allOf")
		node.set("$ref", ref)
	}
}

// merge puts what allOf lists into the node itself.
func (r *renderer) merge(node *value, at *location) {
	all := node.remove("allOf")
	if all == nil {
		return
	}
	for i, branch := range all.elems {
		branch = r.deref(branch, at)
		r.merge(branch, at)
		for _, m := range branch.members {
			r.mergeKeyword(node, at.child("allOf").index(i), m)
		}
	}
}

func (r *renderer) mergeKeyword(node *value, at *location, m member) {
	have := node.get(m.key)
	switch {
	case have == nil:
		node.set(m.key, m.value)
	case m.key == "properties":
		for _, p := range m.value.members {
			r.mergeKeyword(have, at, p)
		}
	case m.key == "required":
		for _, e := range m.value.elems {
			if !slices.ContainsFunc(have.elems, func(h *value) bool { return h.text == e.text }) {
				have.elems = append(have.elems, e)
			}
		}
	case m.key == "title" || m.key == "description" || m.key == "default" || m.key == "examples" || m.key == "$defs":
	case !bytes.Equal(have.appendCompact(nil), m.value.appendCompact(nil)):
		r.find(at, fmt.Sprintf("allOf sets %s twice; only the first is sent", m.key), "write the two as one schema")
	}
}
