package schema

import "encoding/json"

// Property describes one value for people and programs that fill it in: a
// command line, a form, the offline model. It is a view for reading; the
// whole truth is in JSON.
type Property struct {
	Name        string // key in its object; empty for the root and for items
	Type        string // JSON type; of several, the first that isn't null; "" when anything goes
	Nullable    bool   // null is allowed besides Type
	Title       string
	Description string
	Format      string
	Required    bool
	Enum        []json.RawMessage // allowed values, const included; nil when there is no such list
	Default     json.RawMessage   // nil without one
	Examples    []json.RawMessage

	shape *shape
}

// Root describes the document as a whole.
func (s *Schema) Root() Property { return newProperty("", s.root, false) }

// Properties describes the keys of the root object, in the schema's order,
// with references resolved. It is short for s.Root().Properties().
func (s *Schema) Properties() []Property { return s.Root().Properties() }

// Properties describes the declared keys of an object, in the schema's order;
// for other types it is empty. A recursive schema can be walked without end.
func (p Property) Properties() []Property {
	var out []Property
	seen := make(map[string]bool)
	shapes := chosen([]*shape{p.shape}, typeObject)
	for _, s := range shapes {
		for _, member := range s.props {
			if seen[member.name] {
				continue
			}
			seen[member.name] = true
			out = append(out, newProperty(member.name, member.shape, requires(shapes, member.name)))
		}
	}
	return out
}

// Items describes the elements of an array. It reports false for other types
// and for arrays of anything.
func (p Property) Items() (Property, bool) {
	for _, s := range chosen([]*shape{p.shape}, typeArray) {
		if s.items != nil {
			return newProperty("", s.items, false), true
		}
	}
	return Property{}, false
}

// Allows reports whether a value of a JSON type may stand here, as a schema names
// types; in a union any branch may allow it. A number may stand where only
// integers do, for 5.0 is one. A zero Property allows everything.
func (p Property) Allows(jsonType string) bool {
	return p.shape == nil || p.shape.types&typeNamed(jsonType) != 0
}

func newProperty(name string, s *shape, required bool) Property {
	p := Property{Name: name, Required: required, shape: s}
	shapes := chosen([]*shape{s}, s.types&^typeNull)
	if set := s.types; set != typeAny {
		p.Nullable = set&typeNull != 0
		if names := (set &^ typeNull).names(); len(names) > 0 {
			p.Type = names[0]
		} else if p.Nullable {
			p.Type = "null"
		}
	}
	for _, s := range shapes {
		if s.node.kind == typeObject {
			p.read(s)
		}
	}
	if d := s.fallbackValue(); d != nil {
		p.Default = d.appendCompact(nil)
	}
	return p
}

// read takes over what is not known yet: what stands beside a $ref goes
// before what it refers to.
func (p *Property) read(s *shape) {
	text := func(have *string, key string) {
		if v := s.node.get(key); *have == "" && v != nil {
			*have = v.text
		}
	}
	text(&p.Title, "title")
	text(&p.Description, "description")
	text(&p.Format, "format")
	if p.Enum == nil {
		for _, token := range s.enum {
			p.Enum = append(p.Enum, token)
		}
	}
	if v := s.node.get("examples"); v != nil && p.Examples == nil {
		for _, e := range v.elems {
			p.Examples = append(p.Examples, e.raw)
		}
	}
}
