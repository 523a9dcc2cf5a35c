package gofunc

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

func (*texts) Enabled(context.Context, slog.Level) bool { return true }
func (l *texts) WithAttrs([]slog.Attr) slog.Handler     { return l }
func (l *texts) WithGroup(string) slog.Handler          { return l }
func (l *texts) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool { l.got = append(l.got, a.Value.String()); return true })
	return nil
}

func TestTail(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxTail)
	for name, test := range map[string]struct {
		written []string
		want    []string
	}{
		"lines":           {[]string{"a\nb\n\nc"}, []string{"a", "b", ""}},
		"in pieces":       {[]string{"a", "b\nc", "\n"}, []string{"ab", "c"}},
		"a line too long": {[]string{long + "y\n" + long + long + "\nz\n"}, []string{long, "y", long, long, "z"}},
		"a secret":        {[]string{"password=hunter2\n"}, []string{"[redacted]"}},
	} {
		logged := &texts{}
		tail := newTail(slog.New(logged), "folder")
		for _, text := range test.written {
			if n, err := tail.Write([]byte(text)); n != len(text) || err != nil {
				t.Errorf("%s: %d, %v", name, n, err)
			}
		}
		if !slices.Equal(logged.got, test.want) {
			t.Errorf("%s: logged %q, want %q", name, logged.got, test.want)
		}
		all := strings.Join(test.written, "")
		if want := all[max(0, len(all)-maxTail):]; tail.String() != want {
			t.Errorf("%s: kept %d bytes, want %d", name, len(tail.String()), len(want))
		}
	}
}

// FuzzTail: in whatever pieces it comes, what is logged is what was written.
func FuzzTail(f *testing.F) {
	f.Add([]byte("a\nb\n"), 1)
	f.Add(bytes.Repeat([]byte("xy\n"), maxTail), 7)
	f.Fuzz(func(t *testing.T, data []byte, at int) {
		if at < 0 || at > len(data) || bytes.ContainsAny(data, "=:") { // nothing to hide
			return
		}
		whole, cut := &texts{}, &texts{}
		a, b := newTail(slog.New(whole), ""), newTail(slog.New(cut), "")
		_, _ = a.Write(data)
		_, _ = b.Write(data[:at])
		_, _ = b.Write(data[at:])
		if !slices.Equal(whole.got, cut.got) || a.String() != b.String() {
			t.Errorf("in two pieces it is another")
		}
		if len(a.kept) > maxTail || len(a.line) > maxTail {
			t.Errorf("%d and %d bytes are kept", len(a.kept), len(a.line))
		}
	})
}

// BenchmarkTail is linear in what a function prints.
func BenchmarkTail(b *testing.B) {
	newlines := bytes.Repeat([]byte("\n"), 4<<20)
	for b.Loop() {
		_, _ = newTail(slog.New(slog.DiscardHandler), "folder").Write(newlines)
	}
}
