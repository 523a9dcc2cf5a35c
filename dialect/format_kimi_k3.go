package dialect

import (
	"errors"
	"strconv"
	"strings"

	"helve/message"
)

// kimiK3Attributes reads the rest of a tag such as
//
//	<|open|>call tool="f" index="1"<|sep|>
func kimiK3Attributes(s string, eof bool) (attributes map[string]string, n int, v verdict) {
	s, eof = window(s, eof)
	last := eof || len(s) == maxHeader
	attributes = map[string]string{}
	for at := 0; ; {
		at = skipSpace(s, at)
		if n, v := matchAny(s[at:], []string{"<|sep|>"}, last); v != fail {
			return attributes, at + n, v
		}
		name, rest, ok := strings.Cut(s[at:], `="`)
		value, _, closed := strings.Cut(rest, `"`)
		switch {
		case strings.ContainsAny(name, "<>\"\n "), last && !closed:
			return nil, at, fail
		case !ok || !closed:
			return nil, at, more
		}
		attributes[name] = decodeEntities(value)
		at += len(name) + len(value) + len(`=""`)
	}
}

var kimiK3Body = pairBody{
	header: func(d *Decoder, s string, eof bool) (header, verdict) {
		attributes, n, v := kimiK3Attributes(s, eof)
		if v == done && attributes["tool"] == "" {
			v = fail
		}
		return header{name: attributes["tool"], n: n, err: errors.New("the call names no tool")}, v
	},
	key: func(s string, eof bool) (pairKey, verdict) {
		width, v := matchAny(s, []string{"<|open|>argument "}, eof)
		if v != done {
			return pairKey{}, v
		}
		attributes, n, v := kimiK3Attributes(s[width:], eof)
		key, ok := attributes["key"]
		if v == done && !ok {
			v = fail
		}
		return pairKey{name: key, kind: attributes["type"], n: width + n}, v
	},
	ends:    []string{"<|close|>argument<|sep|>"},
	closers: []string{"<|close|>call<|sep|>"},
	next:    []string{"<|open|>call", "<|close|>tools<|sep|>"},
}

var kimiK3Section = section{
	closers: []string{"<|close|>tools<|sep|>"},
	inner:   []marker{kimiK3Body.marker("<|open|>call")},
	next:    []string{"<|close|>message<|sep|>"},
}

var kimiK3 = Dialect{
	name:      "kimi-k3",
	purpose:   "Kimi K3",
	models:    []string{"kimi-k3"},
	reasoning: []span{{"<|open|>think<|sep|>", "<|close|>think<|sep|>"}},
	// What stands in the frames of the answer itself is text.
	markers: append([]marker{kimiK3Section.marker("<|open|>tools<|sep|>")}, closing([]string{
		"<|open|>response<|sep|>", "<|close|>response<|sep|>", "<|open|>message<|sep|>", "<|close|>message<|sep|>",
	})...),
	write: func(calls []message.ToolCall) string {
		var b strings.Builder
		b.WriteString("<|open|>tools<|sep|>")
		for i, c := range calls {
			b.WriteString(`<|open|>call tool="` + escapeAttribute(c.Name) + `" index="` + strconv.Itoa(i+1) + `"<|sep|>`)
			for key, value := range members(string(c.Arguments)) {
				writeKimiK3(&b, key, value)
			}
			b.WriteString("<|close|>call<|sep|>")
		}
		b.WriteString("<|close|>tools<|sep|>")
		return b.String()
	},
	result: func(r message.ToolResult, name string) string {
		return `<|open|>tool name="` + escapeAttribute(name) + `"<|sep|>` + r.Text() + "<|close|>tool<|sep|>"
	},
	role: message.RoleUser,
}

// writeKimiK3 writes one argument. Text that holds the format's own tags is
// written as JSON, in which they can be escaped.
func writeKimiK3(b *strings.Builder, key, value string) {
	kind := "string"
	switch text := value; {
	case strings.Contains(text, "<|"):
		kind = "json"
		value = strings.ReplaceAll(text, "<", `\u003c`)
	case value[0] == '"':
		value = unquote(text)
	default:
		kind = jsonType(value[0])
	}
	b.WriteString(`<|open|>argument key="` + escapeAttribute(key) + `" type="` + kind + `"<|sep|>` + value + "<|close|>argument<|sep|>")
}
