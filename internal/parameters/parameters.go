// Package parameters reads what the author of a tool's file says of its arguments.
package parameters

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"helve/internal/jsonobject"
	"helve/schema"
)

// Problem is one thing that is wrong.
type Problem struct {
	Pointer string // the place, as a JSON Pointer that begins with /parameters
	Message string // what is wrong, and how to mend it
}

// Compile returns the schema of the arguments that raw, the value of the key
// parameters, describes: a JSON Schema, whose "type" is the text "object", or the short
// form of document 004: an object whose keys are the parameters, and each value the
// schema of one, with "required": true where it must be given. Nothing, or null, is for
// a tool without arguments. The schema is nil where there are problems.
func Compile(raw json.RawMessage) (*schema.Schema, []Problem) {
	if len(raw) == 0 || jsonobject.IsNull(raw) {
		raw = json.RawMessage(`{}`)
	}
	var wrong problems
	document := document(raw, &wrong)
	if len(wrong) > 0 {
		return nil, wrong
	}
	s, err := schema.Compile(document)
	if err == nil {
		return s, nil
	}
	if !blame(raw, &wrong) {
		wrong.add("/parameters", "%v", err)
	}
	return nil, wrong
}

// problems collects what is wrong, so that an author reads all of it at once.
type problems []Problem

func (p *problems) add(pointer, format string, args ...any) {
	*p = append(*p, Problem{pointer, fmt.Sprintf(format, args...)})
}

// document returns the JSON Schema that raw is, or that its short form means.
func document(raw json.RawMessage, wrong *problems) json.RawMessage {
	all, err := jsonobject.Read(raw)
	if err != nil {
		wrong.add("/parameters", "want keys and values: a line such as city: {type: string, required: true} for each parameter")
		return nil
	}
	if i := slices.IndexFunc(all, func(m jsonobject.Member) bool { return m.Key == "type" && !jsonobject.IsObject(m.Value) }); i >= 0 {
		if string(all[i].Value) == `"object"` {
			return closed(all)
		}
		wrong.add("/parameters/type", "the arguments are always an object: write type: object for a JSON Schema; a parameter with the name type is written type: {type: string}")
		return nil
	}
	return fromShortForm(all, wrong)
}

// closed makes a schema refuse what it does not declare, unless it says itself what else
// there may be: a tool must not get what its author never thought of, under names that a model
// chose.
func closed(all []jsonobject.Member) json.RawMessage {
	opens := []string{"additionalProperties", "unevaluatedProperties", "patternProperties", "allOf", "anyOf", "oneOf", "$ref", "if", "dependentSchemas"}
	for _, m := range all {
		if slices.Contains(opens, m.Key) {
			return jsonobject.Write(all)
		}
	}
	return jsonobject.Write(append(all, jsonobject.Member{Key: "additionalProperties", Value: json.RawMessage("false")}))
}

// fromShortForm makes the schema of an object whose properties are all.
func fromShortForm(all []jsonobject.Member, wrong *problems) json.RawMessage {
	if lacksType(all) {
		wrong.add("/parameters", "a whole JSON Schema needs type: object beside its properties")
		return nil
	}
	required := []string{}
	for i, m := range all {
		at := "/parameters/" + escapePointer(m.Key)
		if !jsonobject.IsObject(m.Value) {
			wrong.add(at, "write a parameter as keys and values, such as {type: string, required: true}")
			continue
		}
		keys, err := jsonobject.Read(m.Value)
		if err != nil {
			wrong.add(at, "%v", err)
			continue
		}
		checkKeywords(keys, at, wrong)
		checkRequired(keys, at, wrong)
		var must bool
		if all[i].Value, must = takeRequired(keys); must {
			required = append(required, m.Key)
		}
	}
	return jsonobject.Write([]jsonobject.Member{
		{Key: "type", Value: json.RawMessage(`"object"`)},
		{Key: "properties", Value: jsonobject.Write(all)},
		{Key: "required", Value: jsonobject.Marshal(required)},
		{Key: "additionalProperties", Value: json.RawMessage(`false`)},
	})
}

// lacksType finds a whole JSON Schema without its type: a key properties that holds
// parameters is none itself.
func lacksType(all []jsonobject.Member) bool {
	inner, err := jsonobject.Read(jsonobject.Value(all, "properties"))
	if err != nil || jsonobject.Value(inner, "type") != nil && !jsonobject.IsObject(jsonobject.Value(inner, "type")) {
		return false
	}
	return slices.ContainsFunc(inner, func(m jsonobject.Member) bool {
		return jsonobject.IsObject(m.Value) && !slices.Contains(keywords, m.Key)
	})
}

// takeRequired removes the short form's required, true or false. A list is JSON
// Schema's own, which an object's parameter may have.
func takeRequired(keys []jsonobject.Member) (rest json.RawMessage, required bool) {
	keys = slices.DeleteFunc(keys, func(m jsonobject.Member) bool {
		if m.Key != "required" || jsonobject.IsList(m.Value) {
			return false
		}
		required = string(m.Value) == "true"
		return true
	})
	return jsonobject.Write(keys), required
}

func checkRequired(keys []jsonobject.Member, at string, wrong *problems) {
	for _, k := range keys {
		if k.Key == "required" && !jsonobject.IsList(k.Value) && string(k.Value) != "true" && string(k.Value) != "false" {
			wrong.add(at+"/required", "write required: true or required: false")
		}
	}
}

// blame finds the parameter of the short form whose own schema is none, and says so at
// its place. It reports false where each is one.
func blame(raw json.RawMessage, wrong *problems) bool {
	all, err := jsonobject.Read(raw)
	if err != nil {
		return false
	}
	found := false
	for _, m := range all {
		keys, err := jsonobject.Read(m.Value)
		if err != nil {
			continue
		}
		alone, _ := takeRequired(keys)
		if _, err := schema.Compile(alone); err != nil {
			wrong.add("/parameters/"+escapePointer(m.Key), "%v", err)
			found = true
		}
	}
	return found
}

// pointerEscaper writes a step of a JSON Pointer (RFC 6901).
var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

func escapePointer(key string) string { return pointerEscaper.Replace(key) }
