package dialect

import (
	"errors"
	"strings"

	"helve/schema"
)

// Some models leave the parameter's tags out where there is but one that they can
// mean:
//
//	<send_message>Hello.</send_message>
//
// Prose names tags too. So such a call must begin its line, its text is short and
// holds no other tag, and the closing tag must be there.

// takesText reports whether the call may go on with plain text.
func (e *elementScanner) takesText() bool {
	if !e.body.plain || e.inLine || e.open.unended || len(e.values) > 0 {
		return false
	}
	_, ok := onlyText(e.parameters)
	return ok
}

// onlyText returns the one parameter that takes text. All others must be optional.
func onlyText(parameters map[string]schema.Property) (only schema.Property, ok bool) {
	for _, p := range parameters {
		switch {
		case !p.Allows("string") && p.Required, p.Allows("string") && ok:
			return schema.Property{}, false
		case p.Allows("string"):
			only, ok = p, true
		}
	}
	return only, ok
}

// plainText looks for the tag that ends plain text and the call.
func (e *elementScanner) plainText(s string) (step, bool) {
	end := e.open.n + maxHeader
	for {
		i := strings.IndexByte(s[e.at:], '<')
		switch {
		case i >= 0 && e.at+i < end:
			e.at += i
		case i >= 0 || len(s) >= end:
			e.at = end
			return e.fail(errors.New("the text is too long to be an argument without a tag")), true
		default:
			e.at = len(s)
			return step{}, true
		}
		t, v := readElementTag(s[e.at:], "")
		switch {
		case v == more:
			return step{}, true
		case v == done && e.ends(t):
			only, _ := onlyText(e.parameters)
			e.values = []elementValue{{name: only.Name, raw: []string{unframe(s[e.open.n:e.at])}}}
			e.at += t.n
			return e.finish(), true
		case v == done:
			return e.fail(errors.New("a tag stands in an argument without one")), true
		}
		e.at++
	}
}
