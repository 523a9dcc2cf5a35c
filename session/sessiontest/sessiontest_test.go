package sessiontest

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"helve/message"
	"helve/session"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	Run(t, func(*testing.T) session.Store { return session.NewMemory() })
}

// faulty is a good store with one mistake.
type faulty struct {
	session.Store
	open   func(context.Context, string) (session.Session, error)
	list   func(context.Context) ([]session.Info, error)
	delete func(context.Context, string) error
	load   func(context.Context, session.Session) ([]message.Message, json.RawMessage, error)
	save   func(context.Context, session.Session, int, []message.Message, json.RawMessage) error
}

func (f faulty) Open(ctx context.Context, id string) (session.Session, error) {
	open := f.Store.Open
	if f.open != nil {
		open = f.open
	}
	s, err := open(ctx, id)
	if err != nil {
		return nil, err
	}
	return faultySession{s, f}, nil
}

func (f faulty) List(ctx context.Context) ([]session.Info, error) {
	if f.list != nil {
		return f.list(ctx)
	}
	return f.Store.List(ctx)
}

func (f faulty) Delete(ctx context.Context, id string) error {
	if f.delete != nil {
		return f.delete(ctx, id)
	}
	return f.Store.Delete(ctx, id)
}

type faultySession struct {
	session.Session
	f faulty
}

func (s faultySession) Load(ctx context.Context) ([]message.Message, json.RawMessage, error) {
	if s.f.load != nil {
		return s.f.load(ctx, s.Session)
	}
	return s.Session.Load(ctx)
}

func (s faultySession) Save(ctx context.Context, at int, messages []message.Message, state json.RawMessage) error {
	if s.f.save != nil {
		return s.f.save(ctx, s.Session, at, messages, state)
	}
	return s.Session.Save(ctx, at, messages, state)
}

// Every check fails on a store that makes the mistake it looks for.
func TestChecksFindMistakes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		spoil func(store *session.Memory) faulty
		want  []string // checks that must fail
	}{
		{"any ID", func(m *session.Memory) faulty {
			return faulty{open: func(ctx context.Context, id string) (session.Session, error) {
				return m.Open(ctx, "x"+strings.ToValidUTF8(strings.Map(printable, id), "")[:min(1, len(id))])
			}}
		}, []string{"ids"}},
		{"IDs without case", func(m *session.Memory) faulty {
			return faulty{open: func(ctx context.Context, id string) (session.Session, error) {
				return m.Open(ctx, strings.ToLower(id))
			}}
		}, []string{"sessions are apart", "list"}},
		{"the last save wins", func(m *session.Memory) faulty {
			return faulty{save: func(ctx context.Context, s session.Session, at int, messages []message.Message, state json.RawMessage) error {
				old, oldState, err := s.Load(ctx)
				if err != nil || session.CheckSave(at, messages, state) != nil {
					return s.Save(ctx, at, messages, state)
				}
				next := slices.Clone(old)
				for i, msg := range messages {
					for len(next) <= at+i {
						next = append(next, message.Message{})
					}
					next[at+i] = msg
				}
				if err := m.Delete(ctx, "a"); err != nil {
					return err
				}
				return s.Save(ctx, 0, next, json.RawMessage(cmp.Or(string(state), string(oldState), "null")))
			}}
		}, []string{"append if absent", "overlap fills the gaps"}},
		{"a filled place is an error", func(*session.Memory) faulty {
			return faulty{save: func(ctx context.Context, s session.Session, at int, messages []message.Message, state json.RawMessage) error {
				if old, _, err := s.Load(ctx); err == nil && at >= 0 && at < len(old) && len(messages) > 0 {
					return session.ErrPosition
				}
				return s.Save(ctx, at, messages, state)
			}}
		}, []string{"append if absent", "parallel saves at one place"}},
		{"messages are appended", func(*session.Memory) faulty {
			return faulty{save: func(ctx context.Context, s session.Session, at int, messages []message.Message, state json.RawMessage) error {
				if old, _, err := s.Load(ctx); err == nil && at > len(old) && at < session.MaxMessages {
					at = len(old)
				}
				return s.Save(ctx, at, messages, state)
			}}
		}, []string{"holes", "overlap fills the gaps"}},
		{"trailing holes are kept", func(*session.Memory) faulty {
			return faulty{load: func(ctx context.Context, s session.Session) ([]message.Message, json.RawMessage, error) {
				messages, state, err := s.Load(ctx)
				return append(messages, message.Message{}), state, err
			}}
		}, []string{"trailing holes", "empty session"}},
		{"null is a state", func(*session.Memory) faulty {
			return faulty{load: func(ctx context.Context, s session.Session) ([]message.Message, json.RawMessage, error) {
				messages, state, err := s.Load(ctx)
				if state == nil {
					state = json.RawMessage("null")
				}
				return messages, state, err
			}}
		}, []string{"empty session", "state", "delete"}},
		{"no state clears it", func(*session.Memory) faulty {
			return faulty{save: func(ctx context.Context, s session.Session, at int, messages []message.Message, state json.RawMessage) error {
				if state == nil {
					state = json.RawMessage("null")
				}
				return s.Save(ctx, at, messages, state)
			}}
		}, []string{"state and messages together"}},
		{"state first, then messages", func(*session.Memory) faulty {
			return faulty{save: func(ctx context.Context, s session.Session, at int, messages []message.Message, state json.RawMessage) error {
				if err := s.Save(ctx, 0, nil, state); err != nil {
					return err
				}
				return s.Save(ctx, at, messages, nil)
			}}
		}, []string{"refused saves change nothing"}},
		{"loads see half a save", func(*session.Memory) faulty {
			loaded := make(chan struct{}) // the first save stops in the middle until a load saw it
			seen := sync.OnceFunc(func() { close(loaded) })
			return faulty{
				save: func(ctx context.Context, s session.Session, at int, messages []message.Message, state json.RawMessage) error {
					if err := s.Save(ctx, 0, nil, state); err != nil {
						return err
					}
					<-loaded
					return s.Save(ctx, at, messages, nil)
				},
				load: func(ctx context.Context, s session.Session) ([]message.Message, json.RawMessage, error) {
					messages, state, err := s.Load(ctx)
					if state != nil {
						seen()
					}
					return messages, state, err
				},
			}
		}, []string{"load sees whole saves"}},
		{"the context is ignored", func(*session.Memory) faulty {
			return faulty{save: func(ctx context.Context, s session.Session, at int, messages []message.Message, state json.RawMessage) error {
				return s.Save(context.WithoutCancel(ctx), at, messages, state)
			}}
		}, []string{"canceled context"}},
		{"delete does nothing", func(*session.Memory) faulty {
			return faulty{delete: func(context.Context, string) error { return nil }}
		}, []string{"delete", "ids"}},
		{"an unsorted list", func(m *session.Memory) faulty {
			return faulty{list: func(ctx context.Context) ([]session.Info, error) {
				infos, err := m.List(ctx)
				slices.Reverse(infos)
				return infos, err
			}}
		}, []string{"list"}},
		{"a store for each Open", func(*session.Memory) faulty {
			return faulty{open: func(ctx context.Context, id string) (session.Session, error) {
				return session.NewMemory().Open(ctx, id)
			}}
		}, []string{"one conversation for each ID", "parallel places"}},
		{"what was loaded is loaded again", func(*session.Memory) faulty {
			var last []message.Message
			return faulty{load: func(ctx context.Context, s session.Session) ([]message.Message, json.RawMessage, error) {
				messages, state, err := s.Load(ctx)
				if len(last) == 0 {
					last = messages
				}
				return last, state, err
			}}
		}, []string{"border"}},
		{"images are lost", func(*session.Memory) faulty {
			return faulty{save: func(ctx context.Context, s session.Session, at int, messages []message.Message, state json.RawMessage) error {
				messages = slices.Clone(messages)
				for i := range messages {
					messages[i].Parts = slices.DeleteFunc(slices.Clone(messages[i].Parts), func(p message.Part) bool {
						_, ok := p.(message.Image)
						return ok
					})
				}
				return s.Save(ctx, at, messages, state)
			}}
		}, []string{"round trip"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, name := range tt.want {
				memory := session.NewMemory()
				store := tt.spoil(memory)
				store.Store = memory
				i := slices.IndexFunc(checks, func(c check) bool { return c.name == name })
				if i < 0 {
					t.Fatalf("no check %q", name)
				}
				if err := checks[i].run(t.Context(), store); err == nil {
					t.Errorf("check %q passes", name)
				}
			}
		})
	}
}

func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return 'x'
	}
	return r
}
