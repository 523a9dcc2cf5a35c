package skill

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"helve/catalog"
	"helve/internal/nearest"
)

// typedFile makes tools with parameters of a skill's scripts:
//
//	{"tools": [{
//	  "name": "count", "description": "Count words.",
//	  "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
//	  "script": "scripts/count.py", "args": ["--json", "--text={{text}}"]
//	}]}
const typedFile = "assets/tools.json"

const maxTyped = 50 // tools of one skill

// typedKeys are those of a tool.
var typedKeys = []string{"name", "description", "parameters", "script", "args", "stdin"}

// typedReader reads the file. A tool that is wrong is left out, and hides no other.
type typedReader struct {
	*draft
	data  []byte
	shown string
}

// report keeps a finding at a byte of the file.
func (r *typedReader) report(offset int, hint, format string, args ...any) {
	line := 1 + bytes.Count(r.data[:min(offset, len(r.data))], []byte("\n"))
	r.findings = append(r.findings, finding{lost, catalog.Problem{File: r.shown, Line: line, Message: fmt.Sprintf(format, args...), Hint: hint}})
}

// readTyped reads the skill's tools.
func (d *draft) readTyped(data []byte, shown string) {
	r := &typedReader{d, data, shown}
	if offset, err := isJSON(data); err != nil {
		r.report(offset, "", "this is not JSON: %v", err)
		return
	}
	const form = `write {"tools": [{"name": …, "description": …, "script": …}]}`
	top, ok := valuesOf(data, '{')
	if !ok {
		r.report(0, form, "the file is no object")
		return
	}
	var tools []value
	for _, v := range top {
		if v.key != "tools" {
			r.report(v.at, didYouMean(v.key, []string{"tools"}), "unknown key %.64q", v.key)
			continue
		}
		if tools, ok = valuesOf(v.data, '['); !ok {
			r.report(v.at, form, "tools must be a list")
		}
		for i := range tools {
			tools[i].at += v.at
		}
	}
	if len(tools) > maxTyped {
		r.report(tools[maxTyped].at, "", "it has %d tools, and at most %d are used", len(tools), maxTyped)
		tools = tools[:maxTyped]
	}
	names := map[string]bool{}
	for i, v := range tools {
		r.tool(fmt.Sprintf("tools[%d]", i), v, names)
	}
}

// tool adds a tool, if nothing is wrong with it and its name is not among names.
func (r *typedReader) tool(what string, v value, names map[string]bool) {
	fields, ok := valuesOf(v.data, '{')
	if !ok {
		r.report(v.at, "", "%s must be an object, so it is left out", what)
		return
	}
	t, places, good := &typedTool{}, map[string]int{}, true
	for _, f := range fields {
		places[f.key] = v.at + f.at
		if !slices.Contains(typedKeys, f.key) {
			good = false
			r.report(v.at+f.at, didYouMean(f.key, typedKeys), "%s is left out: unknown key %.64q", what, f.key)
		} else if must := t.set(f.key, f.data); must != "" {
			good = false
			r.report(v.at+f.at, "", "%s is left out: %s must be %s", what, f.key, must)
		}
	}
	if !good {
		return
	}
	key, err := t.complete(r.skill)
	if err == nil && names[t.Name] {
		key, err = "name", fmt.Errorf("the name %s is there already", t.Name)
	}
	if err != nil {
		at, there := places[key]
		if !there {
			at = v.at
		}
		r.report(at, "", "%s is left out: %v", what, err)
		return
	}
	names[t.Name] = true
	r.skill.typed = append(r.skill.typed, t)
}

// set sets a field, or says what it must be.
func (t *typedTool) set(key string, data json.RawMessage) (must string) {
	texts := map[string]*string{"name": &t.Name, "description": &t.Description, "script": &t.Script, "stdin": &t.Stdin}
	switch text := texts[key]; {
	case text != nil:
		if json.Unmarshal(data, text) != nil || data[0] != '"' {
			return "text"
		}
	case key == "args":
		if json.Unmarshal(data, &t.Args) != nil || data[0] != '[' {
			return "a list of texts"
		}
	case data[0] != '{':
		return "a JSON Schema, which is an object"
	default:
		t.Parameters = data
	}
	return ""
}

func didYouMean(key string, known []string) string {
	if near := nearest.Name(key, known); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

// isJSON says where data is not one JSON value, and why.
func isJSON(data []byte) (offset int, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	var all json.RawMessage
	if err = d.Decode(&all); err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			return int(d.InputOffset()), errors.New("the file goes on behind its end")
		}
		return 0, nil
	}
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return int(syntax.Offset), err
	case errors.Is(err, io.EOF):
		return 0, errors.New("the file is empty")
	}
	return len(data), errors.New("the file ends too early")
}

// value is one of an object or a list, and where in that it begins.
type value struct {
	key  string
	data json.RawMessage
	at   int
}

// valuesOf returns the values of an object or a list, which data, that is JSON, must be. A
// place is that in data: who has it from another adds that one's.
func valuesOf(data []byte, open json.Delim) (values []value, ok bool) {
	d := json.NewDecoder(bytes.NewReader(data))
	if first, err := d.Token(); err != nil || first != open {
		return nil, false
	}
	for d.More() {
		var v value
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return nil, false
			}
			v.key, _ = key.(string)
		}
		if d.Decode(&v.data) != nil {
			return nil, false
		}
		v.at = int(d.InputOffset()) - len(v.data)
		values = append(values, v)
	}
	return values, true
}
