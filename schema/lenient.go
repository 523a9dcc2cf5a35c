package schema

import (
	"fmt"
	"slices"
)

// CompileLenient is [Compile] for documents that others wrote and nobody here can
// change. Types that JSON Schema doesn't know, of which there are many about, are
// read as what they mean where that is plain, such as float for number, and dropped
// else. The findings say what was changed. Everything else that Compile refuses is
// an error here too.
func CompileLenient(doc []byte) (*Schema, []Finding, error) {
	v, err := parse(doc)
	if err != nil {
		return nil, nil, fmt.Errorf("schema: %w", err)
	}
	var l lenient
	l.mend(v, &location{})
	s, err := compile(v)
	return s, l.findings, err
}

// foreignTypes are names for types from languages and databases, and JSON Schema's.
var foreignTypes = map[string]string{
	"str": "string", "text": "string", "char": "string", "date": "string", "datetime": "string",
	"int": "integer", "long": "integer", "int32": "integer", "int64": "integer",
	"float": "number", "double": "number", "decimal": "number", "num": "number",
	"bool": "boolean",
	"dict": "object", "map": "object", "struct": "object",
	"list": "array", "tuple": "array", "set": "array",
	"none": "null", "nil": "null",
}

var jsonTypes = []string{"string", "integer", "number", "boolean", "object", "array", "null"}

// dataKeywords hold values, not schemas.
var dataKeywords = []string{"default", "const", "enum", "examples", "example"}

type lenient struct{ findings []Finding }

func (l *lenient) mend(v *value, at *location) {
	for i, e := range v.elems {
		l.mend(e, at.index(i))
	}
	v.members = slices.DeleteFunc(v.members, func(m member) bool {
		return m.key == "type" && !l.mendType(m.value, at.child("type"))
	})
	for _, m := range v.members {
		if !slices.Contains(dataKeywords, m.key) {
			l.mend(m.value, at.child(m.key))
		}
	}
}

// mendType puts a type, or a list of them, right. It is false where nothing of it
// means anything. A property may be called type; its schema is no type.
func (l *lenient) mendType(v *value, at *location) bool {
	if v.kind == typeArray {
		v.elems = slices.DeleteFunc(v.elems, func(e *value) bool { return !l.mendType(e, at) })
		return len(v.elems) > 0
	}
	if v.kind != typeString || slices.Contains(jsonTypes, v.text) {
		return true
	}
	known, ok := foreignTypes[v.text]
	if !ok {
		l.findings = append(l.findings, Finding{at.pointer(), fmt.Sprintf("JSON Schema has no type %q, so any value is allowed", v.text), "use one of JSON Schema's types"})
		return false
	}
	l.findings = append(l.findings, Finding{at.pointer(), fmt.Sprintf("JSON Schema has no type %q; it is read as %q", v.text, known), fmt.Sprintf("write %q", known)})
	v.text = known
	return true
}
