package dialect

import "errors"

// yamlScanner reads <tool>, a body in YAML, and </tool>. The closing tag counts on
// the line of the opening tag, and at the beginning or the end of any other. In a
// line that is indented deeper than the first it belongs to a value.
//
// Where the opening tag's ">" is missing, a declared parameter must follow on the next
// line. "/>" is a closing tag as well then.
type yamlScanner struct {
	d     *Decoder
	tool  string
	start int // of the body; 0: not there yet
	at    int // of what is read next
	line  int // where the line begins
	text  int // where its text does; -1: there is none yet
	base  int // how deep the first line with text is indented; -1: there is none yet
	end   int // of the body, if nothing more stands on the line; 0: not there yet

	unended bool // the opening tag has no ">": a line "/>" may end the call
}

func openYAML(d *Decoder, tool string) scanner {
	return &yamlScanner{d: d, tool: tool, text: -1, base: -1}
}

func (y *yamlScanner) scan(s string, eof bool) step {
	if y.start == 0 {
		t, v := y.open(s, eof)
		switch {
		case v == more:
			return step{}
		case v == fail:
			return step{verdict: fail, n: 1}
		case t.kind == emptyTag:
			return y.read("", t.n)
		}
		y.start, y.at, y.line = t.n, t.n, t.n
	}
	for ; y.at < len(s); y.at++ {
		c := s[y.at]
		switch {
		case c == '\n' && y.end > 0:
			return y.read(s[y.start:y.end], y.at)
		case c == '\n':
			y.line, y.text = y.at+1, -1
			continue
		case isSpace(c):
			continue
		case y.end > 0: // the tag was amid its line
			y.at, y.end = y.end, 0
			continue
		case y.text < 0:
			y.text = y.at
			if y.base < 0 && y.line > y.start && c != '<' {
				y.base = y.at - y.line
			}
		}
		if c != '<' && c != '/' {
			continue
		}
		t, v := y.tag(s, eof)
		inner := y.base >= 0 && y.line > y.start && y.text-y.line > y.base
		switch {
		case v == more:
			return step{}
		case v == fail || t.kind != closingTag || t.name != y.tool || inner:
		case y.line == y.start || y.text == y.at:
			return y.read(s[y.start:y.at], y.at+t.n)
		default:
			y.end = y.at
			y.at += t.n - 1
		}
	}
	if eof && y.end > 0 {
		return y.read(s[y.start:y.end], len(s))
	}
	return step{}
}

// open reads the opening tag.
func (y *yamlScanner) open(s string, eof bool) (elementTag, verdict) {
	t, v := openElement(s, y.tool)
	if v != fail {
		return t, v
	}
	name, n, ok := unendedElement(s, y.tool)
	if !ok {
		return t, fail
	}
	var keys []string
	for key := range parametersOf(y.d.tools[y.tool]) {
		keys = append(keys, key+":")
	}
	y.unended = true
	_, v = matchAny(s[n:], keys, eof)
	return elementTag{n: name}, v
}

// tag reads the tag at y.at, where a < or a / stands.
func (y *yamlScanner) tag(s string, eof bool) (elementTag, verdict) {
	if s[y.at] == '<' {
		return readElementTag(s[y.at:], "")
	}
	if !y.unended || y.text != y.at {
		return elementTag{}, fail
	}
	n, v := matchAny(s[y.at:], []string{"/>"}, eof)
	return elementTag{name: y.tool, kind: closingTag, n: n}, v
}

// read reads the body; the element ends at n.
func (y *yamlScanner) read(body string, n int) step {
	call := Call{Name: y.tool}
	def := y.d.tools[y.tool]
	var err error
	if call.Arguments, err = readYAML(body, def); errors.Is(err, errNotYAML) && !y.unended {
		call.Arguments, call.Repairs, err = mendedYAML(body, def, err)
	}
	if err != nil {
		return step{verdict: fail, n: n, err: err, name: y.tool}
	}
	return step{verdict: done, n: n, calls: []found{{Call: call, end: n}}}
}
