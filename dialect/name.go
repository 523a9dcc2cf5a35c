package dialect

import "strings"

// readName reads the name of a tool, up to one of ends. White space may stand
// around it. A word that none of ends follows is prose, and so is found out with
// the next word's first byte: only declared names may have spaces and the like.
//
// The end begins at at and has n bytes. For fail, certainty came at at.
func (d *Decoder) readName(s string, ends []string, eof bool) (name string, at, n int, v verdict) {
	start := skipSpace(s, 0)
	for i := start; i < len(s); i++ {
		if d.inName(s[i]) {
			continue
		}
		if at = skipSpace(s, i); at == len(s) {
			break
		}
		switch n, v = matchAny(s[at:], ends, eof); {
		case v == more:
			return "", 0, 0, more
		case v == done && i > start:
			return s[start:i], at, n, done
		case v == done || !d.beginsName(s[start:at+1]):
			return "", at, 0, fail
		}
	}
	return "", len(s), 0, more
}

// inName reports whether any tool's name may have the byte c.
func (d *Decoder) inName(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	case c >= 0x80:
		return d.tools == nil
	}
	return strings.IndexByte("_-.:/", c) >= 0
}

// beginsName reports whether a declared name begins with s.
func (d *Decoder) beginsName(s string) bool {
	for name := range d.tools {
		if strings.HasPrefix(name, s) {
			return true
		}
	}
	return false
}
