package agent

import (
	"bytes"

	"helve/message"
	"helve/model"
)

// later keeps the text that a model writes behind its calls, until they have
// their results: a user reads what happened in the order in which it was written
// (requirement document 001). It is about one answer.
type later struct {
	calls    int // that the answer has made so far
	said     []model.ToolCall
	finished []bool // by a call's place among them
	first    int    // the first call that has no result yet
	text     []laterText
}

type laterText struct {
	text   Text
	behind int // so many calls stand before it
}

// laterOf is for an answer that is complete, of which some calls may be over: what
// stands behind these was shown before.
func laterOf(answer message.Message, over func(call int) bool) later {
	var l later
	for _, p := range answer.Parts {
		switch p := p.(type) {
		case message.ToolCall:
			if l.calls++; over(l.calls - 1) {
				l.finish(l.calls - 1)
			}
		case message.Text:
			l.add(Text(p))
		}
	}
	return l
}

// call counts a call. It is false for one that the server sent twice, as the
// answer leaves it out; see [answer.addCall].
func (l *later) call(c model.ToolCall) bool {
	for _, s := range l.said {
		if c.ID != "" && c.ID == s.ID && c.Name == s.Name && bytes.Equal(c.Arguments, s.Arguments) {
			return false
		}
	}
	l.said = append(l.said, c)
	l.calls++
	return true
}

// add takes a piece of text. It reports whether it must wait.
func (l *later) add(t Text) bool {
	if l.first >= l.calls {
		return false
	}
	l.text = append(l.text, laterText{t, l.calls})
	return true
}

// finish notes that a call has its result, and returns the text that waited for
// no other.
func (l *later) finish(call int) (now []Text) {
	for len(l.finished) <= call {
		l.finished = append(l.finished, false)
	}
	l.finished[call] = true
	for l.first < len(l.finished) && l.finished[l.first] {
		l.first++
	}
	for len(l.text) > 0 && l.text[0].behind <= l.first {
		now = append(now, l.text[0].text)
		l.text = l.text[1:]
	}
	return now
}

// rest returns what still waits, for when nothing runs any more.
func (l *later) rest() (now []Text) {
	for _, t := range l.text {
		now = append(now, t.text)
	}
	l.text = nil
	return now
}
