package schema

import "slices"

// The functions here build and edit parsed schemas, which are written out
// with appendCompact.

func newString(text string) *value {
	return &value{kind: typeString, text: text, raw: appendString(nil, text)}
}

func newBoolean(b bool) *value {
	if b {
		return &value{kind: typeBoolean, raw: []byte("true")}
	}
	return &value{kind: typeBoolean, raw: []byte("false")}
}

func newArray(elems ...*value) *value { return &value{kind: typeArray, elems: elems} }

func newObject() *value { return &value{kind: typeObject} }

func isBoolean(v *value, b bool) bool {
	return v != nil && v.kind == typeBoolean && (v.raw[0] == 't') == b
}

// set replaces the value of a key, or adds it at the end.
func (v *value) set(key string, to *value) {
	for i := range v.members {
		if v.members[i].key == key {
			v.members[i].value = to
			return
		}
	}
	v.members = append(v.members, member{key, to})
}

// remove takes a key out and returns its value, or nil.
func (v *value) remove(key string) *value {
	for i, m := range v.members {
		if m.key == key {
			v.members = slices.Delete(v.members, i, i+1)
			return m.value
		}
	}
	return nil
}

// clone copies v and everything in it, so that it can be edited.
func (v *value) clone() *value {
	c := *v
	c.members = slices.Clone(v.members)
	for i := range c.members {
		c.members[i].value = c.members[i].value.clone()
	}
	c.elems = slices.Clone(v.elems)
	for i := range c.elems {
		c.elems[i] = c.elems[i].clone()
	}
	return &c
}

// Keywords that hold schemas: one, a list, or a map by name.
var (
	holdOne  = []string{"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "additionalItems", "contentSchema"}
	holdList = []string{"anyOf", "oneOf", "allOf", "prefixItems", "items"}
	holdMap  = []string{"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"}
)

// subschemas calls f for each schema directly inside a schema, and puts what
// it returns in its place.
func subschemas(node *value, at *location, f func(sub *value, at *location) *value) {
	for i := range node.members {
		m := &node.members[i]
		at := at.child(m.key)
		switch {
		case m.value.kind == typeArray && slices.Contains(holdList, m.key):
			for j, e := range m.value.elems {
				m.value.elems[j] = f(e, at.index(j))
			}
		case m.value.kind == typeObject && slices.Contains(holdMap, m.key):
			for j := range m.value.members {
				named := &m.value.members[j]
				named.value = f(named.value, at.child(named.key))
			}
		case m.value.kind&(typeObject|typeBoolean) != 0 && slices.Contains(holdOne, m.key):
			m.value = f(m.value, at)
		}
	}
}
