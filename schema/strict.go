package schema

import (
	"fmt"
	"slices"
	"strings"
)

// Limits of OpenAI's strict mode.
const (
	strictProperties = 5000
	strictLevels     = 10
	strictEnum       = 1000
)

var (
	strictKeywords = []string{"type", "description", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const", "$ref", "$defs", "definitions",
		"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern", "format", "minItems", "maxItems"}
	strictFormats = []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)

// strictRoot renders for OpenAI's strict mode: every property is required, an
// optional one may be null instead, and no object takes undeclared keys.
func (r *renderer) strictRoot(root *value) *value {
	root = r.strict(root, &location{})
	properties, levels := measure(root, 1)
	if properties > strictProperties {
		r.find(&location{}, fmt.Sprintf("%d properties, of which strict mode allows %d", properties, strictProperties), "split the tool")
	}
	if levels > strictLevels {
		r.find(&location{}, fmt.Sprintf("%d levels of nesting, of which strict mode allows %d", levels, strictLevels), "flatten the arguments")
	}
	return root
}

func (r *renderer) strict(node *value, at *location) *value {
	if node.kind != typeObject {
		if isBoolean(node, false) {
			r.find(at, "a value that is never allowed can't be expressed", "remove it")
		}
		node = newObject()
	}
	single(node)
	r.common(node, at)
	if isAnything(node) {
		r.scalars(node, at)
	}
	r.strictWords(node, at)
	r.restrict(node, at, strictKeywords)
	optional := r.optional(node)
	subschemas(node, at, r.strict)
	if hasType(node, "object") {
		required := newArray()
		for i := range node.get("properties").members {
			m := &node.get("properties").members[i]
			if slices.Contains(optional, m.key) {
				m.value = nullable(m.value)
			}
			required.elems = append(required.elems, newString(m.key))
		}
		node.set("required", required)
		node.set("additionalProperties", newBoolean(false))
	}
	return r.strictReference(node, at)
}

// strictWords moves single values of keywords that strict mode knows but
// limits.
func (r *renderer) strictWords(node *value, at *location) {
	if f := node.get("format"); f != nil && !slices.Contains(strictFormats, f.text) {
		r.move(node, at, "format", node.remove("format"), stillChecked)
	}
	if e := node.get("enum"); e != nil && len(e.elems) > strictEnum {
		r.move(node, at, "enum", node.remove("enum"), fmt.Sprintf("allow at most %d values", strictEnum))
	}
	r.untangle(node, at)
}

// optional lists the properties that need not be given.
func (r *renderer) optional(node *value) []string {
	properties := node.get("properties")
	if properties == nil {
		return nil
	}
	var required []string
	if list := node.get("required"); list != nil {
		for _, e := range list.elems {
			required = append(required, e.text)
		}
	}
	var out []string
	for _, m := range properties.members {
		if !slices.Contains(required, m.key) {
			out = append(out, m.key)
		}
	}
	return out
}

// strictReference wraps a reference that has neighbours, which strict mode
// does not allow, and replaces one that points elsewhere than to a definition.
func (r *renderer) strictReference(node *value, at *location) *value {
	ref := node.get("$ref")
	if ref == nil {
		return node
	}
	if ref.text != "#" && !strings.HasPrefix(ref.text, definitionsPrefix) && !strings.HasPrefix(ref.text, "#/definitions/") {
		r.find(at, fmt.Sprintf("the reference %s does not point to a definition", ref.text), "move what it points to under $defs")
	}
	if len(node.members) == 1 {
		return node
	}
	out := newObject()
	if d := node.get("description"); d != nil {
		out.set("description", d)
	}
	if defs := node.get("$defs"); defs != nil {
		out.set("$defs", defs)
	}
	bare := newObject()
	bare.set("$ref", ref)
	out.set("anyOf", newArray(bare))
	return out
}

// nullable lets a rendered schema also take null, which stands for "not given".
func nullable(node *value) *value {
	if t := node.get("type"); t != nil {
		if !hasType(node, "null") {
			list := newArray(t)
			if t.kind == typeArray {
				list.elems = slices.Clone(t.elems)
			}
			list.elems = append(list.elems, newString("null"))
			node.set("type", list)
		}
		if c := node.remove("const"); c != nil {
			node.set("enum", newArray(c))
		}
		if e := node.get("enum"); e != nil && !slices.ContainsFunc(e.elems, func(v *value) bool { return v.kind == typeNull }) {
			e.elems = append(e.elems, &value{kind: typeNull, raw: []byte("null")})
		}
		return node
	}
	if a := node.get("anyOf"); a != nil {
		if !slices.ContainsFunc(a.elems, func(v *value) bool { return hasType(v, "null") }) {
			a.elems = append(a.elems, newTyped("null"))
		}
		return node
	}
	out := newObject()
	out.set("anyOf", newArray(node, newTyped("null")))
	return out
}

// measure counts the properties of a rendered schema and its deepest level.
func measure(node *value, level int) (properties, levels int) {
	levels = level
	if p := node.get("properties"); p != nil {
		properties = len(p.members)
		level++
	}
	subschemas(node, &location{}, func(sub *value, _ *location) *value {
		n, l := measure(sub, level)
		properties += n
		levels = max(levels, l)
		return sub
	})
	return properties, levels
}
