package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

const (
	maxConstraint = 300 // runes of one constraint that moves into the description
)

// renderer writes one schema for one profile. It works on a copy.
type renderer struct {
	doc      *value
	profile  Profile
	findings []Finding
	inlined  int
}

func (r *renderer) render() json.RawMessage {
	root := r.object(r.doc.clone())
	switch r.profile {
	case OpenAIStrict:
		root = r.strictRoot(root)
	case Gemini:
		root = r.gemini(root, &location{}, nil)
		root.remove("nullable")
	default:
		root = r.open(root, &location{})
	}
	return root.appendCompact(nil)
}

func (r *renderer) find(at *location, message, fix string) {
	r.findings = append(r.findings, Finding{Pointer: at.pointer(), Message: message, Fix: fix})
}

// object makes sure that the root is an object with properties: providers
// drop or refuse anything else.
func (r *renderer) object(root *value) *value {
	at := &location{}
	if root.kind == typeBoolean {
		root = newObject()
	}
	defs := root.get("$defs")
	if root = r.deref(root, at); defs != nil {
		root.set("$defs", defs)
	}
	if t := root.get("type"); t != nil && !(t.kind == typeString && t.text == "object") {
		r.find(at, "arguments must be an object", "put the value into an object with one property")
	}
	root.set("type", newString("object"))
	r.merge(root, at)
	for _, key := range []string{"anyOf", "oneOf", "allOf", "not", "enum", "const"} {
		if v := root.remove(key); v != nil {
			r.move(root, at, key, v, "list all properties in one object and make those optional that depend on each other")
		}
	}
	if root.get("properties") == nil {
		root.set("properties", newObject())
	}
	return root
}

// open is the plain OpenAI profile: nearly the schema itself.
func (r *renderer) open(node *value, at *location) *value {
	if isBoolean(node, true) {
		return newObject()
	}
	if node.kind == typeObject {
		node.remove("$schema")
		subschemas(node, at, r.open)
	}
	return node
}

// move puts a keyword that was taken out into the description, and reports it.
func (r *renderer) move(node *value, at *location, key string, v *value, fix string) {
	note(node, "Constraint: "+constraint(key, v)+".")
	r.find(at, fmt.Sprintf("%s can't be expressed for %s; it moved into the description", key, r.profile), fix)
}

// constraint is a keyword as text, cut when it is long.
func constraint(key string, v *value) string {
	text := v.text
	if v.kind != typeString {
		text = string(v.appendCompact(nil))
	}
	if runes := []rune(text); len(runes) > maxConstraint {
		text = string(runes[:maxConstraint-1]) + "…"
	}
	return key + " " + text
}

// note adds a sentence to the description.
func note(node *value, text string) {
	if d := node.get("description"); d != nil && d.text != "" {
		if !strings.HasSuffix(d.text, ".") {
			text = d.text + ". " + text
		} else {
			text = d.text + " " + text
		}
	}
	node.set("description", newString(text))
}

// Keywords that say nothing a model has to know.
var droppable = []string{"$schema", "$id", "id", "$anchor", "$comment", "$dynamicAnchor", "$vocabulary", "title", "examples", "example",
	"deprecated", "readOnly", "writeOnly", "discriminator", "contentMediaType", "contentSchema"}

const stillChecked = "nothing, if it is enough that helve still checks it; else say it with a supported keyword"

// restrict takes out every keyword that is not in allowed. Constraints move
// into the description.
func (r *renderer) restrict(node *value, at *location, allowed []string) {
	for _, m := range slices.Clone(node.members) {
		switch {
		case slices.Contains(allowed, m.key):
			continue
		case m.key == "default" && m.value.kind == typeNull:
		case m.key == "default":
			note(node, "Default: "+strings.TrimPrefix(constraint("", m.value), " ")+".")
		case m.key == "contentEncoding":
			note(node, "Encoded as "+m.value.text+".")
		case m.key == "$defs" || m.key == "definitions" || slices.Contains(droppable, m.key):
		case isKnown(m.key):
			r.move(node, at, m.key, m.value, stillChecked)
		}
		node.remove(m.key)
	}
}

// isKnown reports a keyword that constrains; others, such as x-order, mean
// nothing to a validator either.
func isKnown(key string) bool {
	switch key {
	case "type", "enum", "const", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
		"minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems", "minContains", "maxContains",
		"minProperties", "maxProperties", "required", "dependentRequired", "dependencies", "$ref", "$dynamicRef":
		return true
	}
	return slices.Contains(holdOne, key) || slices.Contains(holdList, key) || slices.Contains(holdMap, key)
}

// scalars stands for "any JSON", which no restricted profile can say.
func (r *renderer) scalars(node *value, at *location) {
	r.find(at, "any JSON can't be expressed; only text, numbers, booleans and null are offered to the model", "give the value a type")
	var list []*value
	for _, name := range []string{"string", "number", "boolean"} {
		list = append(list, newTyped(name))
	}
	if r.profile == Gemini {
		node.set("nullable", newBoolean(true))
	} else {
		list = append(list, newTyped("null"))
	}
	node.set("anyOf", newArray(list...))
}

func newTyped(name string) *value {
	v := newObject()
	v.set("type", newString(name))
	return v
}

// isAnything reports a schema that says nothing about the value.
func isAnything(node *value) bool {
	for _, key := range []string{"type", "$ref", "anyOf", "oneOf", "enum", "const", "properties", "items"} {
		if node.get(key) != nil {
			return false
		}
	}
	return true
}

// common rewrites what the strict profile and Gemini treat alike.
func (r *renderer) common(node *value, at *location) {
	r.merge(node, at)
	if one := node.remove("oneOf"); one != nil {
		if any := node.get("anyOf"); any != nil {
			r.move(node, at, "oneOf", one, "use one anyOf")
		} else {
			node.set("anyOf", one)
		}
	}
	r.tuple(node, at)
	if node.get("type") == nil {
		r.impliedType(node)
	}
	if hasType(node, "object") {
		r.keys(node, at)
	}
	if hasType(node, "array") && (node.get("items") == nil || node.get("items").kind != typeObject) {
		items := newObject()
		node.set("items", items)
	}
}

// untangle keeps either the type or anyOf: with both, providers refuse the
// schema or ignore one.
func (r *renderer) untangle(node *value, at *location) {
	branches := node.get("anyOf")
	if branches == nil || node.get("type") == nil {
		return
	}
	if slices.ContainsFunc(branches.elems, func(b *value) bool { return b.kind != typeObject || isAnything(b) }) || node.get("properties") != nil {
		r.move(node, at, "anyOf", node.remove("anyOf"), "make each branch of anyOf a whole schema, or drop anyOf")
		return
	}
	node.remove("type")
}

// tuple turns a list of item schemas into one that allows each of them.
func (r *renderer) tuple(node *value, at *location) {
	list := node.remove("prefixItems")
	if list == nil {
		if list = node.get("items"); list == nil || list.kind != typeArray {
			return
		}
	}
	var kinds []*value
	for _, e := range list.elems {
		if !slices.ContainsFunc(kinds, func(k *value) bool { return bytes.Equal(k.appendCompact(nil), e.appendCompact(nil)) }) {
			kinds = append(kinds, e)
		}
	}
	items := newObject()
	if len(kinds) == 1 {
		items = kinds[0]
	} else if len(kinds) > 1 {
		items.set("anyOf", newArray(kinds...))
	}
	if rest := node.get("items"); isBoolean(rest, false) && node.get("maxItems") == nil {
		node.set("maxItems", newCount(len(list.elems)))
	}
	node.set("items", items)
	note(node, "The items are, in this order: "+strings.TrimPrefix(constraint("", list), " ")+".")
	r.find(at, "the order of a tuple's items is lost", "use an object with a property for each item")
}

func newCount(n int) *value {
	return &value{kind: typeInteger, raw: fmt.Appendf(nil, "%d", n)}
}

// impliedType adds the type that enum, const, properties or items imply.
func (r *renderer) impliedType(node *value) {
	var set types
	if e := node.get("enum"); e != nil {
		for _, v := range e.elems {
			set |= v.kind
		}
	} else if c := node.get("const"); c != nil {
		set = c.kind
	} else if node.get("properties") != nil {
		set = typeObject
	} else if node.get("items") != nil {
		set = typeArray
	}
	if set == typeInteger|typeFraction || set == typeFraction {
		set = typeNumber
	}
	switch names := set.names(); len(names) {
	case 0:
	case 1:
		node.set("type", newString(names[0]))
	default:
		list := newArray()
		for _, n := range names {
			list.elems = append(list.elems, newString(n))
		}
		node.set("type", list)
	}
}

func hasType(node *value, name string) bool {
	t := node.get("type")
	if t == nil {
		return false
	}
	return t.kind == typeString && t.text == name || slices.ContainsFunc(t.elems, func(e *value) bool { return e.text == name })
}

// keys reports maps, whose keys neither profile can offer to a model.
func (r *renderer) keys(node *value, at *location) {
	extra := node.get("additionalProperties")
	properties := node.get("properties")
	empty := properties == nil || len(properties.members) == 0
	free := extra == nil || extra.kind == typeObject || isBoolean(extra, true)
	switch {
	case empty && free && at.parent != nil, extra != nil && extra.kind == typeObject:
		if extra != nil && extra.kind == typeObject {
			note(node, "Values of other keys: "+strings.TrimPrefix(constraint("", extra), " ")+".")
		}
		r.find(at, "an object with free keys can't be expressed; the model can send declared keys only", "use an array of objects with a key and a value")
	}
	node.remove("additionalProperties")
	if properties == nil {
		node.set("properties", newObject())
	}
}
