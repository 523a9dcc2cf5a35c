package schema

import (
	"encoding/json"
	"strings"
)

// Coercion says that one value was read as another type.
type Coercion struct {
	Pointer string          `json:"pointer"` // RFC 6901, into the arguments
	From    json.RawMessage `json:"from"`    // always a JSON string
	To      json.RawMessage `json:"to"`
}

// Coerce reads strings as the type that the schema wants there, for callers
// whose values arrive as text: "5" is 5, "true" is true, "null" is null, and a
// string that holds a JSON array or object is that array or object. A value
// is touched only where the schema allows no string, and only when its text
// is exactly the JSON of an allowed type: "007" is never 7, and numbers keep
// all their digits. Where it is not clear which branch of a union applies,
// nothing is done.
//
// The list says what was changed, in the order of the document. The result is
// not validated; give it to Prepare. It is args itself when nothing changed.
// The error is a *SyntaxError, or a *ValidationError over a size limit.
func (s *Schema) Coerce(args []byte) (json.RawMessage, []Coercion, error) {
	v, err := parseArguments(args, s.root)
	if err != nil {
		return nil, nil, err
	}
	var c coercer
	c.coerce(v, []*shape{s.root}, &location{})
	if !v.changed {
		return v.raw, nil, nil
	}
	return v.appendJSON(nil), c.done, nil
}

type coercer struct {
	done  []Coercion
	depth int
}

func (c *coercer) coerce(v *value, shapes []*shape, at *location) {
	if len(shapes) == 0 {
		return
	}
	if c.depth++; c.depth > maxDepth { // strings in strings
		return
	}
	defer func() { c.depth-- }()
	shapes = chosen(shapes, v.kind)
	allowed := typeAny
	for _, s := range shapes {
		allowed &= s.types
	}
	if v.kind == typeString && allowed&typeString == 0 {
		c.read(v, allowed, at)
	}
	shapes = chosen(shapes, v.kind)
	for i, e := range v.elems {
		c.coerce(e, itemShapes(shapes, i), at.index(i))
		v.changed = v.changed || e.changed
	}
	for _, m := range v.members {
		c.coerce(m.value, memberShapes(shapes, m.key), at.child(m.key))
		v.changed = v.changed || m.value.changed
	}
}

// read replaces a string by what its text says, if that is an allowed type.
func (c *coercer) read(v *value, allowed types, at *location) {
	text := strings.Trim(v.text, " \t\r\n")
	if text == "" {
		return
	}
	if allowed&(typeArray|typeObject) == 0 && (text[0] == '{' || text[0] == '[') {
		return
	}
	inner, err := parse([]byte(text))
	if err != nil || inner.kind&allowed == 0 {
		return
	}
	if inner.kind&typeNumber != 0 && tooLong(text) {
		return
	}
	c.done = append(c.done, Coercion{Pointer: at.pointer(), From: v.raw, To: inner.raw})
	*v = *inner
	v.changed = true
}
