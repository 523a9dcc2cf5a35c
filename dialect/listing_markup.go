package dialect

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"helve/tool"
)

// deepseekTools is a heading for each tool, as DeepSeek V3 and V3.1 saw them.
func deepseekTools(b *strings.Builder, tools []tool.Definition, _ Language) {
	for i, def := range tools {
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString("### " + escaped(def.Name) + "\nDescription: " + indented(def.Description, "  "))
		b.WriteString("\n\nParameters: " + asJSON(functionOf(def).Parameters))
	}
}

// qwenCoderTools is the XML of Qwen3-Coder: what is text in the schema is text
// there, the rest is JSON.
func qwenCoderTools(b *strings.Builder, tools []tool.Definition, _ Language) {
	b.WriteString("<tools>")
	for _, def := range tools {
		b.WriteString("\n<function>")
		element(b, "name", quoted(def.Name))
		element(b, "description", quoted(def.Description))
		b.WriteString("\n<parameters>")
		parameters := membersOf(functionOf(def).Parameters)
		for _, p := range membersOf(find(parameters, "properties")) {
			b.WriteString("\n<parameter>")
			element(b, "name", quoted(p.key))
			for _, first := range []string{"type", "description"} {
				element(b, first, find(membersOf(p.value), first))
			}
			for _, m := range membersOf(p.value) {
				if m.key != "type" && m.key != "description" {
					element(b, m.key, m.value)
				}
			}
			b.WriteString("\n</parameter>")
		}
		for _, m := range parameters {
			if m.key != "type" && m.key != "properties" {
				element(b, m.key, m.value)
			}
		}
		b.WriteString("\n</parameters>\n</function>")
	}
	b.WriteString("\n</tools>")
}

// element writes a keyword of a schema as an element, if it is there.
func element(b *strings.Builder, name string, value json.RawMessage) {
	if value == nil {
		return
	}
	text, isText := textIn(value)
	if isText {
		text = escaped(strings.TrimSpace(text))
	} else {
		text = asJSON(value)
	}
	b.WriteString("\n<" + escaped(name) + ">" + text + "</" + escaped(name) + ">")
}

// declarations is Gemma's own notation: keys without quotes and in alphabetic
// order, strings between fences, types in capitals.
type declarations struct{ open, close, fence string }

var (
	gemmaTools         = declarations{`<|tool>`, `<tool|>`, `<|"|>`}.list
	functionGemmaTools = declarations{`<start_function_declaration>`, `<end_function_declaration>`, `<escape>`}.list
)

func (g declarations) list(b *strings.Builder, tools []tool.Definition, _ Language) {
	for i, def := range tools {
		if i > 0 {
			b.WriteByte('\n')
		}
		f := functionOf(def)
		b.WriteString(g.open + "declaration:" + escaped(f.Name) + "{description:" + g.text(f.Description) + ",parameters:")
		g.value(b, "", f.Parameters)
		b.WriteString("}" + g.close)
	}
}

func (g declarations) value(b *strings.Builder, key string, raw json.RawMessage) {
	switch raw[0] {
	case '{':
		members := membersOf(raw)
		slices.SortStableFunc(members, func(x, y member) int { return cmp.Compare(x.key, y.key) })
		b.WriteByte('{')
		for i, m := range members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(escaped(m.key) + ":")
			g.value(b, m.key, m.value)
		}
		b.WriteByte('}')
	case '[':
		var list []json.RawMessage
		_ = json.Unmarshal(raw, &list) // it is part of a schema, which was parsed before
		b.WriteByte('[')
		for i, e := range list {
			if i > 0 {
				b.WriteByte(',')
			}
			g.value(b, key, e)
		}
		b.WriteByte(']')
	case '"':
		text, _ := textIn(raw)
		if key == "type" {
			text = strings.ToUpper(text)
		}
		b.WriteString(g.text(text))
	default:
		b.Write(raw)
	}
}

func (g declarations) text(s string) string { return g.fence + escaped(s) + g.fence }

// textIn is what a JSON string says, if raw is one.
func textIn(raw json.RawMessage) (string, bool) {
	var s *string
	if json.Unmarshal(raw, &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

func quoted(s string) json.RawMessage { return json.RawMessage(quote(s)) }
