package dialect

import "strings"

// code follows Markdown's code through the text of an answer: fenced blocks and
// spans between backticks. What looks like a call in there is an example.
//
// Nothing is held back for it, and where it can't tell it takes text for code: a
// call that doesn't run costs less than an example that does. A span that does
// not end in its line ends there. Three backticks open a block wherever they stand,
// if nothing but the name of a language follows them in their line.
type code struct {
	on     bool
	indent int  // spaces since the line began, or -1 behind anything else and behind four
	margin bool // nothing but white space and marks of lists and quotations stands before in the line
	quotes int  // how many > stand in that margin
	marks  bool // it has a list's mark

	run    int  // backticks at the end of the text so far
	atLine bool // that run began its line
	inline int  // length of the run that opened a span; 0: not in one
	fence  int  // length of the run that opened a block; 0: not in one
	quoted int  // the > in front of the run that opened it
	inLine bool // the block was opened amid the line that goes on, and may be a span
	gap    bool // white space stands behind its opener
	prose  bool // and something behind that: it is a span
	closer bool // a run that may end the block stands in this line, with nothing behind it yet
}

func newCode(on bool) code { return code{on: on, margin: true} }

// settle decides what a run of backticks was, now that next follows it.
func (c *code) settle(next byte) {
	if c.run == 0 || next == '`' {
		return
	}
	switch {
	case c.fence > 0 && c.run < c.fence:
	case c.fence > 0 && c.inLine:
		c.fence = 0 // in the same line: it was a span
	case c.fence > 0:
		// A closer stands in its line alone, and in the quotation that it opened in.
		c.closer = c.atLine && !c.marks && c.quotes == c.quoted
	case c.inline > 0:
		if c.run == c.inline {
			c.inline = 0
		}
	case c.run >= 3:
		c.fence, c.inLine, c.quoted = c.run, !c.atLine, c.quotes
		c.gap, c.prose = false, false
	default:
		c.inline = c.run
	}
	c.run = 0
}

// inside reports whether the text goes on within code.
func (c *code) inside() bool { return c.fence+c.inline > 0 }

// skip goes over text within code, as far as it can tell, and returns how far.
func (c *code) skip(s string) int {
	n := 0
	for n < len(s) && s[n] != '`' && s[n] != '\n' {
		if isSpace(s[n]) {
			c.gap = true
		} else {
			c.closer = false // it has an info string, so it closes nothing
			c.prose = c.prose || c.gap
		}
		n++
	}
	if n < len(s) && s[n] == '\n' {
		n++
		c.inline = 0
		if c.closer || c.inLine && c.prose {
			c.fence, c.closer = 0, false
		}
		c.inLine = false
		c.line(s[:n])
		return n
	}
	c.line(s[:n])
	if n < len(s) {
		c.closer = false
		n += c.ticks(s[n:])
	}
	return n
}

// ticks goes over the run of backticks that s begins with.
func (c *code) ticks(s string) int {
	if c.run == 0 {
		c.atLine = c.margin
	}
	n := 0
	for n < len(s) && s[n] == '`' {
		n++
	}
	c.run += n
	c.indent, c.margin = -1, false
	if n < len(s) {
		c.settle(s[n])
	}
	return n
}

// line notes where in its line text without backticks ends. It looks at the end of
// s alone.
func (c *code) line(s string) {
	from := len(s)
	for from > 0 && isMargin(s[from-1]) {
		from--
	}
	switch {
	case from > 0 && s[from-1] != '\n':
		c.indent, c.margin = -1, false
		return
	case from > 0:
		c.indent, c.margin, c.quotes, c.marks = 0, true, 0, false
	case !c.margin:
		return
	}
	for ; from < len(s); from++ {
		switch {
		case s[from] != ' ' || c.indent == 3:
			c.indent = -1
		case c.indent >= 0:
			c.indent++
		}
		switch s[from] {
		case ' ', '\t':
		case '>':
			c.quotes++
		default:
			c.marks = true
		}
	}
}

// isMargin reports whether c may stand in front of a block in its line.
func isMargin(c byte) bool { return strings.IndexByte(" \t>-*+.)0123456789", c) >= 0 }

// pass goes over text in which nobody looks for markers.
func (c *code) pass(s string) {
	if !c.on {
		c.line(s)
		return
	}
	for s != "" {
		c.settle(s[0])
		n := 0
		if c.inside() {
			n = c.skip(s)
		} else {
			if n = strings.IndexByte(s, '`'); n < 0 {
				n = len(s)
			}
			c.line(s[:n])
			if n < len(s) {
				n += c.ticks(s[n:])
			}
		}
		s = s[n:]
	}
}
