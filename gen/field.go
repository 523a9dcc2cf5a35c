package gen

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// field is a key of an object: a field of a struct, or a parameter of a function.
type field struct {
	name string // in Go
	key  string // in JSON
	typ  types.Type
	tag  reflect.StructTag
	pos  token.Position
	what string // for errors: "parameter limit"

	path []step // to a field from the struct that embeds it
}

// step is a field on the way to another.
type step struct {
	name    string
	pointer types.Type // what an embedded pointer points to, and nil for others
}

// fields lists what encoding/json fills of a struct, as package schema does. name
// is for errors.
func (p *program) fields(s *types.Struct, name string) []field {
	list := p.collect(s, name, nil, nil)
	for i, f := range list {
		for _, other := range list[:i] {
			switch {
			case f.key == other.key:
				p.problemAt(f.pos, "%s and %s have the same key %q: give them different json names", f.what, other.what, f.key)
			case strings.EqualFold(f.key, other.key):
				p.problemAt(f.pos, "%s: its key %q and %q differ in letter case only, which encoding/json does not tell apart: rename one", f.what, f.key, other.key)
			}
		}
	}
	return list
}

func (p *program) collect(s *types.Struct, name string, path []step, within []*types.Struct) []field {
	if slices.Contains(within, s) {
		return nil // the compiler, or encoding/json, has no value of it either
	}
	within = append(within, s)
	var list []field
	for i := range s.NumFields() {
		v := s.Field(i)
		tag := reflect.StructTag(s.Tag(i))
		key, _, _ := strings.Cut(tag.Get("json"), ",")
		if tag.Get("json") == "-" || tag.Get("jsonschema") == "-" && !v.Embedded() {
			continue
		}
		here := append(slices.Clone(path), step{name: v.Name()})
		if inner := embedded(v, key); inner != nil {
			if ptr, ok := types.Unalias(v.Type()).(*types.Pointer); ok {
				if !v.Exported() {
					p.problemAt(p.position(v.Pos()), "field %s.%s: encoding/json can't fill an embedded pointer to an unexported struct: embed the struct itself", name, v.Name())
					continue
				}
				here[len(here)-1].pointer = ptr.Elem()
			}
			list = append(list, p.collect(inner, name+"."+v.Name(), here, within)...)
			continue
		}
		if !v.Exported() {
			continue
		}
		f := field{name: v.Name(), key: key, typ: v.Type(), tag: tag, pos: p.position(v.Pos()), what: "field " + name + "." + v.Name(), path: here}
		if key == "" {
			f.key = v.Name()
		}
		f.annotate(p.fieldComment(v))
		list = append(list, f)
	}
	return list
}

// embedded returns the struct whose fields are taken over, or nil.
func embedded(v *types.Var, key string) *types.Struct {
	if !v.Embedded() || key != "" {
		return nil
	}
	t := types.Unalias(v.Type())
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	s, _ := t.Underlying().(*types.Struct)
	return s
}

var tellsDescription = regexp.MustCompile(`(^|,)description=`)
var tellsDefault = regexp.MustCompile(`(^|,)default=`)

// annotate gives a field the description and the default in a comment, where its
// tags say none. Package schema reads them from tags, so they are written as tags.
func (f *field) annotate(text string) {
	said := f.tag.Get("jsonschema")
	description, value, hasDefault := cutDefault(text)
	if hasDefault && !tellsDefault.MatchString(said) {
		if said != "" {
			said += ","
		}
		said += "default=" + f.literal(value)
	}
	front := ""
	if said != f.tag.Get("jsonschema") {
		front += "jsonschema:" + strconv.Quote(said) + " "
	}
	_, told := f.tag.Lookup("jsonschema_description")
	if description != "" && !told && !tellsDescription.MatchString(said) {
		front += "jsonschema_description:" + strconv.Quote(description) + " "
	}
	f.tag = reflect.StructTag(front) + f.tag
}

// literal writes a default of a comment as a tag wants it: text needs no quotes, a
// duration is a number of nanoseconds, and a comma has a backslash.
func (f *field) literal(value string) string {
	t := types.Unalias(f.typ)
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	if isNamed(t, "time", "Duration") {
		value = nanoseconds(value)
	}
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		if text, err := strconv.Unquote(value); err == nil {
			value = text
		}
	}
	return strings.ReplaceAll(value, ",", `\,`)
}

// property returns the tag of the field when it is the only one of a struct and
// called f.
func (f *field) property() reflect.StructTag {
	_, options, _ := strings.Cut(f.tag.Get("json"), ",")
	return reflect.StructTag(fmt.Sprintf(`json:"f,%s" `, options)) + f.tag
}
