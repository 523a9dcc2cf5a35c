package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"helve/model"
)

// What one answer may hold. Anything larger is a model or a server run wild.
const (
	maxCalls     = 1024
	maxArguments = 16 << 20 // bytes, of all calls together
)

// LimitError says that an answer is larger than this package takes.
type LimitError struct {
	What  string // such as "tool calls"
	Limit int
}

// Error says what there was too much of.
func (e *LimitError) Error() string {
	return fmt.Sprintf("openai: the answer has more than %d %s", e.Limit, e.What)
}

// merger puts the calls of one answer together from their pieces. It does no
// I/O, takes time linear in the bytes, and copies no byte more than a slice that
// grows.
//
// OpenAI gives each piece the index of its call. Others leave it out, use one
// index for all calls, repeat the name or the ID in each piece, or invent an ID
// for each piece. Two rules serve them all:
//
//   - A piece belongs to the call with its ID, or with its index, or, without
//     both, to the last call.
//   - It begins a call instead if there is none, or if it has a name and can't
//     go on with that call: the ID or the name is another, or the call's
//     arguments are already closed.
type merger struct {
	calls   []*call
	byIndex map[int]*call    // the latest with this index
	byID    map[string]*call // the latest with this ID
	ids     map[string]bool  // what IDs are taken, in the answer and before it
	size    int              // bytes of arguments
}

// call is a call that is being put together.
type call struct {
	position int    // in the answer
	index    *int   // on the wire
	wireID   string // on the wire
	id       string // what the consumer was told; "" until it was told anything
	name     string
	args     []byte
	told     int  // how many bytes of args the consumer was told
	terse    bool // a piece came without the name
	state    nesting
}

// newMerger returns a merger for one answer. It gives no call an ID of taken,
// which it keeps and adds to.
func newMerger(taken map[string]bool) *merger {
	return &merger{byIndex: map[int]*call{}, byID: map[string]*call{}, ids: taken}
}

// add takes the next piece. It returns what to tell the consumer; ok is false
// where there is nothing to tell, which is so until the call's name is known.
func (m *merger) add(p callPiece) (delta model.ToolCallDelta, ok bool, err error) {
	c := m.find(p)
	if c == nil || c.endsBefore(p) {
		if p == (callPiece{Index: p.Index}) {
			return delta, false, nil // a server's way to say that no call follows
		}
		if len(m.calls) == maxCalls {
			return delta, false, &LimitError{"tool calls", maxCalls}
		}
		c = &call{position: len(m.calls), index: p.Index}
		m.calls = append(m.calls, c)
		if p.Index != nil {
			m.byIndex[*p.Index] = c
		}
	}
	m.size += len(p.Arguments)
	if m.size > maxArguments {
		return delta, false, &LimitError{"bytes of tool call arguments", maxArguments}
	}
	m.take(c, p)
	delta, ok = m.tell(c, p.Arguments)
	return delta, ok, nil
}

// find returns the call that p belongs to if it does not begin one.
func (m *merger) find(p callPiece) *call {
	var last *call
	if n := len(m.calls); n > 0 {
		last = m.calls[n-1]
	}
	if p.ID == "" && (p.Index == nil || last != nil && last.index != nil && *last.index == *p.Index) {
		return last // nearly always
	}
	if c := m.byID[p.ID]; c != nil && (p.Index == nil || c.index == nil || *c.index == *p.Index) {
		return c
	}
	if p.Index != nil {
		return m.byIndex[*p.Index]
	}
	return last
}

// endsBefore reports whether p, which would go to c, begins another call.
func (c *call) endsBefore(p callPiece) bool {
	if p.Name == "" || c.name == "" {
		return false
	}
	sameID := p.ID != "" && p.ID == c.wireID
	otherID := p.ID != "" && c.wireID != "" && !sameID
	if otherID || p.Name != c.name && !sameID {
		return true
	}
	return c.state.closed() && (c.terse || strings.TrimSpace(p.Arguments) != "")
}

func (m *merger) take(c *call, p callPiece) {
	if p.ID != "" {
		m.byID[p.ID] = c
		if c.wireID == "" {
			c.wireID = p.ID
		}
	}
	if c.name == "" {
		c.name = p.Name
	}
	c.terse = c.terse || p.Name == ""
	c.args = append(c.args, p.Arguments...)
	c.state.read(p.Arguments)
}

// tell returns what the consumer was not told yet. In most cases that is the
// latest piece, which is already a string.
func (m *merger) tell(c *call, latest string) (model.ToolCallDelta, bool) {
	if c.name == "" || c.id != "" && c.told == len(c.args) {
		return model.ToolCallDelta{}, false
	}
	if c.id == "" {
		c.id = m.unique(c)
	}
	news := latest
	if c.told+len(latest) != len(c.args) {
		news = string(c.args[c.told:])
	}
	c.told = len(c.args)
	return model.ToolCallDelta{Index: c.position, ID: c.id, Name: c.name, Arguments: news}, true
}

// finish returns the calls, in order, as events. A call without a name is an
// error, unless the answer was not complete: then the name was still to come.
func (m *merger) finish(complete bool) ([]model.Event, error) {
	var events []model.Event
	for _, c := range m.calls {
		switch {
		case c.name != "":
			events = append(events, c.event())
		case complete:
			return events, fmt.Errorf("openai: tool call %d of the answer has no name", c.position)
		}
	}
	return events, nil
}

// event returns the finished call. No arguments at all, and null, mean none.
func (c *call) event() model.Event {
	args := json.RawMessage(c.args)
	if text := bytes.TrimSpace(args); len(text) == 0 || string(text) == "null" {
		args = json.RawMessage("{}")
	}
	if json.Valid(args) {
		return model.ToolCall{ID: c.id, Name: c.name, Arguments: args}
	}
	err := json.Unmarshal(args, new(json.RawMessage)) // says what is wrong
	return model.InvalidToolCall{
		ID:  c.id,
		Err: &model.ArgumentsError{Tool: c.name, Raw: string(args), Err: err},
	}
}

// unique returns the call's ID if it has one that no other call has, and else
// makes one: an ID says which result answers which call.
func (m *merger) unique(c *call) string {
	id := c.wireID
	for n := c.position; id == "" || m.ids[id]; n++ {
		id = fmt.Sprintf("call_%d", n)
	}
	m.ids[id] = true
	return id
}

// nesting follows JSON text piece by piece, only to see where its outermost
// object or array ends.
type nesting struct {
	depth            int
	inString, escape bool
	opened           bool
}

func (n *nesting) read(s string) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case n.escape:
			n.escape = false
		case n.inString:
			n.inString, n.escape = c != '"', c == '\\'
		case c == '"':
			n.inString = true
		case c == '{' || c == '[':
			n.depth++
			n.opened = true
		case c == '}' || c == ']':
			n.depth--
		}
	}
}

func (n *nesting) closed() bool { return n.opened && n.depth <= 0 }
