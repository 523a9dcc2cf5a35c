package dialect

import "strings"

// matcher finds the first of several markers in text.
type matcher struct {
	markers []marker
	first   [256]bool // bytes that a marker begins with, and others to stop at
	amid    [256]bool // those that begin one that may stand amid a line
	few     string    // the same bytes where they are at most three
}

// newMatcher makes a matcher that stops at the bytes of also as well.
func newMatcher(markers []marker, also string) *matcher {
	m := &matcher{markers: markers}
	stops := []byte(also)
	for _, mk := range markers {
		stops = append(stops, mk.text[0])
		m.amid[mk.text[0]] = m.amid[mk.text[0]] || mk.where != lineStart
	}
	var few []byte
	for _, c := range stops {
		if !m.first[c] {
			m.first[c] = true
			few = append(few, c)
		}
	}
	if len(few) <= len(seeker{}.at) {
		m.few = string(few)
	}
	return m
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
		for i := from; i < len(s.text); i++ {
			if s.m.first[s.text[i]] {
				return i
			}
		}
		return len(s.text)
	}
	nearest := len(s.text)
	for i := range len(s.m.few) {
		if s.at[i] < from {
			s.at[i] = len(s.text)
			if n := strings.IndexByte(s.text[from:], s.m.few[i]); n >= 0 {
				s.at[i] = from + n
			}
		}
		nearest = min(nearest, s.at[i])
	}
	return nearest
}

// match compares s with the markers: it returns the longest that s begins with.
// Where s is no more than the beginning of one, held is true: what comes next
// decides. A longer marker than the one that matched is waited for as well.
func (m *matcher) match(s string, eof bool, at spot) (found *marker, held bool) {
	if at.inLine && !m.amid[s[0]] {
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
