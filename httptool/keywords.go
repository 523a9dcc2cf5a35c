package httptool

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

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
func checkKeywords(keys []member, at string, wrong *problems) {
	for _, k := range keys {
		place := at + "/" + escapePointer(k.key)
		switch {
		case k.key == "properties" && isObject(k.value):
			checkProperties(k.value, place, wrong)
		case k.key == "items" && isObject(k.value):
			if inner, err := members(k.value); err == nil {
				checkKeywords(inner, place, wrong)
			}
		case k.key == "type":
			checkType(k.value, place, wrong)
		case !slices.Contains(keywords, k.key) && !strings.HasPrefix(k.key, "x-"):
			help := "write what is your own as x-" + k.key
			if near := nearest.Names(k.key, keywords, 2); len(near) > 0 {
				help = "did you mean " + strings.Join(near, " or ") + "?"
			}
			wrong.add(place, "%q is no keyword of JSON Schema: %s", k.key, help)
		}
	}
	checkEnum(keys, at, wrong)
	checkRanges(keys, at, wrong)
}

func checkProperties(raw json.RawMessage, at string, wrong *problems) {
	all, _ := members(raw)
	for _, m := range all {
		if inner, err := members(m.value); err == nil {
			checkKeywords(inner, at+"/"+escapePointer(m.key), wrong)
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
func checkEnum(keys []member, at string, wrong *problems) {
	var kind string
	var values []json.RawMessage
	if json.Unmarshal(valueOf(keys, "type"), &kind) != nil || json.Unmarshal(valueOf(keys, "enum"), &values) != nil {
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
		return isString(raw)
	case "array":
		return isList(raw)
	case "object":
		return isObject(raw)
	case "null":
		return isNull(raw)
	case "boolean":
		return startsWith(raw, 't') || startsWith(raw, 'f')
	}
	n, isNumber := numberOf(raw)
	return isNumber && (kind == "number" || n == math.Trunc(n))
}

// ranges are keywords of which the first must not be above the second.
var ranges = [][2]string{{"minimum", "maximum"}, {"minLength", "maxLength"}, {"minItems", "maxItems"}, {"minProperties", "maxProperties"}}

func checkRanges(keys []member, at string, wrong *problems) {
	for _, r := range ranges {
		least, isLeast := numberOf(valueOf(keys, r[0]))
		most, isMost := numberOf(valueOf(keys, r[1]))
		if isLeast && isMost && least > most {
			wrong.add(at+"/"+r[0], "%s is above %s: no value could be right", r[0], r[1])
		}
	}
}

func numberOf(raw json.RawMessage) (float64, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(string(raw)), 64)
	return n, err == nil
}

// valueOf is nil where there is no such key.
func valueOf(keys []member, key string) json.RawMessage {
	for _, k := range keys {
		if k.key == key {
			return k.value
		}
	}
	return nil
}
