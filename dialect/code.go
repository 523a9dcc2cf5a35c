package dialect

import "strings"

// code follows Markdown's code through the text of an answer: fenced blocks and
// spans between backticks. What looks like a call in there is an example.
//
// Nothing is held back for it, and where it can't tell it takes text for code: a
// call that doesn't run costs less than an example that does. A span that does
// not end in its line ends there. Three backticks open a block wherever they stand.
type code struct {
	on     bool
	indent int  // spaces since the line began, or -1 behind anything else and behind four
	margin bool // nothing but white space and marks of lists and quotations stands before in the line
	run    int  // backticks at the end of the text so far
	atLine bool // that run began its line
	inline int  // length of the run that opened a span; 0: not in one
	fence  int  // length of the run that opened a block; 0: not in one
	inLine bool // the block was opened amid a line, and any run of its length ends it
	closer bool // a run that may end the block stands in this line, with nothing behind it yet
}

func newCode(on bool) code { return code{on: on, margin: true} }

// settle decides what a run of backticks was, now that next follows it.
func (c *code) settle(next byte) {
	if c.run == 0 || next == '`' {
		return
	}
	switch {
	case c.fence > 0 && c.inLine && c.run >= c.fence:
		c.fence = 0
	case c.fence > 0:
		c.closer = c.atLine && c.run >= c.fence
	case c.inline > 0:
		if c.run == c.inline {
			c.inline = 0
		}
	case c.run >= 3:
		c.fence, c.inLine = c.run, !c.atLine
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
		if c.closer && !isSpace(s[n]) {
			c.closer = false // it has an info string, so it closes nothing
		}
		n++
	}
	if n < len(s) && s[n] == '\n' {
		n++
		c.inline = 0
		if c.closer {
			c.fence, c.closer = 0, false
		}
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

// line notes where in its line text without backticks ends.
func (c *code) line(s string) {
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		c.indent, c.margin = 0, true
		s = s[i+1:]
	}
	for i := 0; i < len(s) && c.margin; i++ {
		if s[i] != ' ' || c.indent == 3 {
			c.indent = -1
		} else if c.indent >= 0 {
			c.indent++
		}
		c.margin = strings.IndexByte(" \t>-*+.)0123456789", s[i]) >= 0
	}
}

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
