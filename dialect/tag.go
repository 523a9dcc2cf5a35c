package dialect

import (
	"errors"
	"fmt"
	"strings"
)

// tagOpener begins a call of the tag dialect, where white space, "/" or ">" follows.
const tagOpener = "<tool_action"

// maxAttributes bounds the attributes and parameters of one call.
const maxAttributes = 1024

// tagScanner reads one element of requirement document 001:
//
//	<tool_action name="vector-search">
//	  <query value="text" />
//	</tool_action>
//
// It goes through the bytes once. White space may stand wherever XML allows it,
// and anything may stand within quotes. A parameter may also be written as
// <query>text</query>, which models fall into, and one whose name is not a name in
// XML as <param name="the name" value="text" />.
type tagScanner struct {
	d     *Decoder
	at    int
	state tagState
	inner bool // in a parameter's tag, not in the call's own
	mark  int  // where what is being read began
	quote byte

	attribute  string
	seen       map[string]string // attributes of the tag that is open
	element    string            // the parameter that is open
	tool       string
	arguments  *arguments
	attributes int
}

type tagState uint8

const (
	tagHead      tagState = iota // behind the opener
	tagName                      // in a parameter's name
	tagInside                    // in a tag, between attributes
	tagAttribute                 // in an attribute's name
	tagEquals                    // behind it
	tagQuote                     // behind =
	tagValue                     // within quotes
	tagValueEnd                  // behind the quote that ends a value
	tagSlash                     // behind a slash that ends a tag
	tagContent                   // between parameters
	tagLess                      // behind <
	tagText                      // in a parameter's text
	tagCloser                    // in a closing tag
)

func openTag(d *Decoder) scanner { return &tagScanner{d: d, at: len(tagOpener)} }

func (t *tagScanner) scan(s string, eof bool) step {
	for t.at < len(s) {
		var err error
		switch c := s[t.at]; t.state {
		case tagHead:
			if !isSpace(c) && c != '/' && c != '>' {
				return step{verdict: fail, n: t.at} // <tool_actions>
			}
			t.open(tagInside)
			continue
		case tagInside:
			switch {
			case isSpace(c):
			case c == '/':
				t.state = tagSlash
			case c == '>':
				err = t.opened()
			case c == '<' || c == '=' || c == '"' || c == '\'':
				err = fmt.Errorf("%q can't stand in a tag", c)
			default:
				t.mark, t.state = t.at, tagAttribute
			}
		case tagAttribute:
			if isSpace(c) || c == '=' {
				t.attribute = s[t.mark:t.at]
				t.state = tagEquals
				continue
			}
			if c == '>' || c == '<' || c == '/' || t.at-t.mark > maxHeader {
				err = fmt.Errorf("the attribute %q has no value", s[t.mark:t.at])
			}
		case tagEquals:
			if c == '=' {
				t.state = tagQuote
			} else if !isSpace(c) {
				err = fmt.Errorf("the attribute %q has no value", t.attribute)
			}
		case tagQuote:
			if c == '"' || c == '\'' {
				t.quote, t.mark, t.state = c, t.at+1, tagValue
			} else if !isSpace(c) {
				err = fmt.Errorf("the value of the attribute %q needs quotes", t.attribute)
			}
		case tagValue:
			i := strings.IndexByte(s[t.at:], t.quote)
			if i < 0 {
				t.at = len(s)
				continue
			}
			t.at += i
			if t.attributes++; t.attributes > maxAttributes {
				err = fmt.Errorf("it has more than %d attributes", maxAttributes)
			}
			if t.attribute != "name" && (t.attribute != "value" || !t.inner) {
				// To drop it would make another call of it.
				err = fmt.Errorf("the attribute %q means nothing here", t.attribute)
			}
			t.seen[t.attribute] = decodeEntities(s[t.mark:t.at])
			t.state = tagValueEnd
		case tagValueEnd:
			if c == '/' || c == '>' || isSpace(c) {
				t.state = tagInside
				continue
			}
			if c != t.quote || t.quote == 0 {
				err = fmt.Errorf("%q can't follow a value", c)
			}
			t.quote = 0 // one quote too many is let pass; document 001 has one in an example
		case tagSlash:
			if c != '>' {
				err = errors.New("a slash can't stand in a tag")
				break
			}
			if t.inner {
				err = t.parameter()
			} else if err = t.called(); err == nil {
				return t.finish(t.at + 1)
			}
		case tagContent:
			if c == '<' {
				t.mark, t.state = t.at, tagLess
			} else if !isSpace(c) {
				err = errors.New("text stands between the parameters")
			}
		case tagLess:
			switch {
			case c == '/':
				t.element, t.mark, t.state = tagOpener[1:], t.at+1, tagCloser
			case isSpace(c) || strings.IndexByte(`>="'<!?`, c) >= 0:
				err = errors.New("a < begins no parameter")
			default:
				t.mark, t.state = t.at, tagName
			}
		case tagName:
			if isSpace(c) || c == '/' || c == '>' {
				if t.element = s[t.mark:t.at]; t.element == tagOpener[1:] {
					return t.fail(t.mark-1, errors.New("another call begins within the call"))
				}
				t.inner = true
				t.open(tagInside)
				continue
			}
			if c == '<' || t.at-t.mark > maxHeader {
				err = errors.New("a < begins no parameter")
			}
		case tagText:
			i := strings.IndexByte(s[t.at:], '<')
			if i < 0 {
				t.at = len(s)
				continue
			}
			t.at += i
			switch n, v := matchAny(s[t.at:], []string{"</" + t.element, "</" + tagOpener[1:], tagOpener, "<![CDATA["}, eof); {
			case v == more:
				return step{}
			case v == fail:
			case n != len("</"+t.element) || !strings.HasPrefix(s[t.at:], "</"+t.element):
				err = errors.New("a value ends without its closing tag")
			default:
				err = t.text(s[t.mark:t.at])
				t.mark, t.state = t.at+2, tagCloser
				t.at++
			}
		case tagCloser:
			if name := strings.TrimRight(s[t.mark:t.at], " \t\r\n"); c == '>' {
				switch {
				case name != t.element:
					err = fmt.Errorf("</%s> closes nothing", name)
				case t.inner:
					err = t.parameter()
				default:
					return t.finish(t.at + 1)
				}
			} else if t.at-t.mark > maxHeader || c == '<' {
				err = errors.New("a closing tag does not end")
			}
		}
		if err != nil {
			return t.fail(t.at, err)
		}
		t.at++
	}
	return t.wait(s, eof)
}

func (t *tagScanner) wait(s string, eof bool) step {
	if eof {
		return t.fail(len(s), ErrIncomplete)
	}
	return step{}
}

// open begins a tag's attributes.
func (t *tagScanner) open(state tagState) {
	t.state = state
	t.seen = map[string]string{}
}

// opened is behind the > of an opening tag.
func (t *tagScanner) opened() error {
	if t.inner {
		t.mark, t.state = t.at+1, tagText
		return nil
	}
	t.state = tagContent
	return t.called()
}

// called takes the tool's name from the call's own tag.
func (t *tagScanner) called() error {
	if t.tool = strings.TrimSpace(t.seen["name"]); t.tool == "" {
		return errors.New(`the tag has no name="…"`)
	}
	t.arguments = argumentsFor(t.d.tools[t.tool])
	return nil
}

// text takes a parameter's text. Beside a value there is none.
func (t *tagScanner) text(text string) error {
	if _, both := t.seen["value"]; !both {
		t.seen["value"] = decodeEntities(text)
		return nil
	}
	if strings.TrimSpace(text) != "" {
		return fmt.Errorf("the parameter %q has a value and a text", t.element)
	}
	return nil
}

// parameter takes the parameter that has just ended.
func (t *tagScanner) parameter() error {
	value, ok := t.seen["value"]
	if !ok {
		return fmt.Errorf(`the parameter %q has no value="…"`, t.element)
	}
	name := t.element
	if other, ok := t.seen["name"]; ok {
		if name != "param" {
			return fmt.Errorf("the attribute %q means nothing here", "name")
		}
		name = other
	}
	t.arguments.add(name, value)
	t.inner = false
	t.state = tagContent
	return nil
}

func (t *tagScanner) finish(n int) step {
	call := Call{Name: t.tool, Arguments: t.arguments.json()}
	return step{verdict: done, n: n, calls: []found{{Call: call, end: n}}}
}

func (t *tagScanner) fail(n int, err error) step {
	return step{verdict: fail, n: n, err: err, name: t.tool}
}
