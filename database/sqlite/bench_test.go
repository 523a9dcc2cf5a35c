package sqlite

import (
	"fmt"
	"testing"

	"helve/message"
	"helve/session"
)

func BenchmarkSave(b *testing.B) {
	s := benchSession(b, 0)
	turn := []message.Message{message.User("How is the weather?"), message.Assistant(message.Text("Fine."))}
	state := []byte(`{"turn":1}`)
	b.ReportAllocs()
	place := 0
	for b.Loop() {
		if err := s.Save(b.Context(), place, turn, state); err != nil {
			b.Fatal(err)
		}
		if place += len(turn); place > session.MaxMessages-len(turn) {
			place = 0
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{2, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := benchSession(b, n)
			b.ReportAllocs()
			for b.Loop() {
				if messages, _, err := s.Load(b.Context()); len(messages) != n || err != nil {
					b.Fatal(len(messages), err)
				}
			}
		})
	}
}

func BenchmarkPut(b *testing.B) {
	store, value := openEmpty(b).Tools(), make([]byte, 100)
	b.ReportAllocs()
	for b.Loop() {
		if err := store.Put(b.Context(), "key", value, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	store := openEmpty(b).Tools()
	if err := store.Put(b.Context(), "key", make([]byte, 100), 0); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, ok, err := store.Get(b.Context(), "key"); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

// benchSession returns a session of n messages.
func benchSession(b *testing.B, n int) session.Session {
	b.Helper()
	s, err := openEmpty(b).Sessions().Open(b.Context(), "a")
	if err != nil {
		b.Fatal(err)
	}
	messages := make([]message.Message, n)
	for i := range messages {
		messages[i] = message.User(fmt.Sprint("What is ", i, " times ", i, "?"))
	}
	if err := s.Save(b.Context(), 0, messages, nil); err != nil {
		b.Fatal(err)
	}
	return s
}
