package httptool

import (
	"encoding/json"
	"slices"
	"strings"

	"helve/internal/nearest"
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
	required := []string{}
	for i, m := range all {
		at := "/parameters/" + escapePointer(m.key)
		if !isObject(m.value) {
			wrong.add(at, "write a parameter as keys and values, such as {type: string, required: true}; a whole JSON Schema needs type: object beside its properties")
			continue
		}
		keys, err := members(m.value)
		if err != nil {
			wrong.add(at, "%v", err)
			continue
		}
		checkType(keys, at, wrong)
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

var typeNames = []string{"string", "integer", "number", "boolean", "array", "object", "null"}

// typeWords are what people write for a type of JSON.
var typeWords = map[string]string{
	"int": "integer", "str": "string", "text": "string", "bool": "boolean",
	"float": "number", "double": "number", "list": "array", "dict": "object", "map": "object",
}

func checkType(keys []member, at string, wrong *problems) {
	for _, k := range keys {
		var name string
		switch {
		case k.key == "required" && !isList(k.value) && string(k.value) != "true" && string(k.value) != "false":
			wrong.add(at+"/required", "write required: true or required: false")
		case k.key != "type" || json.Unmarshal(k.value, &name) != nil || slices.Contains(typeNames, name):
		default:
			known := typeWords[strings.ToLower(name)]
			if near := nearest.Names(name, typeNames, 1); known == "" && len(near) > 0 {
				known = near[0]
			}
			if known != "" {
				known = "did you mean " + known + "? "
			}
			wrong.add(at+"/type", "%q is no type: %sthere are %s", name, known, strings.Join(typeNames, ", "))
		}
	}
}

func escapePointer(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
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
