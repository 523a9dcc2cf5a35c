package gen

import (
	"encoding/json"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/tools/go/types/typeutil"
)

// describer makes the schema of one tool's arguments. What package schema does with
// definitions it does too: a struct stands where it is used, and under $defs if it
// is used twice or holds itself.
type describer struct {
	*program
	uses  typeutil.Map // int
	names typeutil.Map // string
	taken map[string]bool
	defs  map[string]json.RawMessage
	begun map[string]bool
}

// describe returns the schema of an object with these fields.
func (p *program) describe(fields []field) json.RawMessage {
	d := &describer{program: p, taken: map[string]bool{}, defs: map[string]json.RawMessage{}, begun: map[string]bool{}}
	for _, f := range fields {
		d.count(f.typ, nil)
	}
	root := node{{"type", text("object")}}
	root = append(root, d.object(fields)...)
	if len(d.defs) > 0 {
		var defs node
		for _, name := range slices.Sorted(maps.Keys(d.defs)) {
			defs = append(defs, member{name, d.defs[name]})
		}
		root = append(root, member{"$defs", defs.json()})
	}
	return root.json()
}

// count names the types in the order in which they are met, and counts the uses of
// structs.
func (d *describer) count(t types.Type, within []types.Type) {
	t = types.Unalias(t)
	form, err := d.form(t)
	if err != nil || slices.ContainsFunc(within, func(w types.Type) bool { return types.Identical(w, t) }) && form != formStruct {
		return
	}
	d.name(t)
	switch form {
	case formStruct:
		uses, _ := d.uses.At(t).(int)
		d.uses.Set(t, uses+1)
		if uses == 0 {
			for _, f := range d.structFields(t) {
				d.count(f.typ, append(within, t))
			}
		}
	case formSet:
		d.count(setElem(t), append(within, t))
	case formSlice, formMap, formPtr:
		d.count(elem(t), append(within, t))
	}
}

func (d *describer) structFields(t types.Type) []field {
	s, _ := t.Underlying().(*types.Struct)
	name := "struct"
	if _, named := t.(*types.Named); named {
		name = short(t)
	}
	return d.fields(s, name)
}

// name gives each named type a key of its own under $defs.
func (d *describer) name(t types.Type) string {
	named, ok := t.(*types.Named)
	if !ok {
		return ""
	}
	if name, ok := d.names.At(t).(string); ok {
		return name
	}
	base := plainName(types.TypeString(named, func(p *types.Package) string { return p.Path() }))
	name := base
	for i := 2; d.taken[name]; i++ {
		name = base + strconv.Itoa(i)
	}
	d.taken[name] = true
	d.names.Set(t, name)
	return name
}

// plainName makes Pair_int_Item of example.com/shop.Pair[int,example.com/shop.Item].
func plainName(name string) string {
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '[' || r == ']' || r == ',' || r == ' ' || r == '*' })
	for i, part := range parts {
		part = part[strings.LastIndexAny(part, "/.")+1:]
		parts[i] = strings.Map(func(r rune) rune {
			if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, part)
	}
	return strings.Join(parts, "_")
}

// isReference reports that t stands under $defs.
func (d *describer) isReference(t types.Type) bool {
	if _, named := t.(*types.Named); !named {
		return false
	}
	if uses, _ := d.uses.At(t).(int); uses > 1 {
		return true
	}
	return d.reaches(t, t, &typeutil.Map{})
}

// reaches reports that from leads to a use of to.
func (d *describer) reaches(from, to types.Type, seen *typeutil.Map) bool {
	from = types.Unalias(from)
	form, err := d.form(from)
	if err != nil || seen.At(from) != nil {
		return false
	}
	seen.Set(from, true)
	var next []types.Type
	switch form {
	case formStruct:
		for _, f := range d.structFields(from) {
			next = append(next, f.typ)
		}
	case formSet:
		next = append(next, setElem(from))
	case formSlice, formMap, formPtr:
		next = append(next, elem(from))
	}
	return slices.ContainsFunc(next, func(t types.Type) bool {
		return types.Identical(types.Unalias(t), to) || d.reaches(t, to, seen)
	})
}

// object returns what a schema says of an object with these fields.
func (d *describer) object(fields []field) node {
	var properties node
	var required []json.RawMessage
	for _, f := range fields {
		schema, must, err := d.infer(f)
		if err == nil {
			schema, err = d.fill(schema, f.typ)
		}
		if err != nil {
			d.problemAt(f.pos, "%s: %v", f.what, err)
			continue
		}
		properties = append(properties, member{f.key, schema.json()})
		if must {
			required = append(required, text(f.key))
		}
	}
	n := node{{"properties", properties.json()}}
	if len(required) > 0 {
		list, _ := json.Marshal(required) // of raw JSON
		n = append(n, member{"required", list})
	}
	return append(n, member{"additionalProperties", json.RawMessage("false")})
}

// head are the keywords that come first in a schema; see package schema.
var head = []string{"$ref", "type", "title", "description", "format", "enum", "const"}

// fill puts into a schema that was inferred from a stand-in what only the source
// knows: the fields of structs, the values of enumerations, schemas in comments.
func (d *describer) fill(n node, t types.Type) (node, error) {
	t = types.Unalias(t)
	form, err := d.form(t)
	if err != nil {
		return nil, err
	}
	switch form {
	case formPtr:
		return d.fill(n, elem(t))
	case formJSON:
		if named, ok := t.(*types.Named); ok && d.ownSchema(named) != nil {
			return beside(d.ownSchema(named), n), nil
		}
	case formBasic:
		if values := d.enum(t); len(values) > 1 && n.get("enum") == nil {
			list, _ := json.Marshal(values) // strings
			return n.insert(head, member{"enum", list}), nil
		}
	case formStruct:
		if d.isReference(t) {
			return d.reference(n, t), nil
		}
		n = n.without("properties", "required", "additionalProperties")
		return n.insert(head, d.object(d.structFields(t))...), nil
	case formSet:
		n, err := d.fillInside(n, "items", setElem(t))
		return n.insert(append(slices.Clone(head), "items", "maxItems", "minItems"), member{"uniqueItems", json.RawMessage("true")}), err
	case formSlice:
		if d.isReference(t) {
			return d.reference(n, t), nil
		}
		return d.fillInside(n, "items", elem(t))
	case formMap:
		if d.isReference(t) {
			return d.reference(n, t), nil
		}
		return d.fillInside(n, "additionalProperties", elem(t))
	}
	return n, nil
}

// fillInside fills the schema of the elements, if there is one: of any there may be
// none.
func (d *describer) fillInside(n node, key string, elem types.Type) (node, error) {
	inside := n.get(key)
	if inside == nil {
		return n, nil
	}
	inner, err := parseNode(inside)
	if err == nil {
		inner, err = d.fill(inner, elem)
	}
	if err != nil {
		return nil, err
	}
	return slices.Clone(n).set(key, inner.json()), nil
}

// reference puts a type that is used elsewhere too under $defs.
func (d *describer) reference(n node, t types.Type) node {
	name := d.name(t)
	if !d.begun[name] {
		d.begun[name] = true
		if def, err := d.definition(t); err == nil {
			d.defs[name] = def.json()
		}
	}
	n = n.without("type", "properties", "required", "additionalProperties", "items")
	return slices.Insert(n, 0, member{"$ref", text("#/$defs/" + name)})
}

func (d *describer) definition(t types.Type) (node, error) {
	if _, ok := t.Underlying().(*types.Struct); ok {
		return append(node{{"type", text("object")}}, d.object(d.structFields(t))...), nil
	}
	f := field{key: "f", typ: types.NewSlice(elem(t)), what: "type " + short(t)}
	of := "items"
	if m, ok := t.Underlying().(*types.Map); ok {
		f.typ, of = types.NewMap(m.Key(), m.Elem()), "additionalProperties"
	} else if a, ok := t.Underlying().(*types.Array); ok {
		f.typ = types.NewArray(a.Elem(), a.Len())
	}
	n, _, err := d.infer(f)
	if err != nil {
		return nil, fmt.Errorf("type %s: %w", short(t), err)
	}
	return d.fillInside(n, of, elem(t))
}

// beside adds to a schema what a field says of it; the field wins.
func beside(schema, said node) node {
	out := slices.Clone(schema)
	for _, m := range said {
		if m.key == "description" && string(m.value) == `"Any JSON value."` {
			continue // that is what the stand-in is
		}
		out = out.set(m.key, m.value)
	}
	slices.SortStableFunc(out, func(a, b member) int { return rank(a.key) - rank(b.key) })
	return out
}

func rank(key string) int {
	if i := slices.Index(head, key); i >= 0 {
		return i
	}
	return len(head)
}
