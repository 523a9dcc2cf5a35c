package dialect

import (
	"encoding/json"
	"strings"

	"helve/message"
)

// inLines writes one call below the other.
func inLines(calls []message.ToolCall, write func(*strings.Builder, message.ToolCall)) string {
	var b strings.Builder
	for i, c := range calls {
		if i > 0 {
			b.WriteByte('\n')
		}
		write(&b, c)
	}
	return b.String()
}

// writeCallJSON writes {"name": "…", "arguments": {…}} under the given keys.
func writeCallJSON(b *strings.Builder, nameKey, argumentsKey string, c message.ToolCall) {
	b.WriteString(`{"` + nameKey + `": ` + quote(c.Name) + `, "` + argumentsKey + `": `)
	b.WriteString(argumentsOf(c))
	b.WriteByte('}')
}

// argumentsOf is a call's arguments, or {} where it has none.
func argumentsOf(c message.ToolCall) string {
	if len(c.Arguments) == 0 {
		return "{}"
	}
	return string(c.Arguments)
}

// quote writes s as a JSON string, without the escapes that are for HTML only.
func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
