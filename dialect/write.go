package dialect

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"helve/message"
)

// Write returns calls as a model writes them in the dialect: what a [Decoder] reads
// back. Arguments that are no JSON object, which models make and a history keeps,
// are written as none. It is empty where calls are no text.
func (d *Dialect) Write(calls []message.ToolCall) string {
	if d.write == nil || len(calls) == 0 {
		return ""
	}
	sound := slices.Clone(calls)
	for i := range sound {
		sound[i].Arguments = objectOf(sound[i].Arguments)
	}
	return d.write(sound)
}

// objectOf is arguments where they are a JSON object, else {}.
func objectOf(arguments json.RawMessage) json.RawMessage {
	object := bytes.TrimSpace(arguments)
	if !json.Valid(object) || object[0] != '{' {
		return json.RawMessage("{}")
	}
	return object
}

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

// inArray writes the calls as the elements of an array.
func inArray(calls []message.ToolCall, write func(*strings.Builder, message.ToolCall)) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, c := range calls {
		if i > 0 {
			b.WriteString(", ")
		}
		write(&b, c)
	}
	b.WriteByte(']')
	return b.String()
}

// writeArray returns a function that writes one array of calls between two markers.
func writeArray(opener, closer string) func([]message.ToolCall) string {
	return func(calls []message.ToolCall) string {
		return opener + inArray(calls, func(b *strings.Builder, c message.ToolCall) {
			writeCallJSON(b, "name", "arguments", c)
		}) + closer
	}
}

// resultInTags returns a function that writes a result between the tags of name.
func resultInTags(tag string) func(message.ToolResult, string) string {
	return func(r message.ToolResult, _ string) string {
		return "<" + tag + ">\n" + r.Text() + "\n</" + tag + ">"
	}
}

// writeCallJSON writes {"name": "…", "arguments": {…}} under the given keys.
func writeCallJSON(b *strings.Builder, nameKey, argumentsKey string, c message.ToolCall) {
	b.WriteString(`{"` + nameKey + `": ` + quote(c.Name) + `, "` + argumentsKey + `": `)
	b.WriteString(string(c.Arguments))
	b.WriteByte('}')
}
