package dialect

import (
	"encoding/json"
	"strings"

	"helve/schema"
	"helve/tool"
)

// Models write text into YAML that it can't hold without quotes: on several lines
// that are not indented, with ": " in it, as a pattern like *.go. And some write
// elements instead. The schema tells what they mean.

// mendedYAML reads a body that is not YAML; err says why. What could be meant in two
// ways stays refused.
func mendedYAML(body string, def *tool.Definition, err error) (json.RawMessage, []Repair, error) {
	if arguments, ok := elementLines(body, def); ok {
		return arguments, nil, nil
	}
	mended, repairs, ok := quoteYAML(body, def)
	if !ok {
		return nil, nil, err
	}
	arguments, err := readYAML(mended, def)
	return arguments, repairs, err
}

// quoteYAML puts the text of string parameters in quotes where YAML refuses it.
// Each parameter begins with its declared name at a line's beginning. Text on several
// lines must be the last, no line of it may look like a parameter, and the call's
// closing tag must not stand in one of them.
func quoteYAML(body string, def *tool.Definition) (mended string, repairs []Repair, ok bool) {
	if strings.Contains(body, ": &") { // what * stands for is not clear then
		return "", nil, false
	}
	parameters := parametersOf(def)
	fields, ok := yamlFields(body, parameters)
	if !ok {
		return "", nil, false
	}
	var b strings.Builder
	for i, f := range fields {
		source := body[f.start:f.end]
		if _, err := readYAML(source, def); err == nil {
			b.WriteString(source)
			continue
		}
		text, lines := f.text(body)
		if parameters[f.name].Type != "string" || isFencedText(text) || lines && (i+1 < len(fields) || !strings.HasSuffix(text, "\n")) {
			return "", nil, false
		}
		repairs = append(repairs, Repair{Offset: f.value, Kind: Unquoted})
		b.WriteString(f.name + ": ")
		writeYAMLString(&b, text)
		b.WriteByte('\n')
	}
	return b.String(), repairs, true
}

// yamlField is a parameter in a body of YAML, with all lines up to the next one.
type yamlField struct {
	name              string
	start, value, end int
}

// yamlFields takes a body apart. It is false where that may be wrong: if a line
// looks like a parameter that isn't declared, or is there already.
func yamlFields(body string, parameters map[string]schema.Property) (fields []yamlField, ok bool) {
	seen := map[string]bool{}
	at := 0
	for line := range strings.Lines(body) {
		name, rest, found := strings.Cut(line, ":")
		_, declared := parameters[name]
		switch {
		case found && (rest == "" || isSpace(rest[0])) && (declared || isPythonName(name)):
			if !declared || seen[name] {
				return nil, false
			}
			seen[name] = true
			fields = append(fields, yamlField{name: name, start: at, value: at + len(name) + 1})
		case len(fields) == 0 && strings.TrimSpace(line) != "":
			return nil, false
		}
		at += len(line)
		if len(fields) > 0 {
			fields[len(fields)-1].end = at
		}
	}
	return fields, len(fields) > 0
}

// text is what stands behind a field's name: a line without the white space around
// it, or lines as they are.
func (f yamlField) text(body string) (text string, lines bool) {
	text = strings.ReplaceAll(body[f.value:f.end], "\r\n", "\n")
	if line := strings.TrimSpace(text); strings.IndexByte(line, '\n') < 0 {
		return line, false
	}
	return strings.TrimPrefix(text, " "), true
}

// isFencedText reports whether text begins with a mark that is no part of it, or
// may be none: a quote, a block's bar, or the three quotes of Python's long strings.
func isFencedText(text string) bool {
	text = strings.TrimSpace(text)
	for _, fence := range []string{`"""`, "'''"} {
		if strings.HasPrefix(text, fence) {
			return strings.HasSuffix(text, fence)
		}
	}
	return text == "" || strings.IndexByte(`"'|>`, text[0]) >= 0
}

// elementLines reads a body of elements in place of YAML: each is a declared
// parameter on a line of its own.
func elementLines(body string, def *tool.Definition) (json.RawMessage, bool) {
	all := argumentsFor(def)
	for line := range strings.Lines(body) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		t, v := readElementTag(line, "")
		if v != done || t.kind != openingTag {
			return nil, false
		}
		value, closed := strings.CutSuffix(line[t.n:], "</"+t.name+">")
		_, declared := all.parameters[t.name]
		_, again := all.index[t.name]
		if !closed || !declared || again || strings.IndexByte(value, '<') >= 0 {
			return nil, false
		}
		all.add(t.name, decodeEntities(strings.TrimSpace(value)))
	}
	return all.json(), len(all.list) > 0
}
