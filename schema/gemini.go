package schema

import (
	"fmt"
	"slices"
)

var geminiKeywords = []string{"type", "nullable", "description", "enum", "items", "properties", "required", "anyOf", "minimum", "maximum",
	"minItems", "maxItems", "minLength", "maxLength", "pattern", "minProperties", "maxProperties", "default"}

// gemini renders for Gemini's "parameters": no references, no lists of types,
// no numbers in an enum. within holds the references being followed.
func (r *renderer) gemini(node *value, at *location, within []string) *value {
	if node.kind != typeObject {
		if isBoolean(node, false) {
			r.find(at, "a value that is never allowed can't be expressed", "remove it")
		}
		node = newObject()
	}
	single(node)
	if ref := node.get("$ref"); ref != nil {
		target := r.follow(ref.text, at, within)
		if target == nil {
			return r.stub(node, ref.text)
		}
		node.remove("$ref")
		return r.gemini(overlay(target, node), at, append(slices.Clip(within), ref.text))
	}
	r.common(node, at)
	r.geminiNull(node)
	if r.geminiTypes(node); node.get("$ref") != nil { // the only branch left
		return r.gemini(node, at, within)
	}
	r.untangle(node, at)
	if isAnything(node) {
		r.scalars(node, at)
	}
	r.geminiEnum(node, at)
	r.restrict(node, at, geminiKeywords)
	subschemas(node, at, func(sub *value, at *location) *value { return r.gemini(sub, at, within) })
	if p := node.get("properties"); p != nil && len(p.members) == 0 && at.parent != nil {
		node.remove("properties") // only the root may have none
	}
	return node
}

// follow returns a copy of what a reference points to, or nil and a finding.
func (r *renderer) follow(ref string, at *location, within []string) *value {
	if slices.Contains(within, ref) || ref == "#" {
		r.find(at, fmt.Sprintf("the recursion of %s can't be expressed; the model sees one level", ref), "use a flat list whose items name their parent, or repeat the levels you need")
		return nil
	}
	return r.target(ref, at)
}

// stub stands for a schema that is left out.
func (r *renderer) stub(node *value, ref string) *value {
	out := newTyped("object")
	if target, _ := resolve(r.doc, ref); target != nil {
		if t := target.get("type"); t != nil && t.kind == typeString {
			out = newTyped(t.text)
		}
	}
	if d := node.get("description"); d != nil {
		out.set("description", d)
	}
	note(out, "Of the form "+ref+".")
	if hasType(out, "array") {
		out.set("items", newTyped("object"))
	}
	return out
}

// geminiNull turns null as one of several types or branches into nullable.
func (r *renderer) geminiNull(node *value) {
	if t := node.get("type"); t != nil && t.kind == typeArray && hasType(node, "null") {
		t.elems = slices.DeleteFunc(slices.Clone(t.elems), func(e *value) bool { return e.text == "null" })
		node.set("nullable", newBoolean(true))
	}
	if a := node.get("anyOf"); a != nil {
		rest := slices.DeleteFunc(slices.Clone(a.elems), func(e *value) bool {
			t := e.get("type")
			return t != nil && t.text == "null"
		})
		if len(rest) < len(a.elems) {
			node.set("nullable", newBoolean(true))
		}
		a.elems = rest
		if len(rest) == 1 && rest[0].kind == typeObject {
			node.remove("anyOf")
			for _, m := range rest[0].members {
				if node.get(m.key) == nil {
					node.set(m.key, m.value)
				}
			}
		}
	}
	if e := node.get("enum"); e != nil {
		e.elems = slices.DeleteFunc(slices.Clone(e.elems), func(v *value) bool { return v.kind == typeNull })
	}
}

// geminiTypes turns a list of types into branches of anyOf.
func (r *renderer) geminiTypes(node *value) {
	t := node.get("type")
	if t == nil || t.kind != typeArray {
		return
	}
	if len(t.elems) == 1 {
		node.set("type", t.elems[0])
		return
	}
	node.remove("type")
	var branches []*value
	for _, e := range t.elems {
		b := newObject()
		for _, m := range node.members {
			if appliesTo(m.key, e.text) {
				b.set(m.key, m.value.clone())
			}
		}
		b.set("type", e)
		branches = append(branches, b)
	}
	for _, m := range slices.Clone(node.members) {
		if slices.ContainsFunc(t.elems, func(e *value) bool { return appliesTo(m.key, e.text) }) {
			node.remove(m.key)
		}
	}
	node.set("anyOf", newArray(branches...))
}

// appliesTo reports that a keyword constrains values of one type.
func appliesTo(key, name string) bool {
	switch key {
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		return name == "number" || name == "integer"
	case "minLength", "maxLength", "pattern", "format":
		return name == "string"
	case "items", "minItems", "maxItems", "uniqueItems":
		return name == "array"
	case "properties", "required", "minProperties", "maxProperties":
		return name == "object"
	}
	return false
}

// geminiEnum keeps lists of strings; other values move into the description.
func (r *renderer) geminiEnum(node *value, at *location) {
	if c := node.remove("const"); c != nil {
		node.set("enum", newArray(c))
	}
	e := node.get("enum")
	if e == nil {
		return
	}
	if slices.ContainsFunc(e.elems, func(v *value) bool { return v.kind != typeString || v.text == "" }) {
		r.move(node, at, "enum", node.remove("enum"), "use strings")
	}
}
