package dialect

import "strings"

// code follows Markdown's code through the text of an answer: fenced blocks and
// spans between backticks. What looks like a call in there is an example.
//
// Nothing is held back for it. A span that does not end in its line was none,
// and ends there.
type code struct {
	on     bool
	indent int  // spaces since the line began, or -1 behind anything else
	run    int  // backticks at the end of the text so far
	atLine bool // that run began its line
	inline int  // length of the run that opened a span; 0: not in one
	fence  int  // length of the run that opened a block; 0: not in one
}

// settle decides what a run of backticks was, now that next follows it.
func (c *code) settle(next byte) {
	if c.run == 0 || next == '`' {
		return
	}
	switch {
	case c.fence > 0:
		if c.atLine && c.run >= c.fence {
			c.fence = 0
		}
	case c.inline > 0:
		if c.run == c.inline {
			c.inline = 0
		}
	case c.atLine && c.run >= 3:
		c.fence = c.run
	default:
		c.inline = c.run
	}
	c.run = 0
}

// inside reports whether the text goes on within code.
func (c *code) inside() bool { return c.fence+c.inline > 0 }

// skip goes over text within code, to its end or a run of backticks that may end
// it, and returns how far.
func (c *code) skip(s string) int {
	n := 0
	if c.fence > 0 {
		if n = strings.IndexByte(s, '`'); n < 0 {
			n = len(s)
		}
	} else {
		for n < len(s) && s[n] != '`' && s[n] != '\n' {
			n++
		}
		if n < len(s) && s[n] == '\n' {
			c.inline = 0
			c.line(s[:n+1])
			return n + 1
		}
	}
	c.line(s[:n])
	if n < len(s) && s[n] == '`' {
		n += c.ticks(s[n:])
	}
	return n
}

// ticks goes over the run of backticks that s begins with.
func (c *code) ticks(s string) int {
	if c.run == 0 {
		c.atLine = c.indent >= 0
	}
	n := 0
	for n < len(s) && s[n] == '`' {
		n++
	}
	c.run += n
	c.indent = -1
	if n < len(s) {
		c.settle(s[n])
	}
	return n
}

// line notes where in its line text without code ends.
func (c *code) line(s string) {
	i := len(s)
	for i > 0 && s[i-1] == ' ' && len(s)-i < 4 {
		i--
	}
	switch spaces := len(s) - i; {
	case spaces > 3:
		c.indent = -1
	case i == 0:
		if c.indent >= 0 {
			c.indent += spaces
		}
		if c.indent > 3 {
			c.indent = -1
		}
	case s[i-1] == '\n':
		c.indent = spaces
	default:
		c.indent = -1
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
