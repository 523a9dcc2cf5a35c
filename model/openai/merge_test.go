package openai

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"helve/model"
)

// wanted is a call as it should come out.
type wanted struct{ name, args string }

// style is a way in which servers send the pieces of calls.
type style struct {
	name       string
	index      bool // every piece has the index
	id         bool // the first piece has an ID
	everyID    bool // every piece does
	everyName  bool // every piece has the name
	interleave bool // pieces of several calls take turns
	closed     bool // where a call's JSON ends matters, so it has to be JSON
}

var styles = []style{
	{name: "OpenAI", index: true, id: true, interleave: true},
	{name: "no ID", index: true, interleave: true},
	{name: "all in every piece", index: true, id: true, everyID: true, everyName: true, interleave: true, closed: true},
	{name: "no index", id: true, everyID: true, interleave: true},
	{name: "ID in the first piece alone", id: true},
	{name: "neither index nor ID", closed: true},
	{name: "nothing but the name", everyName: true, closed: true},
}

// cut returns the pieces of calls in this style. The numbers in cuts say which
// call's turn it is and how long its next piece is.
func (s style) cut(calls []wanted, cuts []byte) []callPiece {
	var pieces []callPiece
	rest := make([]string, len(calls))
	for i, c := range calls {
		rest[i] = c.args
	}
	begun := make([]bool, len(calls))
	next := func(i, n int) {
		n = min(n, len(rest[i]))
		p := callPiece{Arguments: rest[i][:n]}
		rest[i] = rest[i][n:]
		if s.index {
			p.Index = &i
		}
		if s.id && !begun[i] || s.everyID {
			p.ID = fmt.Sprintf("id_%d", i)
		}
		if s.everyName || !begun[i] {
			p.Name = calls[i].name
		}
		begun[i] = true
		pieces = append(pieces, p)
	}
	if s.interleave {
		for i := range calls {
			next(i, 0) // calls begin in order
		}
		for _, b := range cuts {
			next(int(b)%len(calls), int(b)/len(calls))
		}
	}
	for i := range calls {
		for _, b := range cuts {
			if !s.interleave && rest[i] != "" {
				next(i, int(b))
			}
		}
		if rest[i] != "" || !begun[i] {
			next(i, len(rest[i]))
		}
	}
	return pieces
}

// check merges the pieces and compares.
func (s style) check(t *testing.T, calls []wanted, pieces []callPiece) {
	t.Helper()
	m := newMerger(map[string]bool{})
	told := map[int]*strings.Builder{}
	ids := map[int]string{}
	for _, p := range pieces {
		delta, ok, err := m.add(p)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		if told[delta.Index] == nil {
			told[delta.Index] = &strings.Builder{}
			ids[delta.Index] = delta.ID
		}
		told[delta.Index].WriteString(delta.Arguments)
		if delta.ID != ids[delta.Index] || delta.Name != calls[delta.Index].name {
			t.Errorf("%s: delta %+v of call %s", s.name, delta, ids[delta.Index])
		}
	}
	got, err := m.finish(true)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(calls) {
		t.Fatalf("%s: %d calls: want %d of %+v", s.name, len(got), len(calls), pieces)
	}
	seen := map[string]bool{}
	for i, event := range got {
		name, id, args := describe(event)
		if name != calls[i].name || id == "" || seen[id] || id != ids[i] {
			t.Errorf("%s: call %d is %s with ID %q: want %s with an ID of its own, as in its deltas", s.name, i, name, id, calls[i].name)
		}
		seen[id] = true
		want := calls[i].args
		if told := told[i].String(); told != want {
			t.Errorf("%s: call %d: deltas %q: want %q", s.name, i, told, want)
		}
		if text := strings.TrimSpace(want); text == "" || text == "null" {
			want = "{}"
		}
		if args != want {
			t.Errorf("%s: call %d: arguments %q: want %q", s.name, i, args, want)
		}
	}
}

func describe(event model.Event) (name, id, args string) {
	switch e := event.(type) {
	case model.ToolCall:
		return e.Name, e.ID, string(e.Arguments)
	case model.InvalidToolCall:
		return e.Err.Tool, e.ID, e.Err.Raw
	}
	panic(fmt.Sprintf("%T", event))
}

// FuzzMerge checks that the same calls come out however they were cut.
func FuzzMerge(f *testing.F) {
	f.Add("Paris", `a"\{}[]`, []byte{3, 200, 1, 0, 7})
	f.Add(`{"city":`, "null", []byte{})
	f.Add("", "\xff", []byte{1, 1, 1, 1, 1, 1})
	f.Fuzz(func(t *testing.T, a, b string, cuts []byte) {
		for _, s := range styles {
			calls := []wanted{{"f", a}, {"g", b}, {"f", b + a}}
			if s.closed {
				calls = []wanted{{"f", object(a)}, {"f", object(b)}, {"g", object("")}}
			}
			s.check(t, calls, s.cut(calls, cuts))
		}
	})
}

func object(s string) string {
	data, _ := json.Marshal(map[string]any{s: []string{s}})
	return string(data)
}

// TestMergeLong puts 10 MB together from pieces of 4 bytes.
func TestMergeLong(t *testing.T) {
	t.Parallel()
	args := `{"text":"` + strings.Repeat("0123456789", 1<<20) + `"}`
	zero := 0
	m := newMerger(map[string]bool{})
	for i := 0; i < len(args); i += 4 {
		piece := callPiece{Index: &zero, Arguments: args[i:min(i+4, len(args))]}
		if i == 0 {
			piece.Name = "f"
		}
		if _, _, err := m.add(piece); err != nil {
			t.Fatal(err)
		}
	}
	calls, err := m.finish(true)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, got := describe(calls[0]); len(calls) != 1 || got != args {
		t.Errorf("%d calls, the first of %d bytes: want 1 of %d", len(calls), len(got), len(args))
	}
}

func BenchmarkMerge(b *testing.B) {
	for _, size := range []int{128 << 10, 1 << 20, 8 << 20} {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			args := `{"text":"` + strings.Repeat("x", size-11) + `"}`
			zero := 0
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				m := newMerger(map[string]bool{})
				for i := 0; i < len(args); i += 4 {
					piece := callPiece{Index: &zero, Arguments: args[i:min(i+4, len(args))]}
					if i == 0 {
						piece.Name = "f"
					}
					if _, _, err := m.add(piece); err != nil {
						b.Fatal(err)
					}
				}
				if _, err := m.finish(true); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
