package dialect

import (
	"bytes"
	"encoding/json"
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
	say := english
	if l == Chinese {
		say = chinese
	}
	for i, def := range tools {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "- %s%s%s", escaped(def.Name), say.colon, indented(def.Description, "  "))
		f := functionOf(def)
		schemas := membersOf(f.property("properties"))
		if len(schemas) == 0 {
			fmt.Fprintf(b, "\n  - %s", say.parameters)
		}
		for _, p := range def.Schema().Properties() {
			fmt.Fprintf(b, "\n  - %s", say.describe(p, find(schemas, p.Name)))
		}
		if defs := f.property("$defs"); defs != nil {
			fmt.Fprintf(b, "\n  - $defs%s%s", say.colon, asJSON(defs))
		}
	}
}

// describe is a parameter in a line. What the list has no words for, such as
// limits and what is nested, is there as JSON Schema.
func (w *wording) describe(p schema.Property, raw json.RawMessage) string {
	facts := []string{w.optional}
	if p.Required {
		facts[0] = w.required
	}
	if len(p.Enum) > 0 {
		values := make([]string, len(p.Enum))
		for i, v := range p.Enum {
			values[i] = asJSON(v)
		}
		facts = append(facts, w.oneOf+strings.Join(values, " | "))
	}
	if len(p.Default) > 0 {
		facts = append(facts, w.fallback+asJSON(p.Default))
	}
	said := []string{"title", "description", "examples", "enum", "const", "default"}
	typ := p.Type
	if typ == "" {
		typ = w.anything
	} else if t, ok := textIn(find(membersOf(raw), "type")); ok && t == typ {
		said = append(said, "type")
	}
	if rest := without(raw, said...); rest != nil {
		facts = append(facts, asJSON(rest))
	}
	line := escaped(p.Name) + w.open + typ + w.comma + strings.Join(facts, w.comma) + w.close
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
func markupSafe(raw json.RawMessage) string {
	var b strings.Builder
	s := string(raw)
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
func asJSON(raw json.RawMessage) string { return markupSafe(spaced(raw)) }

// spaced writes compact JSON with a blank behind each comma and colon: the way in
// which nearly all models have seen it.
func spaced(raw json.RawMessage) json.RawMessage {
	out := make(json.RawMessage, 0, len(raw)+len(raw)/8)
	inString := false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		out = append(out, c)
		switch {
		case inString && c == '\\' && i+1 < len(raw):
			i++
			out = append(out, raw[i])
		case c == '"':
			inString = !inString
		case !inString && (c == ',' || c == ':'):
			out = append(out, ' ')
		}
	}
	return out
}

// function is a tool as model/openai sends it, without {"type": "function"}.
type function struct {
	Name, Description string
	Parameters        json.RawMessage

	raw json.RawMessage // all of it
}

func functionOf(def tool.Definition) function {
	wire, _ := def.FunctionTool(schema.OpenAI)
	f := function{Name: def.Name, Description: def.Description}
	f.raw = find(membersOf(wire), "function")
	f.Parameters = find(membersOf(f.raw), "parameters")
	return f
}

// property is a keyword of the parameters' schema, or nil.
func (f function) property(key string) json.RawMessage { return find(membersOf(f.Parameters), key) }

// member is one of a JSON object.
type member struct {
	key   string
	value json.RawMessage
}

// membersOf are those of an object, in their order; of anything else none.
func membersOf(raw json.RawMessage) []member {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	var out []member
	for dec.More() {
		var m member
		key, err := dec.Token()
		if err != nil || dec.Decode(&m.value) != nil {
			return nil
		}
		m.key, _ = key.(string)
		out = append(out, m)
	}
	return out
}

func find(members []member, key string) json.RawMessage {
	for _, m := range members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// without is an object less some of its keys, or nil where none is left.
func without(raw json.RawMessage, keys ...string) json.RawMessage {
	var out json.RawMessage
	for _, m := range membersOf(raw) {
		if !slices.Contains(keys, m.key) {
			out = append(append(append(out, ','), quote(m.key)...), ':')
			out = append(out, m.value...)
		}
	}
	if out == nil {
		return nil
	}
	out[0] = '{'
	return append(out, '}')
}
