package dialect

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"helve/schema"
)

// elementReader reads values that may be made of elements, as the JSON that the schema
// wants: <item>1</item><item>2</item> for an array, <city>Rome</city> for an object.
type elementReader struct {
	prefix string // of every tag
	xml    bool   // text has entities, and elements inside a value are indented as XML is
}

// element is one element inside a value.
type element struct {
	name     string
	raw      string // between its tags
	start    int    // of raw
	children []element
	mixed    bool // there is text beside the children
}

// value reads what was written for a parameter, once for each time.
func (e *elementReader) value(p schema.Property, known bool, raw []string) json.RawMessage {
	if len(raw) == 1 {
		if !known || p.Allows("string") {
			return typedValue(p, known, e.text(raw[0]))
		}
		return e.typed(p, e.parse(raw[0]))
	}
	items, known := p.Items()
	out := []byte{'['}
	for i, r := range raw {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, e.value(items, known, []string{r})...)
	}
	return append(out, ']')
}

func (e *elementReader) text(raw string) string {
	if e.xml {
		return decodeEntities(raw)
	}
	return raw
}

// parse reads raw as elements. Where it is none, or not well-formed, the result
// has no children.
func (e *elementReader) parse(raw string) element {
	first := (e.prefix + "<")[0]
	open := []element{{raw: raw}}
	for at, behind := 0, 0; ; {
		i := strings.IndexByte(raw[at:], first)
		top := &open[len(open)-1]
		if i < 0 {
			if len(open) > 1 {
				return element{raw: raw}
			}
			top.mixed = top.mixed || strings.TrimSpace(raw[behind:]) != ""
			return *top
		}
		at += i
		t, v := readElementTag(raw[at:], e.prefix)
		if v != done {
			at++
			continue
		}
		top.mixed = top.mixed || strings.TrimSpace(raw[behind:at]) != ""
		switch t.kind {
		case emptyTag:
			top.children = append(top.children, element{name: t.name})
		case openingTag:
			if len(open) > maxDepth {
				return element{raw: raw}
			}
			open = append(open, element{name: t.name, start: at + t.n})
		case closingTag:
			if len(open) == 1 || top.name != t.name {
				return element{raw: raw}
			}
			top.raw = raw[top.start:at]
			parent := &open[len(open)-2]
			parent.children = append(parent.children, *top)
			open = open[:len(open)-1]
		}
		at += t.n
		behind = at
	}
}

// typed reads an element as the type that p allows.
func (e *elementReader) typed(p schema.Property, el element) json.RawMessage {
	switch {
	case p.Allows("string"):
		return e.leaf(p, true, el)
	case el.mixed || len(el.children) == 0:
		if p.Type == "array" {
			return e.list(p, el.raw)
		}
		return typedValue(p, true, e.text(el.raw))
	case p.Allows("array") && !slices.ContainsFunc(el.children, func(c element) bool { return !isItem(c.name) }):
		items, known := p.Items()
		return e.array(el.children, func(c element) json.RawMessage { return e.inner(items, known, c) })
	case p.Allows("object"):
		return e.object(p, el.children)
	case p.Allows("array"):
		items, _ := p.Items()
		return e.array([]element{el}, func(c element) json.RawMessage { return e.object(items, c.children) })
	case len(el.children) == 1 && isItem(el.children[0].name):
		return e.typed(p, el.children[0])
	}
	return e.leaf(p, true, el)
}

// leaf is an element's text, tags and all.
func (e *elementReader) leaf(p schema.Property, known bool, el element) json.RawMessage {
	text := el.raw
	if e.xml && el.name != "" {
		text = strings.TrimSpace(text)
	}
	return typedValue(p, known, e.text(text))
}

// inner reads an element inside a value. Without a schema, what is made of
// elements is an object or a list.
func (e *elementReader) inner(p schema.Property, known bool, el element) json.RawMessage {
	switch {
	case known && p.Type != "":
		return e.typed(p, el)
	case el.mixed || len(el.children) == 0:
		return e.leaf(p, known, el)
	case !slices.ContainsFunc(el.children, func(c element) bool { return !isItem(c.name) }):
		return e.array(el.children, func(c element) json.RawMessage { return e.inner(schema.Property{}, false, c) })
	}
	return e.object(p, el.children)
}

// isItem reports whether an element is one of a list: <item>, or its number.
func isItem(name string) bool {
	return name == "item" || strings.Trim(name, "0123456789") == ""
}

func (e *elementReader) array(list []element, value func(element) json.RawMessage) json.RawMessage {
	values := make([][]byte, len(list))
	for i, el := range list {
		values[i] = value(el)
	}
	return slices.Concat([]byte{'['}, bytes.Join(values, []byte{','}), []byte{']'})
}

// object makes an object of elements. One that is there several times is a list.
func (e *elementReader) object(p schema.Property, children []element) json.RawMessage {
	var names []string
	groups := map[string][]element{}
	for _, c := range children {
		if groups[c.name] == nil {
			names = append(names, c.name)
		}
		groups[c.name] = append(groups[c.name], c)
	}
	declared := map[string]schema.Property{}
	for _, property := range p.Properties() {
		declared[property.Name] = property
	}
	out := []byte{'{'}
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, quote(name)...), ':')
		property, known := declared[name]
		group := groups[name]
		if len(group) == 1 {
			out = append(out, e.inner(property, known, group[0])...)
			continue
		}
		items, known := property.Items()
		out = append(out, e.array(group, func(c element) json.RawMessage { return e.inner(items, known, c) })...)
	}
	return append(out, '}')
}

// list reads an array that was written as text: as JSON, as a list with commas or
// on lines where its elements are no text themselves, or as its only element.
func (e *elementReader) list(p schema.Property, raw string) json.RawMessage {
	text := strings.TrimSpace(e.text(raw))
	if value := typedValue(p, true, text); value[0] == '[' {
		return value
	}
	if text == "" {
		return json.RawMessage("[]")
	}
	parts := []string{text}
	items, known := p.Items()
	if known && !items.Allows("string") && !isContainer(text) {
		parts = strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '\n' })
	}
	values := make([][]byte, len(parts))
	for i, part := range parts {
		values[i] = typedValue(items, known, part)
	}
	return slices.Concat([]byte{'['}, bytes.Join(values, []byte{','}), []byte{']'})
}
