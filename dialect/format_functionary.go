package dialect

import (
	"errors"
	"strings"

	"helve/message"
)

var (
	functionTag = jsonBody{
		header:  nameBefore(">"),
		shape:   "{",
		closers: []string{"</function>"},
		next:    []string{"<function="},
	}
	functionElement = jsonBody{
		header:  nameBefore("</name><arguments>"),
		shape:   "{",
		closers: []string{"</arguments></function>"},
	}
)

var functionaryV31 = Dialect{
	name:    "functionary-v3.1",
	purpose: "Functionary 3.1, and Llama 3.1 where tools are the host's own",
	models:  []string{"functionary-small-v3.1", "functionary-medium-v3.1"},
	markers: []marker{functionTag.marker("<function="), functionElement.marker("<function><name>")},
	write: func(calls []message.ToolCall) string {
		var b strings.Builder
		for _, c := range calls {
			b.WriteString("<function=" + c.Name + ">" + string(c.Arguments) + "</function>")
		}
		return b.String()
	},
	result: resultAsJSON,
	role:   message.RoleUser,
}

// A message of Functionary 3.2 begins with its recipient on a line of its own, and
// >>> stands before every message but the first: the prompt has that one.
var (
	recipientBody = jsonBody{header: recipient, shape: "{", loose: true, closers: []string{"<|eot_id|>", "<|eom_id|>"}}
	contentBody   = jsonBody{header: contentFor, shape: "{", loose: true, closers: []string{"<|stop|>"}}
)

var functionaryV32 = Dialect{
	name:    "functionary-v3.2",
	purpose: "Functionary 2 and 3.2",
	models:  []string{"functionary"},
	start:   func(d *Decoder) scanner { return &jsonScanner{body: &recipientBody, d: d} },
	markers: []marker{
		recipientBody.marker(">>>"),
		contentBody.marker("<|from|>assistant\n<|recipient|>"),
		contentBody.marker("<|recipient|>"),
		{text: "<|stop|>"},
		{text: "[", where: answerStart, open: bareArray.open("[")}, // what it falls back to
	},
	weak: true,
	write: func(calls []message.ToolCall) string {
		return inLines(calls, func(b *strings.Builder, c message.ToolCall) {
			b.WriteString(">>>" + c.Name + "\n" + string(c.Arguments))
		})
	},
	result: resultAsJSON,
	role:   message.RoleUser,
	stop:   []string{"<|eot_id|>"},
}

// everyone is the recipient of text.
const everyone = "all"

var errNoRecipient = errors.New("no recipient follows the marker")

// recipient reads a line that holds the name of a tool or of everyone. It gives up
// at the first byte that can't belong to one: the answer waits for it.
func recipient(d *Decoder, s string, eof bool) (header, verdict) {
	line, _, whole := strings.Cut(s, "\n")
	if !whole {
		if !eof && mayBeRecipient(d, line) {
			return header{}, more
		}
		return header{err: errNoRecipient}, fail
	}
	if line == everyone {
		return header{n: len(line) + 1}, part
	}
	if _, ok := d.callable(line); !ok || !mayBeRecipient(d, line) {
		return header{err: errNoRecipient}, fail
	}
	return header{name: line, n: len(line) + 1}, done
}

// mayBeRecipient reports whether s may be the beginning of a recipient.
func mayBeRecipient(d *Decoder, s string) bool {
	if strings.HasPrefix(everyone, s) {
		return true
	}
	if d.tools == nil {
		return strings.IndexFunc(s, func(r rune) bool { return r > '~' || !isKeyRune(r) && !strings.ContainsRune("/:", r) }) < 0
	}
	for name := range d.tools {
		if strings.HasPrefix(name, s) {
			return true
		}
	}
	return false
}

// contentFor reads a recipient of the older form.
func contentFor(d *Decoder, s string, eof bool) (header, verdict) {
	h, v := nameBefore("\n<|content|>")(d, s, eof)
	if v == done && h.name == everyone {
		v = part
	}
	return h, v
}
