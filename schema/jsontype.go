package schema

import "strings"

// types is a set of JSON types. A number is an integer or a fraction, so that
// sets can be intersected: "integer" is a part of "number".
type types uint8

const (
	typeNull types = 1 << iota
	typeBoolean
	typeInteger
	typeFraction
	typeString
	typeArray
	typeObject

	typeNumber = typeInteger | typeFraction
	typeAny    = typeNull | typeBoolean | typeNumber | typeString | typeArray | typeObject
)

// typeNames is in the order that messages list types.
var typeNames = []struct {
	name string
	set  types
}{
	{"object", typeObject},
	{"array", typeArray},
	{"string", typeString},
	{"number", typeNumber},
	{"integer", typeInteger},
	{"boolean", typeBoolean},
	{"null", typeNull},
}

// typeNamed gives the set of a type's name in a schema, or 0.
func typeNamed(name string) types {
	for _, t := range typeNames {
		if t.name == name {
			return t.set
		}
	}
	return 0
}

// names lists the set as a schema would write it.
func (t types) names() []string {
	var out []string
	for _, n := range typeNames {
		if n.set&^t == 0 {
			out = append(out, n.name)
			t &^= n.set
		}
	}
	return out
}

// String words the set for a message: "an integer or null".
func (t types) String() string {
	var words []string
	for _, n := range t.names() {
		words = append(words, withArticle(n))
	}
	return strings.Join(words, " or ")
}

// withArticle puts a or an before a type's name; null has none.
func withArticle(name string) string {
	switch name {
	case "null":
		return name
	case "object", "array", "integer":
		return "an " + name
	}
	return "a " + name
}
