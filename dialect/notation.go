package dialect

import "strings"

// notation is how a language other than JSON writes JSON's values.
type notation struct {
	key, text    func(b *strings.Builder, s string)
	words        map[string]string // for true, false and null, where they differ
	colon, comma string
}

// write writes a valid JSON value.
func (n *notation) write(b *strings.Builder, value string) {
	comma := ""
	switch value[0] {
	case '{':
		b.WriteByte('{')
		for key, v := range members(value) {
			b.WriteString(comma)
			n.key(b, key)
			b.WriteString(n.colon)
			n.write(b, v)
			comma = n.comma
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for v := range elements(value) {
			b.WriteString(comma)
			n.write(b, v)
			comma = n.comma
		}
		b.WriteByte(']')
	case '"':
		n.text(b, unquote(value))
	default:
		if word, ok := n.words[value]; ok {
			value = word
		}
		b.WriteString(value)
	}
}
