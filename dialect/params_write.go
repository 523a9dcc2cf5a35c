package dialect

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"helve/message"
)

// paramWriter writes calls so that a paramBody reads them.
type paramWriter struct {
	body   *paramBody
	opener string // in front of the calls
	closer string // behind the calls
	each   bool   // both are written for each call
	equals bool   // <function=NAME>, else <function name="NAME">
	line   string // behind each tag but those of values
	frame  string // at both ends of a value
	typed  bool   // <parameter name="KEY" string="true">

	text func(string) string // escapes a value; nil: it is written as it is
}

// calls is a dialect's write.
func (w *paramWriter) calls(calls []message.ToolCall) string {
	var b strings.Builder
	for i, c := range calls {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == 0 || w.each {
			b.WriteString(w.opener)
		}
		w.call(&b, c)
		if i == len(calls)-1 || w.each {
			b.WriteString(w.closer)
		}
	}
	return b.String()
}

func (w *paramWriter) call(b *strings.Builder, c message.ToolCall) {
	function := w.body.functions[0]
	w.tag(b, function, c.Name, "")
	b.WriteString(w.line)
	object := strings.TrimSpace(string(c.Arguments))
	if !json.Valid([]byte(object)) || !strings.HasPrefix(object, "{") {
		object = "{}"
	}
	for name, value := range members(object) {
		w.parameter(b, name, value)
	}
	b.WriteString("</" + function + ">")
}

func (w *paramWriter) parameter(b *strings.Builder, name, value string) {
	word := w.body.parameters[0]
	isString := value[0] == '"'
	text, frame := value, w.frame
	if isString {
		text = unquote(value)
	}
	switch {
	case w.text != nil:
		text = w.text(text)
	case w.mustEscape(text) && (!isString || w.body.quoted || w.typed):
		// JSON can write < so that no tag is seen. Other text can't.
		text = strings.ReplaceAll(value, "<", `\u003c`)
		isString = false
	}
	if w.body.framed && frame == "" && (strings.HasPrefix(text, "\n") || strings.HasPrefix(text, "\r\n")) {
		frame = "\n"
	}
	attribute := ""
	if w.typed {
		attribute = ` string="` + strconv.FormatBool(isString) + `"`
	}
	w.tag(b, word, name, attribute)
	b.WriteString(frame + text + frame + "</" + word + ">" + w.line)
}

// mustEscape reports whether text, within a value, would be taken for something
// else: for a tag, or for a JSON string.
func (w *paramWriter) mustEscape(text string) bool {
	if trimmed := strings.TrimSpace(text); w.body.quoted && strings.HasPrefix(trimmed, `"`) && isJSON(trimmed) {
		return true
	}
	for _, words := range [][]string{w.body.functions, w.body.parameters} {
		for _, word := range words {
			if strings.Contains(text, "<"+word) || strings.Contains(text, "</"+word) {
				return true
			}
		}
	}
	return slices.ContainsFunc(w.body.closers, func(closer string) bool { return strings.Contains(text, closer) })
}

// tag writes an opening tag.
func (w *paramWriter) tag(b *strings.Builder, word, name, attribute string) {
	switch {
	case !w.equals:
		b.WriteString("<" + word + ` name="` + attributeEscapes.Replace(name) + `"` + attribute + ">")
	case strings.ContainsAny(name, "<>"):
		b.WriteString("<" + word + `="` + name + `">`)
	default:
		b.WriteString("<" + word + "=" + name + ">")
	}
}

var attributeEscapes = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;")
