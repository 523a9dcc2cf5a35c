package openapi

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// addBody makes parameters of what the operation wants to be sent.
func (a *arguments) addBody(op operation) error {
	if op.RequestBody == nil || op.RequestBody.Value == nil {
		return nil
	}
	body := op.RequestBody.Value
	for _, mediaType := range slices.SortedFunc(maps.Keys(body.Content), preferred) {
		kind, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
		if media := body.Content[mediaType]; media != nil && canSend(kind) {
			return a.addContent(kind, media, body)
		}
	}
	types := strings.Join(slices.Sorted(maps.Keys(body.Content)), ", ")
	if body.Required {
		return fmt.Errorf("its body is %.100s, which a tool can't send", types)
	}
	a.note("the body is left out: it is %.100s", types)
	return nil
}

const form = "application/x-www-form-urlencoded"

// preferred puts JSON before forms, and those before all others.
func preferred(x, y string) int {
	rank := func(mediaType string) int {
		switch {
		case mediaType == "application/json":
			return 0
		case isJSON(mediaType):
			return 1
		case mediaType == form:
			return 2
		}
		return 3
	}
	return cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(x, y))
}

func isJSON(kind string) bool {
	return kind == "application/json" || kind == "*/*" || kind == "application/*" || strings.HasSuffix(kind, "+json")
}

func isPlainText(kind string) bool {
	return strings.HasPrefix(kind, "text/") && !strings.Contains(kind, "xml") && !strings.Contains(kind, "html")
}

func canSend(kind string) bool { return isJSON(kind) || kind == form || isPlainText(kind) }

func (a *arguments) addContent(kind string, media *openapi3.MediaType, body *openapi3.RequestBody) error {
	var schema any = map[string]any{}
	if media.Schema != nil {
		var err error
		if schema, err = generic(media.Schema); err != nil {
			return err
		}
	}
	if strings.HasSuffix(kind, "+json") || isPlainText(kind) && kind != "text/plain" && !strings.Contains(kind, "*") {
		set(&a.tool.Config.Headers, "Content-Type", kind)
	}
	switch {
	case isPlainText(kind):
		a.tool.Config.BodyType = "text"
		return a.addWhole(map[string]any{"type": "string"}, body)
	case kind == form:
		a.tool.Config.BodyType = "form"
	}
	properties, ok := a.schemas.flat(schema, 0)
	optional := !body.Required && slices.ContainsFunc(properties, func(p property) bool { return p.required })
	switch {
	case kind == form && !ok:
		return fmt.Errorf("its body is a form without known keys")
	case kind == form:
		return a.addForm(properties, body)
	case !ok || optional: // as one parameter it can be left out as a whole
		return a.addWhole(schema, body)
	}
	fields := object{}
	for _, p := range properties {
		name, err := a.add("body", p.name, p.schema, "", p.required)
		if err != nil {
			return err
		}
		fields = append(fields, field{p.name, braces(name, false)})
	}
	a.setBody(fields)
	return nil
}

// addWhole makes one parameter of a body.
func (a *arguments) addWhole(schema any, body *openapi3.RequestBody) error {
	name, err := a.add("request", "body", schema, body.Description, body.Required)
	if err != nil {
		return err
	}
	a.setBody(braces(name, false))
	return nil
}

func (a *arguments) addForm(properties []property, body *openapi3.RequestBody) error {
	fields := object{}
	for _, p := range properties {
		name, err := a.add("body", p.name, p.schema, "", p.required && body.Required)
		if err != nil {
			return err
		}
		fields = append(fields, field{p.name, braces(name, a.isType(p.schema, "array"))})
	}
	a.setBody(fields)
	return nil
}

func (a *arguments) setBody(body any) {
	a.tool.body = body
	a.tool.Config.Body = toJSON(body)
}
