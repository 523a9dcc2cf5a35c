package dialect

import "slices"

// passage reads text of one kind up to a marker that ends it, and hands it over as
// it comes.
type passage struct {
	kind Kind
	ends *matcher
	next []string // of ends: what begins something else and is left to the decoder
}

func newPassage(kind Kind, closers, next []string) *passage {
	return &passage{kind, newMatcher(closing(slices.Concat(closers, next)), ""), next}
}

func (p *passage) scan(s string, eof bool) step {
	seek := p.ends.seek(s)
	at := seek.next(0)
	for at < len(s) {
		mk, held := p.ends.match(s[at:], eof, everywhere)
		switch {
		case at > 0 && (held || mk != nil):
			return step{verdict: part, n: at, kind: p.kind}
		case held:
			return step{}
		case mk != nil && slices.Contains(p.next, mk.text):
			return step{verdict: done}
		case mk != nil:
			return step{verdict: done, n: len(mk.text), kind: Control}
		}
		at = seek.next(at + 1)
	}
	if len(s) > 0 {
		return step{verdict: part, n: len(s), kind: p.kind}
	}
	return step{verdict: done} // asked only at the end
}
