package dialect

import (
	"slices"
	"strings"
)

// elementTag is a tag without attributes, as <name>, </name> or <name/>. White
// space may stand beside the name.
type elementTag struct {
	name string
	kind tagKind
	n    int // its length
}

type tagKind uint8

const (
	openingTag tagKind = iota
	closingTag
	emptyTag
)

// readElementTag reads the tag that s begins with; prefix stands before its <.
// More means that s ends too early to say.
func readElementTag(s, prefix string) (elementTag, verdict) {
	if len(s) <= len(prefix) {
		if strings.HasPrefix(prefix, s) {
			return elementTag{}, more
		}
		return elementTag{}, fail
	}
	if !strings.HasPrefix(s, prefix) || s[len(prefix)] != '<' {
		return elementTag{}, fail
	}
	var t elementTag
	bounded := s[:min(len(s), maxHeader)]
	at := skipSpace(bounded, len(prefix)+1)
	if at < len(bounded) && bounded[at] == '/' {
		t.kind = closingTag
		at = skipSpace(bounded, at+1)
	}
	start := at
	for at < len(bounded) && isElementByte(bounded[at]) {
		at++
	}
	t.name = bounded[start:at]
	at = skipSpace(bounded, at)
	if at < len(bounded) && bounded[at] == '/' && t.kind == openingTag {
		t.kind = emptyTag
		at++
	}
	switch {
	case at == len(bounded) && at < maxHeader:
		return elementTag{}, more
	case at == len(bounded) || t.name == "" || bounded[at] != '>':
		return elementTag{}, fail
	}
	t.n = at + 1
	return t, done
}

// isElementByte reports whether c may be in the name of an element.
func isElementByte(c byte) bool { return isWord(c) || c == '-' || c == '.' || c == ':' }

// canNameElement reports whether an element can have this name.
func canNameElement(name string) bool {
	return name != "" && !slices.ContainsFunc([]byte(name), func(c byte) bool { return !isElementByte(c) })
}

// elementOpeners are markers for the tags of the declared tools. What is behind
// them decides whether they are those tags, or longer ones.
func elementOpeners(d *Decoder, open func(d *Decoder, tool string) scanner) []marker {
	var all []marker
	for _, def := range d.options.Tools {
		if name := def.Name; canNameElement(name) {
			begin := func(d *Decoder) scanner { return open(d, name) }
			all = append(all, marker{text: "<" + name, open: begin}, marker{text: "< " + name, open: begin})
		}
	}
	return all
}

// openElement reads the tag of a tool's element, whose beginning the marker was.
func openElement(s, tool string) (elementTag, verdict) {
	if end := strings.Index(s, tool) + len(tool); end < len(s) && isElementByte(s[end]) {
		return elementTag{}, fail // <tool_actions> is not <tool_action>
	}
	t, v := readElementTag(s, "")
	if v == done && t.kind == closingTag {
		v = fail
	}
	return t, v
}

// unendedElement reads a tool's opening tag whose ">" is missing, at the end of its
// line: models write "/>" behind the arguments then. It is for what [openElement]
// refused. name ends the tag; n goes on to the next line's text.
func unendedElement(s, tool string) (name, n int, ok bool) {
	name = strings.Index(s, tool) + len(tool)
	n = skipSpace(s[:min(len(s), maxHeader)], name)
	return name, n, n < maxHeader && strings.IndexByte(s[name:n], '\n') >= 0
}
