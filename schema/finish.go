package schema

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

const definitionsPrefix = "#/$defs/"

// finisher turns what the inference library made into what models and
// providers take.
type finisher struct {
	names *namer
	defs  map[string]*value
	order []string // of defs, as the library wrote them
}

// finish makes doc, a reference into its $defs, a schema in its own right.
func finish(doc *value, names *namer) (*value, error) {
	f := finisher{names: names, defs: make(map[string]*value)}
	doc.remove("$schema")
	if defs := doc.remove("$defs"); defs != nil {
		for _, m := range defs.members {
			f.defs[m.key] = m.value
			f.order = append(f.order, m.key)
		}
	}
	for _, name := range f.order {
		f.defs[name] = f.inline(f.defs[name], f.unstructured)
	}
	doc = f.inline(doc, f.unstructured)
	for _, name := range f.order {
		if t := f.names.types[name]; t != nil && isStruct(t) {
			if err := f.fields(f.defs[name], t); err != nil {
				return nil, err
			}
		}
	}
	if ref := doc.get("$ref"); ref != nil {
		doc = f.defs[strings.TrimPrefix(ref.text, definitionsPrefix)].clone()
	}
	uses := f.countUses(doc)
	single := func(name string) bool { return uses[name] == 1 || f.anonymous(name) }
	doc = f.inline(doc, single)
	f.attach(doc, single)
	tidy(doc)
	if t := doc.get("type"); t != nil && t.text == "object" && doc.get("properties") == nil {
		doc.set("properties", newObject())
	}
	return doc, nil
}

// isStruct reports that the library described t by its fields.
func isStruct(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && !describesItself(t) && t != timeType && !isText(t)
}

// unstructured are definitions of named slices, maps and types with their own
// schema: they stand in the place of their use, unless they are recursive.
func (f *finisher) unstructured(name string) bool {
	t := f.names.types[name]
	return t != nil && !isStruct(t)
}

func (f *finisher) anonymous(name string) bool {
	t := f.names.types[name]
	return t != nil && t.Name() == ""
}

// inline replaces references to the chosen definitions by the definitions. Of
// recursive ones the reference stays.
func (f *finisher) inline(node *value, chosen func(name string) bool) *value {
	var within []string
	var walk func(node *value, at *location) *value
	walk = func(node *value, at *location) *value {
		name, ok := reference(node)
		def := f.defs[name]
		if !ok || def == nil || !chosen(name) || slices.Contains(within, name) || f.recursive(name) {
			subschemas(node, at, walk)
			return node
		}
		out := def.clone()
		for _, m := range node.members { // what stands beside the reference wins
			if m.key != "$ref" {
				out.set(m.key, m.value)
			}
		}
		within = append(within, name)
		subschemas(out, at, walk)
		within = within[:len(within)-1]
		return out
	}
	return walk(node, &location{})
}

func reference(node *value) (name string, ok bool) {
	ref := node.get("$ref")
	if ref == nil {
		return "", false
	}
	return strings.CutPrefix(ref.text, definitionsPrefix)
}

// recursive reports that a definition leads back to itself.
func (f *finisher) recursive(name string) bool {
	seen := make(map[string]bool)
	var reaches func(node *value) bool
	reaches = func(node *value) bool {
		found := false
		if next, ok := reference(node); ok {
			if next == name {
				return true
			}
			if def := f.defs[next]; def != nil && !seen[next] {
				seen[next] = true
				found = reaches(def)
			}
		}
		subschemas(node, &location{}, func(sub *value, _ *location) *value {
			found = found || reaches(sub)
			return sub
		})
		return found
	}
	def := f.defs[name]
	return def != nil && reaches(def)
}

// countUses counts the references to each definition that can be reached.
func (f *finisher) countUses(doc *value) map[string]int {
	uses := make(map[string]int)
	var count func(node *value, at *location) *value
	count = func(node *value, at *location) *value {
		if name, ok := reference(node); ok {
			if uses[name]++; uses[name] == 1 && f.defs[name] != nil {
				count(f.defs[name], at)
			}
		}
		subschemas(node, at, count)
		return node
	}
	count(doc, &location{})
	return uses
}

// attach puts the definitions that are still referred to under $defs.
func (f *finisher) attach(doc *value, single func(string) bool) {
	for _, name := range f.order {
		f.defs[name] = f.inline(f.defs[name], single)
	}
	uses := f.countUses(doc)
	defs := newObject()
	for _, name := range f.order {
		if uses[name] > 0 {
			defs.set(name, f.defs[name].clone())
		}
	}
	if len(defs.members) > 0 {
		doc.set("$defs", defs)
	}
}

// fields rewrites a struct's properties by what its tags say.
func (f *finisher) fields(def *value, t reflect.Type) error {
	fields, err := fieldsOf(t, t.String())
	if err != nil {
		return err
	}
	var library []string
	if list := def.remove("required"); list != nil {
		for _, e := range list.elems {
			library = append(library, e.text)
		}
	}
	properties, required := newObject(), newArray()
	given := def.get("properties")
	if given == nil {
		given = newObject()
	}
	for _, fd := range fields {
		p := given.remove(fd.key)
		if p == nil {
			return fmt.Errorf("field %s is not in the inferred schema; give it an ordinary `json` name", fd.Name)
		}
		tag, err := readTag(fd, t.String()+"."+fd.Name)
		if err != nil {
			return err
		}
		if p, err = tag.apply(p, fd); err != nil {
			return err
		}
		properties.set(fd.key, p)
		optional := fd.Type.Kind() == reflect.Pointer || p.get("default") != nil
		if tag.required || slices.Contains(library, fd.key) && !optional {
			required.elems = append(required.elems, newString(fd.key))
		}
	}
	for _, m := range given.members { // added by JSONSchemaExtend
		if t.Implements(extendMethod) {
			properties.set(m.key, m.value)
			if slices.Contains(library, m.key) {
				required.elems = append(required.elems, newString(m.key))
			}
		}
	}
	def.set("properties", properties)
	if len(required.elems) > 0 {
		def.set("required", required)
	}
	return nil
}

// apply sets a tag's keywords on a field's schema.
func (t tag) apply(p *value, f field) (*value, error) {
	if p.kind == typeBoolean {
		p = newObject()
	}
	for _, k := range t.keywords {
		target := p
		if k.ofItems {
			if target = p.get("items"); target == nil || target.kind != typeObject {
				return nil, fmt.Errorf("field %s: %s can't be set on its items; set it on the element type", f.Name, k.name)
			}
		}
		target.set(k.name, k.value)
	}
	if ft := f.Type; ft == durationType || ft.Kind() == reflect.Pointer && ft.Elem() == durationType {
		text := "Duration " + nanoseconds + "."
		if d := p.get("description"); d != nil && d.text != "" {
			text = d.text + " (" + nanoseconds + ")"
		}
		p.set("description", newString(text))
	}
	return p, nil
}

// keywordOrder puts first what a reader wants to know first.
var keywordOrder = []string{"$ref", "type", "title", "description", "format", "enum", "const", "properties", "required", "additionalProperties", "items"}

// tidy gives bare "true" schemas a form that every provider takes, and orders
// the keywords.
func tidy(doc *value) {
	var walk func(node *value, at *location) *value
	walk = func(node *value, at *location) *value {
		if isBoolean(node, true) {
			node = newObject()
		}
		if node.kind != typeObject {
			return node
		}
		if d := node.get("description"); d != nil && d.text == "" {
			node.remove("description")
		}
		if len(node.members) == 0 {
			node.set("description", newString("Any JSON value."))
		}
		slices.SortStableFunc(node.members, func(a, b member) int { return cmp.Compare(keywordRank(a.key), keywordRank(b.key)) })
		subschemas(node, at, walk)
		return node
	}
	walk(doc, &location{})
}

func keywordRank(key string) int {
	if i := slices.Index(keywordOrder, key); i >= 0 {
		return i
	}
	if key == "$defs" {
		return len(keywordOrder) + 1
	}
	return len(keywordOrder)
}
