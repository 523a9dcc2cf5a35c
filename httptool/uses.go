package httptool

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"helve/internal/jsonobject"
	"helve/internal/nearest"
	"helve/schema"
)

// uses checks what the templates of a plan name, and notes it.
type uses struct {
	plan       *plan
	parameters *schema.Schema // nil where they are wrong themselves
	wrong      *problems
}

var (
	escapedBraces = regexp.MustCompile(`^\{[A-Za-z_][\w.-]*\*?\}$`) // what {{name}} stands for
	openBrace     = regexp.MustCompile(`\{[A-Za-z_][\w.-]*$`)
)

// path notes the arguments of the URL's path. Each must always be there.
func (u uses) path(at string, t template) {
	for _, p := range t.pieces {
		if p.argument == "" {
			if strings.ContainsAny(p.text, "{}") && !escapedBraces.MatchString(p.text) {
				u.wrong.add(at, "a brace in the path is not closed, or not opened: write {name}; for the brace itself %%7B or %%7D")
			}
			continue
		}
		u.note(at, p.argument)
		if p.explode {
			u.wrong.add(at, "{%s*} repeats a key of a query, and a path has none: write {%s}", p.argument, p.argument)
		}
		if known, ok := u.property(p.argument); ok && !known.Required && known.Default == nil {
			u.wrong.add(at, "{%s} is part of the path, so %s must be given: write required: true or a default", p.argument, p.argument)
		}
	}
}

// value notes the arguments of one value. Keyed is true where {name*} may stand
// alone.
func (u uses) value(at string, t template, keyed bool) {
	_, alone := t.alone()
	for i, p := range t.pieces {
		if p.argument == "" {
			if tail := openBrace.FindString(p.text); tail != "" && i == len(t.pieces)-1 && u.has(tail[1:]) && !u.fromEnvironment(tail) {
				u.wrong.add(at, "the last { is not closed: write %s}", tail)
			}
			continue
		}
		u.note(at, p.argument)
		if p.explode && (!keyed || !alone) {
			u.wrong.add(at, "{%s*} repeats a key, so it must be the whole value of a key in query or in a form: write {%s}", p.argument, p.argument)
		}
	}
}

func (u uses) note(at, name string) {
	u.plan.placed[name] = true
	if _, ok := u.property(name); ok || u.parameters == nil {
		return
	}
	if u.fromEnvironment("{" + name) {
		u.wrong.add(at, "a value of the environment holds {, and what follows is taken for an argument: use a value without {")
		return
	}
	names := u.names()
	help := "the tool has no parameters"
	if near := nearest.Names(name, names, 2); len(near) > 0 {
		help = "did you mean {" + strings.Join(near, "} or {") + "}?"
	} else if len(names) > 0 {
		help = "there are " + strings.Join(names, ", ")
	}
	u.wrong.add(at, "{%s} is no parameter: %s; for the text itself write {{%s}}", name, help, name)
}

// fromEnvironment says whether the environment may have put text there.
func (u uses) fromEnvironment(text string) bool {
	return slices.ContainsFunc(u.wrong.environment, func(value string) bool { return strings.Contains(value, text) })
}

// unquoted finds {name} in a body without the quotes: YAML takes it for a key without
// a value.
func (u uses) unquoted(at string, body json.RawMessage) {
	if jsonobject.IsList(body) {
		var all []json.RawMessage
		_ = json.Unmarshal(body, &all) // it is JSON
		for i, e := range all {
			u.unquoted(fmt.Sprintf("%s/%d", at, i), e)
		}
	}
	if !jsonobject.IsObject(body) {
		return
	}
	all, _ := jsonobject.Read(body)
	if len(all) == 1 && jsonobject.IsNull(all[0].Value) {
		if name := strings.TrimSuffix(all[0].Key, "*"); u.has(name) {
			u.plan.placed[name] = true
			u.wrong.add(at, "{%s} without quotes is a key without a value: write \"{%s}\" in quotes", all[0].Key, all[0].Key)
		}
		return
	}
	for _, m := range all {
		u.unquoted(at+"/"+escapePointer(m.Key), m.Value)
	}
}

func (u uses) has(name string) bool {
	_, ok := u.property(name)
	return ok
}

func (u uses) property(name string) (schema.Property, bool) {
	if u.parameters == nil {
		return schema.Property{}, false
	}
	return property(u.parameters, name)
}

func (u uses) names() []string {
	var names []string
	if u.parameters != nil {
		for _, p := range u.parameters.Properties() {
			names = append(names, p.Name)
		}
	}
	return names
}

// rest says whether there are parameters that stand nowhere.
func (u uses) rest() bool {
	for _, name := range u.names() {
		if !u.plan.placed[name] {
			return true
		}
	}
	return false
}

// unused complains of parameters that stand nowhere beside a body that is
// written out.
func (u uses) unused() {
	for _, name := range u.names() {
		if !u.plan.placed[name] {
			u.wrong.add("/parameters", "%s is sent nowhere: write {%s} in api_url, query, headers or body", name, name)
		}
	}
}

func (u uses) badBodyType(c *Config) {
	u.wrong.add("/body_type", "%q is no body type: there are json, form and text", c.BodyType)
}

// property finds the parameter name.
func property(s *schema.Schema, name string) (schema.Property, bool) {
	for _, p := range s.Properties() {
		if p.Name == name {
			return p, true
		}
	}
	return schema.Property{}, false
}

// pointerEscaper writes a step of a JSON Pointer (RFC 6901).
var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

func escapePointer(key string) string { return pointerEscaper.Replace(key) }
