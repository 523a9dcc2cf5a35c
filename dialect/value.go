package dialect

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"helve/schema"
	"helve/tool"
)

// typedValue reads raw, a value that was written as bare text, as the JSON that
// a parameter wants. A string is wanted where the schema allows one and where
// there is none: "007" and "true" are what they are, and not a space is lost.
// Else the text is trimmed and read as JSON, with Python's words for true, false
// and null. What can't be read stays a string, so that validation can tell the
// model what is wrong with it.
func typedValue(p schema.Property, known bool, raw string) json.RawMessage {
	if !known {
		return jsonString(raw)
	}
	text := strings.TrimSpace(raw)
	if p.Nullable && text == "null" {
		return json.RawMessage("null")
	}
	if p.Allows("string") {
		// A union names arrays or objects so that a model can write them.
		if p.Type != "" && isContainer(text) && fits(p, text) {
			return json.RawMessage(text)
		}
		return jsonString(raw)
	}
	text = fromPython(text)
	switch {
	case fits(p, text):
		return json.RawMessage(wholeNumber(p, text))
	case isContainer(text):
		if value, ok := mendedContainer(text); ok && fits(p, value) {
			return json.RawMessage(value)
		}
	}
	return jsonString(raw)
}

func fromPython(word string) string {
	switch word {
	case "True":
		return "true"
	case "False":
		return "false"
	case "None":
		return "null"
	}
	return word
}

// fits reports whether text is JSON of a type that the parameter allows.
func fits(p schema.Property, text string) bool {
	return text != "" && p.Allows(jsonType(text[0])) && isJSON(text)
}

// isJSON reports whether text is JSON that needs no mending. encoding/json lets
// bytes through that are not UTF-8.
func isJSON(text string) bool { return json.Valid([]byte(text)) && utf8.ValidString(text) }

// jsonType names the type of valid JSON by its first byte.
func jsonType(first byte) string {
	switch first {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

func isContainer(text string) bool {
	return text != "" && (text[0] == '{' || text[0] == '[')
}

// mendedContainer reads an array or object that is not strict JSON. Some models
// escape it as if it stood within a string.
func mendedContainer(text string) (string, bool) {
	if strings.Contains(text, `\"`) {
		var inner string
		if json.Unmarshal([]byte(`"`+text+`"`), &inner) == nil && isJSON(inner) {
			return inner, true
		}
	}
	value, _, err := readJSON(text, true)
	return string(value), err == nil
}

// wholeNumber writes 5.0 as 5 where an integer is wanted: it is one for JSON
// Schema, but not for the programs that read it.
func wholeNumber(p schema.Property, text string) string {
	if p.Type != "integer" {
		return text
	}
	whole, zeros, ok := strings.Cut(text, ".")
	if ok && strings.Trim(zeros, "0") == "" {
		return whole
	}
	return text
}

// parametersOf returns the declared parameters of a tool by their names, and
// none where it is not known.
func parametersOf(def *tool.Definition) map[string]schema.Property {
	if def == nil {
		return nil
	}
	all := map[string]schema.Property{}
	for _, p := range def.Schema().Properties() {
		all[p.Name] = p
	}
	return all
}

// arguments gathers the arguments of one call in the order in which they were
// written. One that is written again replaces the first, but where the schema
// wants an array: then each is an element.
type arguments struct {
	parameters map[string]schema.Property // of the tool, by name
	list       []argument
	index      map[string]int // into list
}

type argument struct {
	name  string
	raw   []string        // what was written, once for each time
	value json.RawMessage // the JSON that was written instead, or nil
}

// argumentsFor returns an empty list for a call of the tool that def defines; it
// may be nil.
func argumentsFor(def *tool.Definition) *arguments {
	return &arguments{parameters: parametersOf(def)}
}

// add adds an argument that was written as text; its type is the schema's.
func (a *arguments) add(name, raw string) {
	arg := a.at(name)
	arg.raw = append(arg.raw, raw)
	arg.value = nil
}

// addJSON adds an argument that is JSON already.
func (a *arguments) addJSON(name string, value json.RawMessage) {
	arg := a.at(name)
	arg.raw = nil
	arg.value = value
}

func (a *arguments) at(name string) *argument {
	i, ok := a.index[name]
	if !ok {
		if a.index == nil {
			a.index = map[string]int{}
		}
		i = len(a.list)
		a.index[name] = i
		a.list = append(a.list, argument{name: name})
	}
	return &a.list[i]
}

// json returns the arguments as an object.
func (a *arguments) json() json.RawMessage {
	out := []byte{'{'}
	for i, arg := range a.list {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendQuoted(out, arg.name)
		out = append(out, ':')
		out = append(out, a.value(&arg)...)
	}
	return append(out, '}')
}

func (a *arguments) value(arg *argument) json.RawMessage {
	if arg.value != nil {
		return arg.value
	}
	p, known := a.parameters[arg.name]
	if len(arg.raw) == 1 || p.Type != "array" {
		return typedValue(p, known, arg.raw[len(arg.raw)-1])
	}
	items, known := p.Items()
	out := []byte{'['}
	for i, raw := range arg.raw {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, typedValue(items, known, raw)...)
	}
	return append(out, ']')
}

// unwrapped is json for formats that some models write with the whole object in
// one argument, "arguments". It is taken out if its keys are declared and that
// name isn't.
func (a *arguments) unwrapped() json.RawMessage {
	const name = "arguments"
	if _, known := a.parameters[name]; known || len(a.list) != 1 || a.list[0].name != name {
		return a.json()
	}
	var inner Call
	if inner.setArguments(string(a.value(&a.list[0]))) != nil {
		return a.json()
	}
	for key := range members(string(inner.Arguments)) {
		if _, known := a.parameters[key]; !known {
			return a.json()
		}
	}
	return inner.Arguments
}

// unframe takes away the newline behind an opening tag and, where it is there,
// the one before the closing tag: many formats write a value on lines of its own.
// All other white space is the value's.
func unframe(s string) string {
	if inner, ok := strings.CutPrefix(s, "\n"); ok {
		return strings.TrimSuffix(inner, "\n")
	}
	inner, ok := strings.CutPrefix(s, "\r\n")
	if !ok {
		return s
	}
	if text, ok := strings.CutSuffix(inner, "\r\n"); ok {
		return text
	}
	return strings.TrimSuffix(inner, "\n")
}

// decodeEntities replaces the five entities of XML and the numeric ones, each
// once: "&amp;lt;" is "&lt;". Whatever else begins with & stays.
func decodeEntities(s string) string {
	at := strings.IndexByte(s, '&')
	if at < 0 {
		return s
	}
	var b strings.Builder
	for ; at >= 0; at = strings.IndexByte(s, '&') {
		b.WriteString(s[:at])
		text, n := entity(s[at:])
		b.WriteString(text)
		s = s[at+n:]
	}
	b.WriteString(s)
	return b.String()
}

// entity decodes the entity that s begins with. n is its length; where it is none
// that we know, it is its first byte.
func entity(s string) (text string, n int) {
	const longest = len("&#x10ffff;") + 2 // zeros in front
	end := strings.IndexByte(s[:min(len(s), longest)], ';')
	if end < 0 {
		return s[:1], 1
	}
	name := s[1:end]
	switch name {
	case "lt":
		return "<", end + 1
	case "gt":
		return ">", end + 1
	case "amp":
		return "&", end + 1
	case "quot":
		return `"`, end + 1
	case "apos":
		return "'", end + 1
	}
	digits, numeric := strings.CutPrefix(name, "#")
	base := 10
	if hex, ok := strings.CutPrefix(strings.ToLower(digits), "x"); ok {
		digits, base = hex, 16
	}
	r, err := strconv.ParseUint(digits, base, 31)
	if !numeric || err != nil || !utf8.ValidRune(rune(r)) {
		return s[:1], 1
	}
	return string(rune(r)), end + 1
}
