package schema

import (
	"encoding/json"
	"math/bits"
)

// edit replaces src[from:to] by a member.
type edit struct {
	from, to int
	comma    bool   // before the member
	member   []byte // empty when something is only taken out
}

func (a *acceptor) edit(e edit) bool {
	if a.n == len(a.edits) {
		return false
	}
	a.edits[a.n] = e
	a.n++
	return true
}

// result is the accepted document with its edits.
func (a *acceptor) result() json.RawMessage {
	if a.n == 0 {
		return a.src
	}
	size := len(a.src)
	for _, e := range a.edits[:a.n] {
		size += len(e.member) + 1
	}
	out := make([]byte, 0, size)
	done := 0
	for _, e := range a.edits[:a.n] {
		out = append(out, a.src[done:e.from]...)
		if e.comma {
			out = append(out, ',')
		}
		out = append(out, e.member...)
		done = e.to
	}
	return append(out, a.src[done:]...)
}

// members is what the acceptor remembers of one object.
type members struct {
	read int       // keys so far
	kept int       // those that stay
	seen uint64    // bit i is the property i
	null uint64    // those of seen that are taken out
	free [8][]byte // keys of an object without properties; more are not accepted
}

func (a *acceptor) object(s *shape, i int) int {
	if s.types&typeObject == 0 {
		return -1
	}
	if a.depth++; a.depth > maxDepth {
		return -1
	}
	var m members
	cut := -1 // from here to the next key is taken out
	i = skipSpace(a.src, i+1)
	for i < len(a.src) && a.src[i] != '}' {
		comma := i
		if m.read > 0 {
			if a.src[i] != ',' {
				return -1
			}
			i = skipSpace(a.src, i+1)
		}
		if !a.cut(&cut, i) {
			return -1
		}
		key := i
		p, value := a.key(s, &m, i)
		switch {
		case value < 0:
			return -1
		case a.absent(s, p, value):
			m.null |= 1 << p
			i = value + len("null")
			if cut = comma; m.kept == 0 {
				cut = key
			} else if !a.cut(&cut, i) {
				return -1
			}
		default:
			m.kept++
			if i = a.value(s.member(p), value); i < 0 {
				return -1
			}
		}
		i = skipSpace(a.src, i)
	}
	if i >= len(a.src) || !a.cut(&cut, i) || !a.complete(s, &m, i) {
		return -1
	}
	a.depth--
	return i + 1
}

// cut takes out src[*from:to] unless *from is -1, which it is afterwards.
func (a *acceptor) cut(from *int, to int) bool {
	if *from < 0 {
		return true
	}
	e := edit{from: *from, to: to}
	*from = -1
	return a.edit(e)
}

// absent reports that the value at i is null and stands for "not given".
func (a *acceptor) absent(s *shape, p, i int) bool {
	return a.fill && p >= 0 && s.required&(1<<p) == 0 && s.props[p].shape.types&typeNull == 0 && scanWord(a.src, i, "null") > 0
}

// member is the shape of property p, or of undeclared keys when p is -1.
func (s *shape) member(p int) *shape {
	if p < 0 {
		return s.extra
	}
	return s.props[p].shape
}

// key reads a key at i and its colon. It returns the property, -1 for an
// undeclared one, and where the value begins, -1 for "don't know".
func (a *acceptor) key(s *shape, m *members, i int) (p, value int) {
	if i >= len(a.src) || a.src[i] != '"' {
		return -1, -1
	}
	end, form := scanString(a.src, i)
	if end < 0 || form&hasEscape != 0 {
		return -1, -1
	}
	p, ok := m.next(s, a.src[i+1:end-1])
	i = skipSpace(a.src, end)
	if !ok || i >= len(a.src) || a.src[i] != ':' {
		return -1, -1
	}
	return p, skipSpace(a.src, i+1)
}

// next notes a key and returns its property or -1. It reports false for a key
// that comes twice, or that may be wrong.
func (m *members) next(s *shape, key []byte) (p int, ok bool) {
	at := m.read
	m.read++
	if len(s.props) > 0 { // undeclared keys may resemble declared ones
		p = s.declared(key, at)
		if p < 0 || m.seen&(1<<p) != 0 {
			return -1, false
		}
		m.seen |= 1 << p
		return p, true
	}
	if s.others > othersChecked || at >= len(m.free) || contains(m.free[:at], key) {
		return -1, false
	}
	m.free[at] = key
	return -1, true
}

// declared finds a property. Models mostly keep the schema's order, so the
// one at the key's own place is tried first.
func (s *shape) declared(key []byte, guess int) int {
	if guess < len(s.props) && s.props[guess].name == string(key) {
		return guess
	}
	for i := range s.props {
		if s.props[i].name == string(key) {
			return i
		}
	}
	return -1
}

// complete puts in the defaults that an object lacks, and reports that it
// then has all that is required.
func (a *acceptor) complete(s *shape, m *members, at int) bool {
	given := m.seen &^ m.null
	if !a.fill {
		return given&s.required == s.required
	}
	comma := m.kept > 0
	for absent := s.watched &^ given; absent != 0; absent &= absent - 1 {
		p := &s.props[bits.TrailingZeros64(absent)]
		if p.member == nil || !a.edit(edit{from: at, to: at, comma: comma, member: p.member}) {
			return false
		}
		comma = true
	}
	return true
}
