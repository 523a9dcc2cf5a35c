package dialect

import "strings"

// paramTag is an opening tag that names a function or a parameter:
//
//	<function=get_weather>
//	<invoke name="get_weather">
//	<parameter name="city" string="true">
//	<parameter>city</parameter>
//
// The last is what models make of the first when they forget how it goes.
type paramTag struct {
	name     string
	asString string // what the attribute string says, where it is there
	empty    bool   // it ends in "/>": nothing follows, and no closer
	others   bool   // it has attributes that mean nothing to us
	inside   bool   // the name stood between two tags
	element  bool   // the word is the name
	n        int    // its length
}

// readParamTag reads the tag of one of the given words that s begins with. It
// says more where s is the beginning of one, and fail where it is none.
func readParamTag(s string, words []string, eof bool) (t paramTag, v verdict) {
	v = fail
	for _, word := range words {
		opener := "<" + word
		if len(s) <= len(opener) {
			if !eof && strings.HasPrefix(opener, s) {
				v = more
			}
			continue
		}
		if !strings.HasPrefix(s, opener) {
			continue
		}
		t = paramTag{}
		r := tagReader{s: s[:min(len(s), maxHeader)], at: len(opener), state: done}
		switch t.read(&r, word); {
		case r.state == done && t.name != "":
			t.n = r.at
			return t, done
		case r.state == more && !eof && len(s) < maxHeader:
			v = more
		}
	}
	return paramTag{}, v
}

// read reads what stands behind the tag's word.
func (t *paramTag) read(r *tagReader, word string) {
	start := r.at
	r.space()
	switch c := r.peek(); {
	case c == '=':
		r.at++
		r.space()
		t.name = strings.TrimSpace(r.value(">"))
		r.space()
		r.expect(">")
	case c == '>':
		r.at++
		t.name = strings.TrimSpace(r.until("<"))
		t.inside = true
		r.expect("</" + word + ">")
	case r.at > start, c == 'n': // <paramname="city"> is a known slip
		t.readAttributes(r)
	default:
		r.stop(fail)
	}
}

func (t *paramTag) readAttributes(r *tagReader) {
	for r.state == done {
		r.space()
		switch r.peek() {
		case '/':
			r.expect("/>")
			t.empty = true
			return
		case '>':
			r.expect(">")
			return
		}
		key := r.until("= \t\r\n/><\"'")
		r.space()
		if key == "" || r.peek() != '=' {
			r.stop(fail)
			return
		}
		r.at++
		r.space()
		value := decodeEntities(r.value(" \t\r\n/>"))
		switch key {
		case "name":
			t.name = strings.TrimSpace(value)
		case "string":
			t.asString = value
		default:
			t.others = true
		}
	}
}

// readCloser reads the closing tag of one of the given words that s begins with.
func readCloser(s string, words []string, eof bool) (n int, v verdict) {
	v = fail
	for _, word := range words {
		closer := "</" + word + ">"
		if strings.HasPrefix(s, closer) {
			return len(closer), done
		}
		if !eof && strings.HasPrefix(closer, s) {
			v = more
		}
	}
	return 0, v
}

// tagReader goes through the bytes of one tag. Its state is done for as long as
// all is well; more says that the bytes end within the tag, and fail that it is
// none. In both cases it goes no further.
type tagReader struct {
	s     string
	at    int
	state verdict
}

func (r *tagReader) stop(v verdict) {
	if r.state == done {
		r.state = v
	}
}

// peek returns the next byte, or 0 where it has stopped.
func (r *tagReader) peek() byte {
	if r.at >= len(r.s) {
		r.stop(more)
	}
	if r.state != done {
		return 0
	}
	return r.s[r.at]
}

func (r *tagReader) space() {
	for isSpace(r.peek()) {
		r.at++
	}
}

// expect goes over text.
func (r *tagReader) expect(text string) {
	for i := range len(text) {
		if r.peek() != text[i] {
			r.stop(fail)
			return
		}
		r.at++
	}
}

// until returns what stands before the next of the given bytes. No tag goes on
// over another.
func (r *tagReader) until(ends string) string {
	start := r.at
	for r.peek() != 0 && strings.IndexByte(ends, r.s[r.at]) < 0 {
		if r.s[r.at] == '<' {
			r.stop(fail)
			return ""
		}
		r.at++
	}
	return r.s[start:r.at]
}

// value returns a value that is in quotes, or that ends before one of the given
// bytes.
func (r *tagReader) value(ends string) string {
	quote := r.peek()
	if quote != '"' && quote != '\'' {
		return r.until(ends)
	}
	r.at++
	end := strings.IndexByte(r.s[r.at:], quote)
	if end < 0 {
		r.at = len(r.s)
		r.stop(more)
		return ""
	}
	r.at += end + 1
	return r.s[r.at-1-end : r.at-1]
}
