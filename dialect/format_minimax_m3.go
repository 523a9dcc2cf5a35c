package dialect

import (
	"strings"

	"helve/message"
)

// minimaxM3Prefix stands before every tag, so that no value can hold one by chance.
const minimaxM3Prefix = "]<]minimax[>["

var minimaxM3Body = elementBody{
	elementReader: elementReader{prefix: minimaxM3Prefix},
	head:          readInvoke,
	closer:        "invoke",
}

const minimaxM3Invoke = minimaxM3Prefix + "<invoke "

// readInvoke reads <invoke name="tool">.
func readInvoke(s, _ string) (callTag, verdict) {
	bounded := s[:min(len(s), maxHeader)]
	end := strings.IndexByte(bounded[min(len(bounded), len(minimaxM3Invoke)):], '>')
	if end < 0 {
		if len(bounded) == maxHeader {
			return callTag{n: len(minimaxM3Invoke)}, fail
		}
		return callTag{}, more
	}
	end += len(minimaxM3Invoke)
	name, ok := strings.CutPrefix(strings.TrimSpace(bounded[len(minimaxM3Invoke):end]), `name="`)
	name, closed := strings.CutSuffix(name, `"`)
	if name = strings.TrimSpace(name); !ok || !closed || name == "" {
		return callTag{n: end}, fail
	}
	return callTag{name: name, n: end + 1}, done
}

var minimaxM3Calls = section{
	closers: []string{minimaxM3Prefix + "</tool_call>"},
	inner: []marker{{text: minimaxM3Invoke, open: func(d *Decoder) scanner {
		return &elementScanner{body: &minimaxM3Body, d: d}
	}}},
}

var minimaxM3 = Dialect{
	name:      "minimax-m3",
	purpose:   "MiniMax M3",
	models:    []string{"minimax-m3"},
	reasoning: []span{{"<mm:think>", "</mm:think>"}},
	markers:   []marker{minimaxM3Calls.marker(minimaxM3Prefix + "<tool_call>")},
	write: func(calls []message.ToolCall) string {
		var b strings.Builder
		b.WriteString(minimaxM3Prefix + "<tool_call>\n")
		for _, c := range calls {
			b.WriteString(minimaxM3Invoke + `name="` + c.Name + `">`)
			for name, value := range members(string(c.Arguments)) {
				writeMinimaxM3(&b, name, value)
			}
			b.WriteString(minimaxM3Prefix + "</invoke>\n")
		}
		b.WriteString(minimaxM3Prefix + "</tool_call>")
		return b.String()
	},
	result:  plainResult,
	role:    message.RoleTool,
	listing: minimaxTools,
}

// writeMinimaxM3 writes a value as an element, and what is in it as elements, too,
// where their names allow it.
func writeMinimaxM3(b *strings.Builder, name, value string) {
	b.WriteString(minimaxM3Prefix + "<" + name + ">")
	switch {
	case value[0] == '"':
		b.WriteString(unquote(value))
	case value[0] == '[' && value != "[]":
		for v := range elements(value) {
			writeMinimaxM3(b, "item", v)
		}
	case value[0] == '{' && nameElements(value):
		for key, v := range members(value) {
			writeMinimaxM3(b, key, v)
		}
	default:
		b.WriteString(value)
	}
	b.WriteString(minimaxM3Prefix + "</" + name + ">")
}

// nameElements reports whether the keys of an object, and there are some, can name
// elements.
func nameElements(object string) bool {
	any := false
	for key := range members(object) {
		if any = true; !canNameElement(key) || isItem(key) {
			return false
		}
	}
	return any
}
