package parameters

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"helve/internal/jsonobject"
	"helve/internal/nearest"
)

// keywords are those of JSON Schema 2020-12, and of older drafts that package schema
// reads too.
var keywords = []string{
	"$anchor", "$comment", "$defs", "$dynamicAnchor", "$dynamicRef", "$id", "$ref", "$schema", "$vocabulary",
	"additionalProperties", "allOf", "anyOf", "const", "contains", "contentEncoding", "contentMediaType",
	"contentSchema", "default", "definitions", "dependencies", "dependentRequired", "dependentSchemas",
	"deprecated", "description", "else", "enum", "examples", "exclusiveMaximum", "exclusiveMinimum", "format",
	"if", "items", "maxContains", "maxItems", "maxLength", "maxProperties", "maximum", "minContains", "minItems",
	"minLength", "minProperties", "minimum", "multipleOf", "not", "oneOf", "pattern", "patternProperties",
	"prefixItems", "properties", "propertyNames", "readOnly", "required", "then", "title", "type",
	"unevaluatedItems", "unevaluatedProperties", "uniqueItems", "writeOnly",
}

// checkKeywords finds what JSON Schema itself would let pass: a keyword that is none,
// and a value that nothing satisfies. Both are mistakes in a file that somebody wrote.
func checkKeywords(keys []jsonobject.Member, at string, wrong *problems) {
	for _, k := range keys {
		place := at + "/" + escapePointer(k.Key)
		switch {
		case k.Key == "properties" && jsonobject.IsObject(k.Value):
			checkProperties(k.Value, place, wrong)
		case k.Key == "items" && jsonobject.IsObject(k.Value):
			if inner, err := jsonobject.Read(k.Value); err == nil {
				checkKeywords(inner, place, wrong)
			}
		case k.Key == "type":
			checkType(k.Value, place, wrong)
		case !slices.Contains(keywords, k.Key) && !strings.HasPrefix(k.Key, "x-"):
			help := "write what is your own as x-" + k.Key
			if near := nearest.Names(k.Key, keywords, 2); len(near) > 0 {
				help = "did you mean " + strings.Join(near, " or ") + "?"
			}
			wrong.add(place, "%q is no keyword of JSON Schema: %s", k.Key, help)
		}
	}
	checkEnum(keys, at, wrong)
	checkRanges(keys, at, wrong)
}

func checkProperties(raw json.RawMessage, at string, wrong *problems) {
	all, _ := jsonobject.Read(raw)
	for _, m := range all {
		if inner, err := jsonobject.Read(m.Value); err == nil {
			checkKeywords(inner, at+"/"+escapePointer(m.Key), wrong)
		}
	}
}

var typeNames = []string{"string", "integer", "number", "boolean", "array", "object", "null"}

// typeWords are what people write for a type of JSON.
var typeWords = map[string]string{
	"int": "integer", "str": "string", "text": "string", "bool": "boolean",
	"float": "number", "double": "number", "list": "array", "dict": "object", "map": "object",
}

func checkType(raw json.RawMessage, at string, wrong *problems) {
	var name string
	if json.Unmarshal(raw, &name) != nil || slices.Contains(typeNames, name) {
		return
	}
	known := typeWords[strings.ToLower(name)]
	if near := nearest.Names(name, typeNames, 1); known == "" && len(near) > 0 {
		known = near[0]
	}
	if known != "" {
		known = "did you mean " + known + "? "
	}
	wrong.add(at, "%q is no type: %sthere are %s", name, known, strings.Join(typeNames, ", "))
}

// checkEnum finds values that are not of the type beside them: no call could hold one.
func checkEnum(keys []jsonobject.Member, at string, wrong *problems) {
	var kind string
	var values []json.RawMessage
	if json.Unmarshal(jsonobject.Value(keys, "type"), &kind) != nil || json.Unmarshal(jsonobject.Value(keys, "enum"), &values) != nil {
		return
	}
	for i, v := range values {
		if slices.Contains(typeNames, kind) && !isOfType(v, kind) {
			wrong.add(at+"/enum/"+strconv.Itoa(i), "%.100s is not of the type %s", v, kind)
		}
	}
}

func isOfType(raw json.RawMessage, kind string) bool {
	switch kind {
	case "string":
		return jsonobject.IsString(raw)
	case "array":
		return jsonobject.IsList(raw)
	case "object":
		return jsonobject.IsObject(raw)
	case "null":
		return jsonobject.IsNull(raw)
	case "boolean":
		return jsonobject.IsBool(raw)
	}
	n, isNumber := numberOf(raw)
	return isNumber && (kind == "number" || n == math.Trunc(n))
}

// ranges are keywords of which the first must not be above the second.
var ranges = [][2]string{{"minimum", "maximum"}, {"minLength", "maxLength"}, {"minItems", "maxItems"}, {"minProperties", "maxProperties"}}

func checkRanges(keys []jsonobject.Member, at string, wrong *problems) {
	for _, r := range ranges {
		least, isLeast := numberOf(jsonobject.Value(keys, r[0]))
		most, isMost := numberOf(jsonobject.Value(keys, r[1]))
		if isLeast && isMost && least > most {
			wrong.add(at+"/"+r[0], "%s is above %s: no value could be right", r[0], r[1])
		}
	}
}

func numberOf(raw json.RawMessage) (float64, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(string(raw)), 64)
	return n, err == nil
}
