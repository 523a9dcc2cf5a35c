package dialect

import "strings"

// A skipper is a scanner that can pass over a piece of a long value at little cost.
// Values come in thousands of small pieces, and nearly all of them hold nothing that
// matters.
type skipper interface {
	// skip passes over chunk, which stands behind the first at bytes, if all of them
	// were read and chunk lies within a value. Scanning it would have come to more.
	skip(at int, chunk string) bool
}

func (j *jsonScanner) skip(at int, chunk string) bool {
	v := &j.value
	if j.phase != inValue || v.at != at || v.quote == 0 || v.escape {
		return false
	}
	for i := 0; i < len(chunk); i++ {
		if c := chunk[i]; c == v.quote || c == '\\' || c == '\n' {
			return false
		}
	}
	v.at += len(chunk)
	return true
}

func (t *tagScanner) skip(at int, chunk string) bool {
	if t.state != tagValue || t.at != at || strings.IndexByte(chunk, t.quote) >= 0 {
		return false
	}
	t.at += len(chunk)
	return true
}

func (p *paramScanner) skip(at int, chunk string) bool {
	if p.phase != atValue || p.at != at || p.value.call == at || strings.IndexByte(chunk, '<') >= 0 {
		return false
	}
	p.at += len(chunk)
	return true
}

func (p *pairScanner) skip(at int, chunk string) bool {
	if p.phase == inPairJSON {
		return p.json.skip(at, chunk)
	}
	if p.phase != inPairValue || p.at != at || strings.IndexByte(chunk, '<') >= 0 {
		return false
	}
	p.at += len(chunk)
	return true
}

func (c *sectionScanner) skip(at int, chunk string) bool {
	s, ok := c.call.(skipper)
	return ok && s.skip(at-c.start, chunk)
}

func (a *alternatives) skip(at int, chunk string) bool {
	s, ok := a.now.(skipper)
	return ok && s.skip(at, chunk)
}

func (c *decisionScanner) skip(at int, chunk string) bool {
	return c.json != nil && c.json.skip(at, chunk)
}
