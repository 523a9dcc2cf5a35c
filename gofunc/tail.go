package gofunc

import (
	"bytes"
	"log/slog"
	"sync"
)

// maxTail is how much of a program's standard error is kept, in bytes.
const maxTail = 8 << 10

// tail keeps the end of what a program prints, and logs it line by line.
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
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - maxTail; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	t.line = append(t.line, p...)
	for {
		line, rest, ended := bytes.Cut(t.line, []byte("\n"))
		if !ended && len(t.line) < maxTail {
			break
		}
		t.log.Info("a Go function wrote", "text", string(line))
		t.line = append(t.line[:0], rest...)
	}
	return len(p), nil
}

// String returns what was kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.ToValidUTF8(t.kept, []byte("\uFFFD")))
}
