package dialect

import (
	"fmt"
	"slices"
	"strings"

	"helve/schema"
	"helve/tool"
)

// A listing shows a model its tools. There are two kinds: the plain list below,
// which every model can read, and those that a family of models was trained on.
//
// Descriptions come from strangers (a server, a skill) and may hold anything, also
// what would end the listing, begin a call, or be a special token of the model's
// tokenizer: "</tools>", "<|im_end|>". So "<" is escaped where it begins something
// like markup, and there alone: "x < 5" reads best as it is. In JSON it becomes
// \u003c, which means the same and which every model reads; elsewhere &lt;, as in
// Markdown and XML.

// plainTools lists each tool, and below it each parameter, in words.
func plainTools(b *strings.Builder, tools []tool.Definition, l Language) {
	say := l.wording()
	for i, def := range tools {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "- %s%s%s", indented(def.Name, "  "), say.colon, indented(def.Description, "  "))
		parameters := schemaJSON(def)
		schemas := find(parameters, "properties")
		for _, p := range def.Schema().Properties() {
			fmt.Fprintf(b, "\n  - %s", say.describe(p, find(schemas, p.Name)))
		}
		if schemas == "" || schemas == "{}" {
			fmt.Fprintf(b, "\n  - %s", say.parameters)
		}
		if defs := find(parameters, "$defs"); defs != "" {
			fmt.Fprintf(b, "\n  - $defs%s%s", say.colon, asJSON(defs))
		}
	}
}

// describe is a parameter in a line. What the list has no words for, such as
// limits and what is nested, is there as JSON Schema.
func (w *wording) describe(p schema.Property, raw string) string {
	facts := []string{w.optional}
	if p.Required {
		facts[0] = w.required
	}
	if len(p.Enum) > 0 {
		values := make([]string, len(p.Enum))
		for i, v := range p.Enum {
			values[i] = asJSON(string(v))
		}
		facts = append(facts, w.oneOf+strings.Join(values, " | "))
	}
	if len(p.Default) > 0 {
		facts = append(facts, w.fallback+asJSON(string(p.Default)))
	}
	said := []string{"title", "description", "examples", "enum", "const", "default"}
	typ := p.Type
	if typ == "" {
		typ = w.anything
	} else if find(raw, "type") == quote(typ) {
		said = append(said, "type")
	}
	if rest := without(raw, said...); rest != "" {
		facts = append(facts, asJSON(rest))
	}
	line := indented(p.Name, "    ") + w.open + typ + w.comma + strings.Join(facts, w.comma) + w.close
	if d := strings.TrimSpace(p.Description); d != "" {
		line += w.colon + indented(d, "    ")
	}
	return line
}

// indented keeps the lines of s below the item they belong to, so that none of
// them can pass for another item or a heading.
func indented(s, indent string) string {
	lines := strings.FieldsFunc(escaped(s), func(r rune) bool { return r == '\n' || r == '\r' })
	return strings.Join(lines, "\n"+indent)
}

// escaped is s as text in which no markup begins.
func escaped(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if beginsMarkup(s[i:]) && s[i] == '<' {
			b.WriteString("&lt;")
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// markupSafe is JSON in whose strings no markup begins.
func markupSafe(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if beginsMarkup(s[i:]) {
			fmt.Fprintf(&b, `\u%04x`, s[i])
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// beginsMarkup reports a tag, a special token such as <|end|>, or one in the style
// of Mistral's, [INST]. In JSON none of these occurs outside strings.
func beginsMarkup(s string) bool {
	letter := func(i int) bool { return i < len(s) && (s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z') }
	switch {
	case len(s) < 2:
		return false
	case s[0] == '<':
		return letter(1) || strings.IndexByte("/|!?_]", s[1]) >= 0 || s[1] >= 0x80
	case s[0] == '[':
		return s[1] == '/' && letter(2) || letter(1) && letter(2) && s[1] <= 'Z' && s[2] <= 'Z'
	}
	return false
}

// asJSON is compact JSON as a listing shows it.
func asJSON(s string) string { return markupSafe(spaced(s)) }

// spaced writes compact JSON with a blank behind each comma and colon: the way in
// which nearly all models have seen it.
func spaced(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '"' {
			end := skipString(s, i)
			b.WriteString(s[i:end])
			i = end - 1
			continue
		}
		b.WriteByte(s[i])
		if s[i] == ',' || s[i] == ':' {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// signatureOf is a tool as model/openai sends it: {"type": "function", "function":
// {"name", "description", "parameters"}}.
func signatureOf(def tool.Definition) string {
	signature, _ := def.FunctionTool(schema.OpenAI)
	return string(signature)
}

// schemaJSON is the schema in a tool's signature.
func schemaJSON(def tool.Definition) string {
	return find(find(signatureOf(def), "function"), "parameters")
}

// find is the value of a key in a JSON object, or "".
func find(object, key string) string {
	if strings.HasPrefix(object, "{") {
		for k, value := range members(object) {
			if k == key {
				return value
			}
		}
	}
	return ""
}

// without is an object less some of its keys, or "" where none is left.
func without(object string, keys ...string) string {
	if !strings.HasPrefix(object, "{") {
		return ""
	}
	var kept []string
	for key, value := range members(object) {
		if !slices.Contains(keys, key) {
			kept = append(kept, quote(key)+":"+value)
		}
	}
	if kept == nil {
		return ""
	}
	return "{" + strings.Join(kept, ",") + "}"
}
