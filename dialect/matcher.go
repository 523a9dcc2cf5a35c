package dialect

import "strings"

// matcher finds the first of several markers in text.
type matcher struct {
	markers []marker
	class   [256]byteClass
	few     string // the bytes to stop at, where they are at most three
}

// byteClass says what there is to know of a byte in text.
type byteClass uint8

const (
	stops   byteClass = 1 << iota // a marker may begin here, or code
	longer                        // and only markers of more than this byte do
	follows                       // the second byte of a marker
	newLine                       // a line begins behind it
	amid                          // the first byte of a marker that may stand amid a line
)

// newMatcher makes a matcher that stops at the bytes of also as well.
func newMatcher(markers []marker, also string) *matcher {
	m := &matcher{markers: markers}
	var few []byte
	stop := func(c byte) {
		if m.class[c]&stops == 0 {
			m.class[c] |= stops | longer
			few = append(few, c)
		}
	}
	for _, mk := range markers {
		stop(mk.text[0])
		if mk.where != lineStart {
			m.class[mk.text[0]] |= amid
		}
		if len(mk.text) > 1 {
			m.class[mk.text[1]] |= follows
		} else {
			m.class[mk.text[0]] &^= longer
		}
	}
	for i := range len(also) {
		stop(also[i])
		m.class[also[i]] &^= longer
	}
	if len(few) <= len(seeker{}.at) {
		m.few = string(few)
	}
	m.class['\n'] |= newLine
	return m
}

// stopsAt reports whether a marker may begin at text[at]. It is often the byte
// behind that shows that none does: "<p>" is not "<tool_call>".
func (m *matcher) stopsAt(text string, at int) bool {
	class := m.class[text[at]]
	return class&stops != 0 && (class&longer == 0 || at+1 == len(text) || m.class[text[at+1]]&follows != 0)
}

// seeker goes through one text from stop to stop. It remembers where each byte
// stands next, so that a rare one is not looked for again at every frequent one.
type seeker struct {
	m    *matcher
	text string
	at   [3]int // of m.few: the place of the next one, or len(text); valid if not behind us
}

func (m *matcher) seek(text string) seeker { return seeker{m: m, text: text, at: [3]int{-1, -1, -1}} }

// shortText is up to which length a loop over a table beats IndexByte.
const shortText = 24

// next returns where from from on the next byte stands to stop at, or the
// text's length.
func (s *seeker) next(from int) int {
	if s.m.few == "" || len(s.text)-from <= shortText {
		return s.m.first(s.text, from)
	}
	nearest := len(s.text)
	for i := range len(s.m.few) {
		if s.at[i] < from {
			s.at[i] = s.m.index(s.text, from, s.m.few[i])
		}
		nearest = min(nearest, s.at[i])
	}
	return nearest
}

// first returns where from from on the first byte stands to stop at, or the text's
// length.
func (m *matcher) first(text string, from int) int {
	for ; from < len(text); from++ {
		if m.stopsAt(text, from) {
			return from
		}
	}
	return len(text)
}

// index returns where from from on the next c stands to stop at, or the text's
// length.
func (m *matcher) index(text string, from int, c byte) int {
	for {
		n := strings.IndexByte(text[from:], c)
		if n < 0 {
			return len(text)
		}
		if from += n; m.stopsAt(text, from) {
			return from
		}
		from++
	}
}

// match compares s with the markers: it returns the longest that s begins with.
// Where s is no more than the beginning of one, held is true: what comes next
// decides. A longer marker than the one that matched is waited for as well.
func (m *matcher) match(s string, eof bool, at spot) (found *marker, held bool) {
	if at.inLine && m.class[s[0]]&amid == 0 {
		return nil, false
	}
	for i := range m.markers {
		mk := &m.markers[i]
		switch {
		case len(s) < len(mk.text):
			if !eof && mk.text[:len(s)] == s && at.allows(mk.where) {
				held = true
			}
		case s[:len(mk.text)] == mk.text && (found == nil || len(mk.text) > len(found.text)) && at.allows(mk.where):
			found = mk
		}
	}
	if held {
		return nil, true
	}
	return found, false
}

// spot is where in an answer something stands.
type spot struct {
	begun  bool // there was more than white space before it
	inLine bool // there was more than three spaces before it in its line
}

// everywhere allows every marker.
var everywhere spot

func (s spot) allows(p place) bool {
	switch p {
	case answerStart:
		return !s.begun
	case lineStart:
		return !s.inLine
	}
	return true
}
