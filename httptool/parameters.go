package httptool

import (
	"encoding/json"
	"slices"
	"strings"

	"helve/schema"
)

// parameters returns the JSON Schema of p, which is one already or the short
// form.
func parameters(p JSON, wrong *problems) json.RawMessage {
	raw := json.RawMessage(p)
	if len(raw) == 0 || isNull(raw) {
		raw = json.RawMessage(`{}`)
	}
	all, err := members(raw)
	if err != nil {
		wrong.add("/parameters", "want keys and values: a line such as city: {type: string, required: true} for each parameter")
		return nil
	}
	if i := slices.IndexFunc(all, func(m member) bool { return m.key == "type" && !isObject(m.value) }); i >= 0 {
		if string(all[i].value) == `"object"` {
			return closed(all)
		}
		wrong.add("/parameters/type", "the arguments are always an object: write type: object for a JSON Schema; a parameter with the name type is written type: {type: string}")
		return nil
	}
	return fromShortForm(all, wrong)
}

// closed makes a schema refuse what it does not declare, unless it says itself what else
// there may be: the arguments that stand nowhere are sent, and a model must not choose
// their names.
func closed(all []member) json.RawMessage {
	opens := []string{"additionalProperties", "unevaluatedProperties", "patternProperties", "allOf", "anyOf", "oneOf", "$ref", "if", "dependentSchemas"}
	for _, m := range all {
		if slices.Contains(opens, m.key) {
			return writeMembers(all)
		}
	}
	return writeMembers(append(all, member{"additionalProperties", json.RawMessage("false")}))
}

// fromShortForm makes the schema of an object whose properties are all.
func fromShortForm(all []member, wrong *problems) json.RawMessage {
	if lacksType(all) {
		wrong.add("/parameters", "a whole JSON Schema needs type: object beside its properties")
		return nil
	}
	required := []string{}
	for i, m := range all {
		at := "/parameters/" + escapePointer(m.key)
		if !isObject(m.value) {
			wrong.add(at, "write a parameter as keys and values, such as {type: string, required: true}")
			continue
		}
		keys, err := members(m.value)
		if err != nil {
			wrong.add(at, "%v", err)
			continue
		}
		checkKeywords(keys, at, wrong)
		checkRequired(keys, at, wrong)
		var must bool
		if all[i].value, must = takeRequired(keys); must {
			required = append(required, m.key)
		}
	}
	return writeMembers([]member{
		{"type", json.RawMessage(`"object"`)},
		{"properties", writeMembers(all)},
		{"required", toJSON(required)},
		{"additionalProperties", json.RawMessage(`false`)},
	})
}

// lacksType finds a whole JSON Schema without its type: a key properties that holds
// parameters is none itself.
func lacksType(all []member) bool {
	inner, err := members(valueOf(all, "properties"))
	if err != nil || valueOf(inner, "type") != nil && !isObject(valueOf(inner, "type")) {
		return false
	}
	return slices.ContainsFunc(inner, func(m member) bool { return isObject(m.value) && !slices.Contains(keywords, m.key) })
}

// takeRequired removes the short form's required, true or false. A list is JSON
// Schema's own, which an object's parameter may have.
func takeRequired(keys []member) (rest json.RawMessage, required bool) {
	keys = slices.DeleteFunc(keys, func(m member) bool {
		if m.key != "required" || isList(m.value) {
			return false
		}
		required = string(m.value) == "true"
		return true
	})
	return writeMembers(keys), required
}

func checkRequired(keys []member, at string, wrong *problems) {
	for _, k := range keys {
		if k.key == "required" && !isList(k.value) && string(k.value) != "true" && string(k.value) != "false" {
			wrong.add(at+"/required", "write required: true or required: false")
		}
	}
}

// blame finds the parameter of the short form whose own schema is none, and says so at
// its place. It reports false where each is one.
func blame(p JSON, wrong *problems) bool {
	all, err := members(json.RawMessage(p))
	if err != nil {
		return false
	}
	found := false
	for _, m := range all {
		keys, err := members(m.value)
		if err != nil {
			continue
		}
		alone, _ := takeRequired(keys)
		if _, err := schema.Compile(alone); err != nil {
			wrong.add("/parameters/"+escapePointer(m.key), "%v", err)
			found = true
		}
	}
	return found
}

// pointerEscaper writes a step of a JSON Pointer (RFC 6901).
var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

func escapePointer(key string) string { return pointerEscaper.Replace(key) }

// property finds the parameter name.
func property(s *schema.Schema, name string) (schema.Property, bool) {
	for _, p := range s.Properties() {
		if p.Name == name {
			return p, true
		}
	}
	return schema.Property{}, false
}
