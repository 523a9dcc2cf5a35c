package openapi

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// parametersOf are those of the operation, and those of its path that it does not
// write anew.
func parametersOf(op operation) []*openapi3.Parameter {
	var all []*openapi3.Parameter
	for _, ref := range slices.Concat(op.item.Parameters, op.Parameters) {
		if ref == nil || ref.Value == nil {
			continue
		}
		p := ref.Value
		all = slices.DeleteFunc(all, func(o *openapi3.Parameter) bool { return o.Name == p.Name && o.In == p.In })
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(x, y *openapi3.Parameter) int {
		return order(x.In == "path", y.In == "path")
	})
	return all
}

var inPath = regexp.MustCompile(`\{([^{}]*)\}`)

// addParameters returns the path with the tool's names in it.
func (a *arguments) addParameters(op operation) (path string, err error) {
	names := map[string]string{}
	for _, p := range parametersOf(op) {
		if err := a.addParameter(p, names); err != nil {
			return "", fmt.Errorf("its parameter %.50q: %w", p.Name, err)
		}
	}
	if strings.ContainsAny(op.path, "?#") {
		return "", errors.New("its path has a ? or a #")
	}
	path = inPath.ReplaceAllStringFunc(op.path, func(m string) string {
		name, ok := names[m[1:len(m)-1]]
		if !ok {
			err = fmt.Errorf("%.50s in its path is no parameter", m)
		}
		return "{" + name + "}"
	})
	return path, err
}

// errCannot is for a parameter that a tool can't send. One that is optional is left
// out then.
var errCannot = errors.New("can't be sent")

func (a *arguments) addParameter(p *openapi3.Parameter, paths map[string]string) error {
	schema, explode, err := a.schemaOf(p)
	if err == nil {
		err = a.place(p, schema, explode, paths)
	}
	if errors.Is(err, errCannot) && !p.Required {
		a.note("the parameter %s is left out: %v", p.Name, err)
		return nil
	}
	return err
}

// schemaOf returns the schema of a parameter, and whether a list or an object
// repeats the key.
func (a *arguments) schemaOf(p *openapi3.Parameter) (schema any, explode bool, err error) {
	ref := p.Schema
	if ref == nil {
		media := p.Content.Get("application/json")
		if media == nil || media.Schema == nil {
			return nil, false, fmt.Errorf("it has no schema: it %w", errCannot)
		}
		ref = media.Schema
		if schema, err = generic(ref); err != nil {
			return nil, false, err
		}
		if !a.isType(schema, "object") {
			return nil, false, fmt.Errorf("as JSON only an object can stand there: it %w", errCannot)
		}
		return schema, false, nil
	}
	if schema, err = generic(ref); err != nil {
		return nil, false, err
	}
	style, err := p.SerializationMethod()
	if err != nil {
		return nil, false, fmt.Errorf("its style %.20q is not known: it %w", p.Style, errCannot)
	}
	many := a.isType(schema, "array") || a.isType(schema, "object")
	switch {
	case !many || style.Style == "simple" && !a.isType(schema, "object"):
		return schema, false, nil
	case style.Style == "form" && (style.Explode || a.isType(schema, "array")):
		return schema, style.Explode, nil
	case style.Style == "deepObject" && a.isType(schema, "object"):
		return schema, false, nil
	}
	return nil, false, fmt.Errorf("a list or an object in the style %.20q %w", style.Style, errCannot)
}

func (a *arguments) isType(schema any, kind string) bool {
	m, err := a.schemas.resolve(schema)
	if err != nil {
		return false
	}
	if list, ok := m["type"].([]any); ok {
		return slices.Contains(list, any(kind))
	}
	_, object := m["properties"]
	return m["type"] == kind || m["type"] == nil && object && kind == "object"
}

// place says in the tool's config where a parameter goes.
func (a *arguments) place(p *openapi3.Parameter, schema any, explode bool, paths map[string]string) error {
	switch p.In {
	case "path":
		name, err := a.add("path", p.Name, schema, p.Description, true)
		paths[p.Name] = name
		return err
	case "query":
		if p.Style == "deepObject" {
			return a.placeDeepObject(p, schema)
		}
		name, err := a.add("query", p.Name, schema, p.Description, p.Required)
		if err == nil {
			set(&a.tool.Config.Query, p.Name, braces(name, explode))
		}
		return err
	case "header":
		switch strings.ToLower(p.Name) {
		case "accept", "content-type", "authorization": // they follow from other parts of the document
			return nil
		}
		name, err := a.add("header", p.Name, schema, p.Description, p.Required)
		if err == nil {
			set(&a.tool.Config.Headers, p.Name, braces(name, false))
		}
		return err
	}
	return fmt.Errorf("a %.20s %w", p.In, errCannot)
}

// placeDeepObject makes a parameter of each property: filter[state]=open.
func (a *arguments) placeDeepObject(p *openapi3.Parameter, schema any) error {
	properties, ok := a.schemas.flat(schema, 0)
	if !ok {
		return fmt.Errorf("an object of any keys %w", errCannot)
	}
	for _, each := range properties {
		name, err := a.add("query", p.Name+"_"+each.name, each.schema, "", p.Required && each.required)
		if err != nil {
			return err
		}
		set(&a.tool.Config.Query, p.Name+"["+each.name+"]", braces(name, false))
	}
	return nil
}

func set(m *map[string]string, key, value string) {
	if *m == nil {
		*m = map[string]string{}
	}
	(*m)[key] = value
}

// braces is a template of one argument.
func braces(name string, explode bool) string {
	if explode {
		return "{" + name + "*}"
	}
	return "{" + name + "}"
}
