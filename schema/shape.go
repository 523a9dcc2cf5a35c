package schema

import (
	"regexp"
	"strconv"
)

// shape is one schema as helve itself understands it: references resolved,
// keywords decoded. It knows enough to accept the common valid document, to
// apply defaults and to coerce; it never decides that a document is wrong.
// Shapes of recursive schemas point back to themselves.
type shape struct {
	node *value // the schema's own JSON

	// exact says that the fields hold all that the schema demands. The
	// acceptor leaves other schemas to the full validator.
	exact bool

	types types
	enum  [][]byte // canonical JSON; nil allows all

	bounds []bound

	minLength, maxLength int // in runes; maxLength -1 is none
	pattern              *regexp.Regexp

	minItems, maxItems int // maxItems -1 is none
	items              *shape
	prefix             []*shape

	props    []prop
	required uint64 // bit i is props[i]; the acceptor knows no more than 64
	watched  uint64 // those that are required or have a default
	others   others
	extra    *shape // of undeclared keys when others is othersChecked

	ref      *shape
	all      []*shape   // allOf
	branches []*shape   // of anyOf, oneOf, if, then, else, dependentSchemas: one may apply
	union    [][]*shape // each anyOf and oneOf

	fallback *value // the default, with the defaults inside it filled in

	at                *location // of node in the document
	settling, settled bool
	filling, filled   bool
}

// prop is one declared property.
type prop struct {
	name   string
	folded string
	shape  *shape
	member []byte // `"name":default`; nil without a default
}

// others says what becomes of undeclared keys.
type others uint8

const (
	othersFree    others = iota // anything goes
	othersChecked               // by extra
	othersRefused
	othersUnknown // patternProperties and the like decide
)

// shapeMaker turns the nodes of one document into shapes.
type shapeMaker struct {
	doc    *value
	draft  int  // 4, 6, 7, 2019, 2020
	opaque bool // an $id below the root: local references may mean something else
	made   map[*value]*shape
	list   []*shape // made, in order
}

func newShapeMaker(doc *value, draft int) *shapeMaker {
	return &shapeMaker{doc: doc, draft: draft, opaque: hasInnerID(doc, true), made: make(map[*value]*shape)}
}

// root makes the shapes of the whole document.
func (m *shapeMaker) root() *shape {
	root := m.shape(m.doc, &location{})
	for _, s := range m.list {
		s.settle()
	}
	return root
}

func (m *shapeMaker) shape(node *value, at *location) *shape {
	if s, ok := m.made[node]; ok {
		return s
	}
	s := &shape{node: node, at: at, exact: true, types: typeAny, maxLength: -1, maxItems: -1}
	m.made[node] = s
	m.list = append(m.list, s)
	if node.kind != typeObject {
		if string(node.raw) != "true" {
			s.exact, s.types = false, 0
		}
		return s
	}
	if ref := node.get("$ref"); ref != nil && m.draft < 2019 { // a $ref hid its siblings
		m.reference(s, ref)
		return s
	}
	for _, k := range node.members {
		m.keyword(s, k.key, k.value)
	}
	if s.others == othersChecked && node.get("patternProperties") != nil {
		s.others = othersUnknown
	}
	s.markRequired()
	if s.ref != nil && !onlyReference(node) {
		s.exact = false
	}
	return s
}

func (m *shapeMaker) shapes(list *value, at *location) []*shape {
	var out []*shape
	for i, e := range list.elems {
		out = append(out, m.shape(e, at.index(i)))
	}
	return out
}

func (m *shapeMaker) keyword(s *shape, key string, v *value) {
	at := s.at.child(key)
	switch key {
	case "type":
		s.types &= declaredTypes(v)
	case "enum", "const":
		if key == "enum" || m.draft >= 6 {
			s.allow(key, v)
		}
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		s.limit(key, v)
	case "minLength":
		s.minLength = s.count(v)
	case "maxLength":
		s.maxLength = s.count(v)
	case "minItems":
		s.minItems = s.count(v)
	case "maxItems":
		s.maxItems = s.count(v)
	case "pattern":
		var err error
		if s.pattern, err = regexp.Compile(v.text); err != nil {
			s.exact = false
		}
	case "items":
		if v.kind == typeArray { // before draft 2020-12
			s.prefix, s.exact = m.shapes(v, at), false
			return
		}
		s.items = m.shape(v, at)
	case "prefixItems":
		if m.draft >= 2020 {
			s.prefix = m.shapes(v, at)
		}
	case "properties":
		for _, p := range v.members {
			s.props = append(s.props, prop{name: p.key, folded: foldKey(p.key), shape: m.shape(p.value, at.child(p.key))})
		}
	case "additionalProperties":
		m.additional(s, v)
	case "$ref":
		m.reference(s, v)
	case "allOf":
		s.exact = false
		s.all = append(s.all, m.shapes(v, at)...)
	case "anyOf", "oneOf":
		s.exact = false
		list := m.shapes(v, at)
		s.branches = append(s.branches, list...)
		s.union = append(s.union, list)
	case "if", "then", "else":
		s.exact = false
		s.branches = append(s.branches, m.shape(v, at))
	case "dependentSchemas":
		s.exact = false
		for _, d := range v.members {
			s.branches = append(s.branches, m.shape(d.value, at.child(d.key)))
		}
	case "patternProperties", "unevaluatedProperties", "propertyNames":
		s.exact = false
		if s.others != othersRefused {
			s.others = othersUnknown
		}
	case "multipleOf", "uniqueItems", "contains", "minContains", "maxContains", "additionalItems", "unevaluatedItems",
		"not", "dependentRequired", "dependencies", "minProperties", "maxProperties",
		"format", "contentEncoding", "contentMediaType", "contentSchema",
		"$dynamicRef", "$recursiveRef", "$dynamicAnchor", "$recursiveAnchor":
		s.exact = false
	}
}

func declaredTypes(v *value) types {
	if v.kind == typeString {
		return typeNamed(v.text)
	}
	var set types
	for _, e := range v.elems {
		set |= typeNamed(e.text)
	}
	return set
}

func (s *shape) count(v *value) int {
	n, err := strconv.Atoi(string(v.raw))
	if err != nil {
		s.exact = false
	}
	return n
}

// allow records an enum or a const.
func (s *shape) allow(key string, v *value) {
	list := v.elems
	if key == "const" {
		list = []*value{v}
	}
	if s.enum != nil {
		s.exact = false // both keywords; rare
	}
	s.enum = [][]byte{}
	var set types
	for _, e := range list {
		s.enum = append(s.enum, e.appendCompact(nil))
		set |= e.kind
	}
	s.types &= set
}

func (s *shape) limit(key string, v *value) {
	b, ok := newBound(key, v)
	if !ok {
		s.exact = false
		return
	}
	s.bounds = append(s.bounds, b)
}

func (s *shape) markRequired() {
	if len(s.props) > 64 {
		s.exact = false
	}
	list := s.node.get("required")
	if list == nil {
		return
	}
	for _, e := range list.elems {
		i := s.find(e.text)
		if i < 0 {
			s.exact = false // required but not declared
			continue
		}
		if i < 64 {
			s.required |= 1 << i
			s.watched |= 1 << i
		}
	}
}

func (s *shape) find(name string) int {
	for i := range s.props {
		if s.props[i].name == name {
			return i
		}
	}
	return -1
}

func (m *shapeMaker) additional(s *shape, v *value) {
	switch {
	case v.kind == typeBoolean && string(v.raw) == "false":
		s.others = othersRefused
	case v.kind == typeBoolean:
	case s.others == othersFree:
		s.others, s.extra = othersChecked, m.shape(v, s.at.child("additionalProperties"))
	}
}
