package dialect

import (
	"strings"

	"helve/schema"
	"helve/tool"
)

// harmonyTools is gpt-oss's: a namespace of TypeScript types. What TypeScript has
// no type for, such as limits, follows as JSON Schema in a comment.
func harmonyTools(b *strings.Builder, tools []tool.Definition, _ Language) {
	b.WriteString("## functions\n\nnamespace functions {\n")
	for _, def := range tools {
		b.WriteString("\n" + comment(def.Description) + "type " + escaped(def.Name) + " = (")
		if properties := def.Schema().Properties(); len(properties) > 0 {
			b.WriteString("_: " + typescriptObject(properties, find(schemaJSON(def), "properties"), 0))
		}
		b.WriteString(") => any;\n")
	}
	b.WriteString("\n} // namespace functions")
}

const maxTypescriptDepth = 3 // of a schema that holds itself

func typescriptObject(properties []schema.Property, schemas string, depth int) string {
	var b strings.Builder
	b.WriteString("{\n")
	for _, p := range properties {
		b.WriteString(comment(p.Description) + typescriptKey(p.Name))
		if !p.Required {
			b.WriteByte('?')
		}
		own := find(schemas, p.Name)
		b.WriteString(": " + typescript(p, own, depth+1) + ",")
		if facts := typescriptFacts(p, own); facts != "" {
			b.WriteString(" // " + facts)
		}
		b.WriteByte('\n')
	}
	b.WriteByte('}')
	return b.String()
}

// typescriptKey is a name as it is, where it can be, or else in quotes.
func typescriptKey(name string) string {
	if isElementName(name) && !strings.ContainsAny(name, "-.") {
		return name
	}
	return markupSafe(quote(name))
}

// typescriptFacts is what the type of p does not say.
func typescriptFacts(p schema.Property, own string) string {
	var facts []string
	if len(p.Default) > 0 {
		facts = append(facts, "default: "+asJSON(string(p.Default)))
	}
	rest := without(own, "type", "title", "description", "examples", "default", "enum", "const",
		"properties", "required", "items", "$ref", "anyOf", "oneOf", "additionalProperties")
	if rest != "" {
		facts = append(facts, asJSON(rest))
	}
	return strings.Join(facts, ", ")
}

func typescript(p schema.Property, own string, depth int) string {
	name := "any"
	switch {
	case depth > maxTypescriptDepth:
	case len(p.Enum) > 0:
		values := make([]string, len(p.Enum))
		for i, v := range p.Enum {
			values[i] = asJSON(string(v))
		}
		return strings.Join(values, " | ")
	case p.Type == "integer" || p.Type == "number":
		name = "number"
	case p.Type == "string" || p.Type == "boolean" || p.Type == "null":
		name = p.Type
	case p.Type == "array":
		name = "any[]"
		if item, ok := p.Items(); ok {
			name = typescript(item, find(own, "items"), depth)
			if strings.Contains(name, " | ") && !strings.HasPrefix(name, "{") {
				name = "(" + name + ")"
			}
			name += "[]"
		}
	case p.Type == "object":
		name = "object"
		if properties := p.Properties(); len(properties) > 0 {
			name = typescriptObject(properties, find(own, "properties"), depth)
		}
	}
	if p.Nullable && name != "null" {
		name += " | null"
	}
	return name
}

// comment is text in lines of its own.
func comment(s string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return "// " + indented(strings.TrimSpace(s), "// ") + "\n"
}
