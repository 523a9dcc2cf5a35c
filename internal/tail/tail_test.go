package tail

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
)

// texts keeps what is logged.
type texts struct{ got []string }

func (*texts) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelInfo }
func (l *texts) WithAttrs([]slog.Attr) slog.Handler         { return l }
func (l *texts) WithGroup(string) slog.Handler              { return l }
func (l *texts) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool { l.got = append(l.got, a.Value.String()); return true })
	return nil
}

const size = 8 << 10

func newTail(log *texts) *Tail { return New(slog.New(log), slog.LevelInfo, "it wrote", size) }

func TestTail(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxPiece)
	short := strings.Repeat("x", maxLine) + "…"
	for name, test := range map[string]struct {
		written []string
		want    []string
		last    string
	}{
		"nothing":         {nil, nil, ""},
		"only space":      {[]string{" \n\t\n\r\n"}, []string{" ", "\t", "\r"}, ""},
		"lines":           {[]string{"a\nb\n\nc"}, []string{"a", "b", ""}, "a\nb\nc"},
		"too many lines":  {[]string{"a\nb\nc\nd\n"}, []string{"a", "b", "c", "d"}, "b\nc\nd"},
		"in pieces":       {[]string{"a", "b\nc", "\n"}, []string{"ab", "c"}, "ab\nc"},
		"a line too long": {[]string{long + "y\n" + long + long + "\nz\n"}, []string{long, "y", long, long, "z"}, "z"},
		"only a long one": {[]string{long + long}, []string{long}, short},
		"a secret":        {[]string{"password=hunter2\n"}, []string{"[redacted]"}, "[redacted]"},
		"half a secret":   {[]string{"password=hunter2", strings.Repeat("\nab", size/3), "\n"}, nil, "ab\nab\nab"},
		"garbage":         {[]string{"\xff\xfe\n"}, []string{"\xff\xfe"}, "\uFFFD"},
	} {
		logged := &texts{}
		tail := newTail(logged)
		for _, text := range test.written {
			if n, err := tail.Write([]byte(text)); n != len(text) || err != nil {
				t.Errorf("%s: %d, %v", name, n, err)
			}
		}
		if test.want != nil && !slices.Equal(logged.got, test.want) {
			t.Errorf("%s: logged %q, want %q", name, logged.got, test.want)
		}
		if got := tail.Last(3); got != test.last {
			t.Errorf("%s: the last lines are %q, want %q", name, got, test.last)
		}
	}
}

func TestHalfASecretIsNotShown(t *testing.T) {
	t.Parallel()
	tail := newTail(&texts{})
	_, _ = tail.Write([]byte("password=hunter2\n" + strings.Repeat("y\n", (size-len("nter2\n"))/2)))
	if got := tail.Last(size); strings.Contains(got, "nter2") {
		t.Errorf("the first line is %.20q", got)
	}
}

func TestNothingIsLoggedBelowTheLevel(t *testing.T) {
	t.Parallel()
	logged := &texts{}
	_, _ = New(slog.New(logged), slog.LevelDebug, "it wrote", size).Write([]byte("a\nb\n"))
	if logged.got != nil {
		t.Errorf("logged %q", logged.got)
	}
}

// FuzzTail: in whatever pieces it comes, what is logged and kept is what was written.
func FuzzTail(f *testing.F) {
	f.Add([]byte("a\nb\n"), 1)
	f.Add(bytes.Repeat([]byte("xy\n"), size), 7)
	f.Fuzz(func(t *testing.T, data []byte, at int) {
		if at < 0 || at > len(data) {
			return
		}
		whole, cut := &texts{}, &texts{}
		a, b := newTail(whole), newTail(cut)
		_, _ = a.Write(data)
		_, _ = b.Write(data[:at])
		_, _ = b.Write(data[at:])
		if !slices.Equal(whole.got, cut.got) || a.Last(size) != b.Last(size) {
			t.Errorf("in two pieces it is another")
		}
		if len(a.kept) > 2*size || len(b.kept) > 2*size || len(a.line) > maxPiece {
			t.Errorf("%d, %d and %d bytes are kept", len(a.kept), len(b.kept), len(a.line))
		}
		if got, _ := b.text(); len(data) <= size && got != strings.ToValidUTF8(string(data), "\uFFFD") {
			t.Errorf("kept %q of %q", got, data)
		}
	})
}

// BenchmarkTail is linear in what a program prints, in however small writes.
func BenchmarkTail(b *testing.B) {
	newlines := bytes.Repeat([]byte("\n"), 4<<20)
	b.Run("one write", func(b *testing.B) {
		for b.Loop() {
			_, _ = New(slog.New(slog.DiscardHandler), slog.LevelInfo, "", size).Write(newlines)
		}
	})
	b.Run("many writes", func(b *testing.B) {
		for b.Loop() {
			tail := New(slog.New(slog.DiscardHandler), slog.LevelInfo, "", size)
			for range 4 << 12 {
				_, _ = tail.Write(newlines[:1<<8])
			}
		}
	})
}
