package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"helve/message"
	"helve/session"
	"helve/session/sessiontest"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	sessiontest.Run(t, func(*testing.T) session.Store { return session.NewMemory() })
}

func TestMemorySaved(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := session.NewMemory()
		s, err := store.Open(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			time.Sleep(time.Hour)
			if err := s.Save(t.Context(), 0, []message.Message{message.User("x")}, nil); err != nil {
				t.Fatal(err)
			}
		}
		last := time.Now()
		time.Sleep(time.Hour)
		if err := s.Save(t.Context(), -1, nil, nil); err == nil {
			t.Fatal("a save at -1 succeeded")
		}
		infos, err := store.List(t.Context())
		if err != nil || len(infos) != 1 {
			t.Fatalf("got %v, %v, want one session", infos, err)
		}
		if !infos[0].Saved.Equal(last) {
			t.Errorf("got %v, want the time of the last save that succeeded, %v", infos[0].Saved, last)
		}
	})
}

// An artifact may be any value, so a store in memory keeps the value itself.
func TestMemoryKeepsArtifacts(t *testing.T) {
	t.Parallel()
	s, err := session.NewMemory().Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	artifact := make(chan int)
	in := message.Result(message.ToolResult{CallID: "c", Artifact: artifact})
	if err := s.Save(t.Context(), 0, []message.Message{in}, nil); err != nil {
		t.Fatal(err)
	}
	messages, _, err := s.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r, _ := messages[0].ToolResult(); r.Artifact != artifact {
		t.Errorf("got artifact %v, want %v", r.Artifact, artifact)
	}
}

func TestNewSessionsAreApart(t *testing.T) {
	t.Parallel()
	a, b := session.New(), session.New()
	if err := a.Save(t.Context(), 0, []message.Message{message.User("x")}, nil); err != nil {
		t.Fatal(err)
	}
	for s, want := range map[session.Session]int{a: 1, b: 0} {
		if got, _, err := s.Load(t.Context()); err != nil || len(got) != want {
			t.Errorf("got %d messages and error %v, want %d", len(got), err, want)
		}
	}
}

func TestCheckID(t *testing.T) {
	t.Parallel()
	tests := []struct{ id, want string }{
		{"", "is empty"},
		{strings.Repeat("x", session.MaxIDBytes+1), "129 bytes"},
		{"a\xff", "not UTF-8"},
		{"a\tb", "control character"},
	}
	for _, tt := range tests {
		err := session.CheckID(tt.id)
		if !errors.Is(err, session.ErrID) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("CheckID(%q): got %v, want one with %q", tt.id, err, tt.want)
		}
	}
	if err := session.CheckID(strings.Repeat("я", session.MaxIDBytes/2)); err != nil {
		t.Error(err)
	}
}

func TestCheckSave(t *testing.T) {
	t.Parallel()
	two := make([]message.Message, 2)
	tests := []struct {
		name     string
		at       int
		messages []message.Message
		state    string
		want     error
	}{
		{"last places", session.MaxMessages - 2, two, `{}`, nil},
		{"one too far", session.MaxMessages - 1, two, `{}`, session.ErrPosition},
		{"negative", -1, nil, `{}`, session.ErrPosition},
		{"cut state", 0, two, `{"a":`, session.ErrState},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if err := session.CheckSave(tt.at, tt.messages, json.RawMessage(tt.state)); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

// The agent declares what it needs of a session itself. This is that interface.
var _ interface {
	Load(ctx context.Context) (messages []message.Message, state json.RawMessage, err error)
	Save(ctx context.Context, at int, messages []message.Message, state json.RawMessage) error
} = session.Session(nil)
