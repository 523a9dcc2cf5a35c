package dialect

import "bytes"

// space skips white space and comments. A block comment that does not end takes
// the rest of the text.
func (r *repairer) space() {
	for r.at < len(r.in) {
		r.looks++
		switch r.in[r.at] {
		case ' ', '\t', '\r', '\n':
			r.at++
		case '#':
			r.comment("#", "\n")
		case '/':
			rest := r.in[r.at:]
			switch {
			case bytes.HasPrefix(rest, []byte("//")):
				r.comment("//", "\n")
			case bytes.HasPrefix(rest, []byte("/*")):
				r.comment("/*", "*/")
			default:
				return
			}
		default:
			return
		}
	}
}

func (r *repairer) comment(opener, closer string) {
	start := r.at
	r.mend(Comment, start)
	body := r.in[start+len(opener):]
	if i := bytes.Index(body, []byte(closer)); i >= 0 {
		r.at += len(opener) + i + len(closer)
	} else {
		r.at = len(r.in)
	}
	r.looks += r.at - start
}

// opening skips what may stand in front of the value.
func (r *repairer) opening() {
	if bytes.HasPrefix(r.in, []byte("\uFEFF")) {
		r.mend(ByteOrderMark, 0)
		r.at = len("\uFEFF")
	}
	r.space()
	start := r.at
	r.ticks()
	r.languageTag()
	if r.at > start {
		r.mend(Fence, start)
	}
	r.space()
}

// ticks skips the marks of a code fence, three or more.
func (r *repairer) ticks() {
	n := 0
	for r.at+n < len(r.in) && r.in[r.at+n] == '`' {
		n++
	}
	r.looks += n
	if n >= 3 {
		r.at += n
	}
}

// languageTag skips the word json in front of the value, in a fence or without
// one.
func (r *repairer) languageTag() {
	rest := r.in[r.at:]
	for _, tag := range []string{"jsonc", "json5", "json"} {
		if len(rest) < len(tag) || !bytes.EqualFold(rest[:len(tag)], []byte(tag)) {
			continue
		}
		if len(rest) == len(tag) || bytes.IndexByte([]byte(" \t\r\n{["), rest[len(tag)]) >= 0 {
			r.at += len(tag)
		}
		return
	}
}

// closing skips what may stand behind the value: closers too many, then the end
// of a code fence.
func (r *repairer) closing() {
	r.space()
	for r.at < len(r.in) && (r.in[r.at] == '}' || r.in[r.at] == ']') {
		r.mend(ExtraCloser, r.at)
		r.at++
		r.space()
	}
	start := r.at
	if r.ticks(); r.at > start {
		r.mend(Fence, start)
	}
	r.space()
}
