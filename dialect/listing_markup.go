package dialect

import (
	"cmp"
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
		b.WriteString("\n\nParameters: " + asJSON(schemaJSON(def)))
	}
}

// qwenCoderTools is the XML of Qwen3-Coder: what is text in the schema is text
// there, the rest is JSON.
func qwenCoderTools(b *strings.Builder, tools []tool.Definition, _ Language) {
	b.WriteString("<tools>")
	for _, def := range tools {
		b.WriteString("\n<function>")
		writeElement(b, "name", quote(def.Name))
		writeElement(b, "description", quote(def.Description))
		b.WriteString("\n<parameters>")
		parameters := schemaJSON(def)
		for name, s := range members(find(parameters, "properties")) {
			b.WriteString("\n<parameter>")
			writeElement(b, "name", quote(name))
			writeElement(b, "type", find(s, "type"))
			writeElement(b, "description", find(s, "description"))
			writeElements(b, without(s, "type", "description"))
			b.WriteString("\n</parameter>")
		}
		writeElements(b, without(parameters, "type", "properties"))
		b.WriteString("\n</parameters>\n</function>")
	}
	b.WriteString("\n</tools>")
}

// writeElements writes the members of an object as elements.
func writeElements(b *strings.Builder, object string) {
	if object == "" {
		return
	}
	for key, value := range members(object) {
		writeElement(b, key, value)
	}
}

// writeElement writes a keyword of a schema as an element, if it is there.
func writeElement(b *strings.Builder, name, value string) {
	switch {
	case value == "":
		return
	case value[0] == '"':
		value = escaped(strings.TrimSpace(unquote(value)))
	default:
		value = asJSON(value)
	}
	b.WriteString("\n<" + escaped(name) + ">" + value + "</" + escaped(name) + ">")
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
		b.WriteString(g.open + "declaration:" + escaped(def.Name) + "{description:" + g.text(def.Description) + ",parameters:")
		g.value(b, "", schemaJSON(def))
		b.WriteString("}" + g.close)
	}
}

func (g declarations) value(b *strings.Builder, key, value string) {
	switch value[0] {
	case '{':
		type member struct{ key, value string }
		var all []member
		for k, v := range members(value) {
			all = append(all, member{k, v})
		}
		slices.SortStableFunc(all, func(x, y member) int { return cmp.Compare(x.key, y.key) })
		b.WriteByte('{')
		for i, m := range all {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(escaped(m.key) + ":")
			g.value(b, m.key, m.value)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		separator := ""
		for e := range elements(value) {
			b.WriteString(separator)
			g.value(b, key, e)
			separator = ","
		}
		b.WriteByte(']')
	case '"':
		text := unquote(value)
		if key == "type" {
			text = strings.ToUpper(text)
		}
		b.WriteString(g.text(text))
	default:
		b.WriteString(value)
	}
}

func (g declarations) text(s string) string { return g.fence + escaped(s) + g.fence }
