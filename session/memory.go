package session

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"helve/message"
)

// Memory is a [Store] in memory. Its sessions live as long as it does or until
// they are deleted: it has no limit of its own, so a server that opens sessions
// for strangers must delete old ones.
//
// It copies messages and state on the way in and out. Only the artifact of a
// [message.ToolResult], which may be any value, is kept as it is.
//
// Make one with [NewMemory].
type Memory struct {
	mu       sync.RWMutex
	sessions map[string]*conversation
}

var _ Store = (*Memory)(nil)

// conversation is guarded by the mutex of its Memory.
type conversation struct {
	messages []message.Message
	state    json.RawMessage
	saved    time.Time
}

// NewMemory returns an empty store.
func NewMemory() *Memory { return &Memory{sessions: make(map[string]*conversation)} }

// New returns an empty session in memory that is in no store: for a conversation
// that ends with the process.
func New() Session { return memorySession{NewMemory(), "new"} }

// Open implements [Store].
func (m *Memory) Open(ctx context.Context, id string) (Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := CheckID(id); err != nil {
		return nil, err
	}
	return memorySession{m, id}, nil
}

// List implements [Store].
func (m *Memory) List(ctx context.Context) ([]Info, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	list := make([]Info, 0, len(m.sessions))
	for id, c := range m.sessions {
		list = append(list, Info{ID: id, Messages: len(c.messages), Open: c.state != nil, Saved: c.saved})
	}
	slices.SortFunc(list, func(a, b Info) int { return cmp.Compare(a.ID, b.ID) })
	return list, nil
}

// Delete implements [Store].
func (m *Memory) Delete(ctx context.Context, id string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := CheckID(id); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.sessions, id)
	return nil
}

// memorySession is a name, not a conversation: the conversation may be deleted
// and begun anew while the session is open.
type memorySession struct {
	store *Memory
	id    string
}

func (s memorySession) Load(ctx context.Context) ([]message.Message, json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	s.store.mu.RLock()
	defer s.store.mu.RUnlock()
	c, ok := s.store.sessions[s.id]
	if !ok {
		return nil, nil, nil
	}
	return cloneAll(c.messages), bytes.Clone(c.state), nil
}

func (s memorySession) Save(ctx context.Context, at int, messages []message.Message, state json.RawMessage) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := CheckSave(at, messages, state); err != nil {
		return err
	}
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	c, ok := s.store.sessions[s.id]
	if !ok {
		c = new(conversation)
		s.store.sessions[s.id] = c
	}
	c.put(at, messages)
	if state != nil {
		c.state = bytes.Clone(state)
		if string(bytes.TrimSpace(state)) == "null" {
			c.state = nil
		}
	}
	c.saved = time.Now()
	return nil
}

// put fills the empty places among at, at+1, …
func (c *conversation) put(at int, messages []message.Message) {
	for len(messages) > 0 && messages[len(messages)-1].IsZero() {
		messages = messages[:len(messages)-1]
	}
	if grow := at + len(messages) - len(c.messages); grow > 0 && len(messages) > 0 {
		c.messages = append(c.messages, make([]message.Message, grow)...)
	}
	for i, m := range messages {
		if c.messages[at+i].IsZero() {
			c.messages[at+i] = clone(m)
		}
	}
}
