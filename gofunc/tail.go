package gofunc

import (
	"bytes"
	"log/slog"
	"sync"

	"helve/executor"
)

// maxTail is how much of a program's standard error is kept, in bytes.
const maxTail = 8 << 10

// tail keeps the end of what a program prints, and logs it line by line, without what
// looks like a secret.
type tail struct {
	log *slog.Logger

	mu   sync.Mutex
	kept []byte
	line []byte // that has no end yet
}

func newTail(log *slog.Logger, folder string) *tail { return &tail{log: log.With("folder", folder)} }

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p[max(0, len(p)-maxTail):]...)
	t.kept = append(t.kept[:0], t.kept[max(0, len(t.kept)-maxTail):]...)
	for rest := p; len(rest) > 0; {
		piece, after, ended := bytes.Cut(rest, []byte("\n"))
		if room := maxTail - len(t.line); len(piece) > room { // a long line is told in pieces
			piece, after, ended = rest[:room], rest[room:], true
		}
		t.line = append(t.line, piece...)
		if ended {
			t.log.Info("a Go function wrote", "text", executor.RedactText(string(t.line)))
			t.line = t.line[:0]
		}
		rest = after
	}
	return len(p), nil
}

// String returns what was kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.ToValidUTF8(t.kept, []byte("\uFFFD")))
}
