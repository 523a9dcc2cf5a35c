package schema

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"helve/internal/nearest"
)

// translator turns the full validator's tree of errors into violations.
type translator struct {
	report
	doc      *value          // the schema, to look up declared keys; may be nil
	instance *value          // what was validated; may be nil
	named    map[string]bool // pointers of the keys that propertyNames refused
}

// validate runs the full validator over v.
func (t *translator) validate(full *jsonschema.Schema, v *value) {
	t.instance, t.named = v, make(map[string]bool)
	err := full.Validate(v.plain())
	if err == nil {
		return
	}
	var verr *jsonschema.ValidationError
	if !errors.As(err, &verr) {
		t.report.add(&location{}, "schema", "can't be checked: %v", err)
		return
	}
	t.add(verr)
}

func (t *translator) add(e *jsonschema.ValidationError) {
	t.list = append(t.list, t.violations(e)...)
}

func (t *translator) violations(e *jsonschema.ValidationError) []Violation {
	at := locate(e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		var out []Violation
		for _, c := range e.Causes {
			out = append(out, t.violations(c)...)
		}
		return out
	case *kind.AnyOf:
		return t.noBranch("anyOf", at, e.Causes)
	case *kind.OneOf:
		if len(k.Subschemas) > 0 {
			return one(at, "oneOf", "matches more than one of the forms of which exactly one is allowed")
		}
		return t.noBranch("oneOf", at, e.Causes)
	case *kind.Required:
		var out []Violation
		for _, name := range k.Missing {
			out = append(out, one(at.child(name), "required", "is required")...)
		}
		return out
	case *kind.AdditionalProperties:
		declared := t.declared(e.SchemaURL)
		var out []Violation
		for _, name := range k.Properties {
			out = append(out, one(at.child(name), "additionalProperties", unknownKey(name, nearest.Name(name, declared)))...)
		}
		return out
	case *kind.DependentRequired:
		return dependents(at, k.Prop, k.Missing)
	case *kind.Dependency:
		return dependents(at, k.Prop, k.Missing)
	case *kind.PropertyNames:
		return one(t.locateKey(at, len(e.InstanceLocation), k.Property), "propertyNames", "is not an allowed key")
	}
	keyword, text := describe(e.ErrorKind)
	return one(at, keyword, text)
}

func one(at *location, keyword, text string) []Violation {
	return []Violation{{Pointer: at.pointer(), Keyword: keyword, Message: text}}
}

func locate(tokens []string) *location {
	at := &location{}
	for _, token := range tokens {
		at = at.child(token)
	}
	return at
}

// locateKey finds a key that propertyNames refused. The validator shares the
// memory of these locations with those of later values, so that only the
// depth can be relied on (santhosh-tekuri/jsonschema v6.0.3).
func (t *translator) locateKey(at *location, depth int, key string) *location {
	var find func(v *value, at *location, depth int) *location
	find = func(v *value, at *location, depth int) *location {
		if child := at.child(key); depth == 0 && v.get(key) != nil && !t.named[child.pointer()] {
			return child
		}
		if depth == 0 {
			return nil
		}
		for i, e := range v.elems {
			if found := find(e, at.index(i), depth-1); found != nil {
				return found
			}
		}
		for _, m := range v.members {
			if found := find(m.value, at.child(m.key), depth-1); found != nil {
				return found
			}
		}
		return nil
	}
	found := at.child(key)
	if t.instance != nil && len(t.named) < maxViolations {
		if f := find(t.instance, &location{}, depth); f != nil {
			found = f
		}
	}
	if t.named != nil {
		t.named[found.pointer()] = true
	}
	return found
}

func unknownKey(name, like string) string {
	text := "unknown key " + strconv.Quote(shorten(name))
	if like != "" {
		text += "; did you mean " + strconv.Quote(like) + "?"
	}
	return text
}

func dependents(at *location, prop string, missing []string) []Violation {
	var out []Violation
	for _, name := range missing {
		out = append(out, one(at.child(name), "dependentRequired", "is required when "+strconv.Quote(shorten(prop))+" is given")...)
	}
	return out
}

// declared lists the property names of the schema at url.
func (t *translator) declared(url string) []string {
	fragment, local := strings.CutPrefix(url, baseURL)
	if t.doc == nil || !local {
		return nil
	}
	node, _ := resolve(t.doc, fragment)
	if node == nil || node.get("properties") == nil {
		return nil
	}
	var names []string
	for _, m := range node.get("properties").members {
		names = append(names, m.key)
	}
	return names
}

// noBranch says why no branch of an anyOf or oneOf fits. When all but one
// refuse the value's very type, the one that doesn't was meant, and its
// violations are the useful answer.
func (t *translator) noBranch(keyword string, at *location, branches []*jsonschema.ValidationError) []Violation {
	var want types
	var got string
	var meant [][]Violation
	for _, b := range branches {
		if k := typeMismatch(b, at); k != nil {
			for _, name := range k.Want {
				want |= typeNamed(name)
			}
			got = k.Got
			continue
		}
		meant = append(meant, t.violations(b))
	}
	switch meant = discriminate(meant, at); len(meant) {
	case 0:
		if got == "" {
			return one(at, keyword, "matches none of the allowed forms")
		}
		return one(at, "type", fmt.Sprintf("must be %s, got %s", want, withArticle(got)))
	case 1:
		return meant[0]
	}
	var forms []string
	for i, m := range meant {
		var parts []string
		sortViolations(m)
		for _, v := range m[:min(len(m), 3)] {
			v.Pointer = strings.TrimPrefix(v.Pointer, at.pointer())
			parts = append(parts, v.String())
		}
		if forms = append(forms, strings.Join(parts, " and ")); i == 7 {
			break
		}
	}
	slices.Sort(forms)
	return one(at, keyword, "matches none of the allowed forms: "+strings.Join(slices.Compact(forms), "; or: "))
}

// discriminate drops the branches that a fixed key of the object, such as
// "kind", says are not meant, if a single one is left then.
func discriminate(branches [][]Violation, at *location) [][]Violation {
	var left [][]Violation
	for _, b := range branches {
		if !slices.ContainsFunc(b, func(v Violation) bool {
			return (v.Keyword == "const" || v.Keyword == "enum") && strings.Count(v.Pointer, "/") == strings.Count(at.pointer(), "/")+1
		}) {
			left = append(left, b)
		}
	}
	if len(left) == 1 {
		return left
	}
	return branches
}

// typeMismatch returns the error of a branch that refuses the type of the
// value itself, not of something inside it.
func typeMismatch(e *jsonschema.ValidationError, at *location) *kind.Type {
	for {
		switch k := e.ErrorKind.(type) {
		case *kind.Type:
			if locate(e.InstanceLocation).pointer() == at.pointer() {
				return k
			}
			return nil
		case *kind.Reference, *kind.Group, *kind.AllOf:
			if len(e.Causes) != 1 {
				return nil
			}
			e = e.Causes[0]
		default:
			return nil
		}
	}
}
