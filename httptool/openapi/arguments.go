package openapi

import (
	"fmt"
	"slices"

	"helve/schema"
)

// arguments are the parameters of the tool that is being made, and where they go.
type arguments struct {
	schemas *schemas
	tool    *Tool
	list    []argument
	taken   map[string]bool
}

type argument struct {
	name     string
	schema   any
	required bool
}

// add makes a parameter of what stands in place under a name, and returns its name
// in the tool.
func (a *arguments) add(place, wire string, schema any, description string, required bool) (string, error) {
	converted, err := a.schemas.convert(schema, 0)
	if err != nil {
		return "", err
	}
	name := argumentName(wire)
	if a.taken[name] {
		name = argumentName(place + "_" + wire)
	}
	for n := 2; a.taken[name]; n++ {
		name = argumentName(fmt.Sprintf("%s_%s_%d", place, wire, n))
	}
	a.taken[name] = true
	a.list = append(a.list, argument{name, described(converted, description), required})
	return name, nil
}

// described adds a description, unless the schema has its own.
func described(converted any, description string) any {
	o, ok := converted.(object)
	if !ok && converted != nil || description == "" || o.get("description") != nil {
		return converted
	}
	o = append(slices.Clone(o), field{"description", shorten(description)})
	sortKeywords(o)
	return o
}

// schema is that of all parameters.
func (a *arguments) schema() (object, error) {
	properties, required := object{}, []any{}
	for _, arg := range a.list {
		if arg.schema == nil {
			arg.schema = object{}
		}
		properties = append(properties, field{arg.name, a.withGoodDefault(arg)})
		if arg.required {
			required = append(required, arg.name)
		}
	}
	out := object{{"type", "object"}, {"properties", properties}}
	if len(required) > 0 {
		out = append(out, field{"required", required})
	}
	out = append(out, field{"additionalProperties", false})
	if len(a.schemas.defs) > 0 {
		out = append(out, field{"$defs", a.schemas.defs})
	}
	if n := size(out); n > 8<<10 {
		a.note("its parameters are %d bytes in each prompt", n)
	}
	return out, nil
}

// withGoodDefault leaves out a default that its own schema refuses; some documents
// have them.
func (a *arguments) withGoodDefault(arg argument) any {
	o, ok := arg.schema.(object)
	if !ok || o.get("default") == nil {
		return arg.schema
	}
	whole := append(slices.Clone(o), field{"$defs", a.schemas.defs})
	if _, err := schema.Compile(toJSON(whole)); err == nil {
		return o
	}
	a.note("the default of %s does not fit its schema and is left out", arg.name)
	return o.without("default")
}

func (a *arguments) note(format string, args ...any) {
	a.tool.Notes = append(a.tool.Notes, fmt.Sprintf(format, args...))
}
