package tail

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"helve/executor"
)

const (
	maxPiece = 8 << 10 // bytes of a line in one record of the log; a longer one is told in pieces
	maxLine  = 500     // bytes of a line of [Tail.Last]
)

// Tail is an io.Writer that keeps the end of what was written to it, and logs it line by
// line, without what looks like a secret. It is safe for concurrent use.
type Tail struct {
	log     *slog.Logger
	level   slog.Level
	message string
	size    int

	mu   sync.Mutex
	kept []byte // the last size bytes are wanted; up to twice as many are here
	cut  bool   // kept is not all there was
	line []byte // that has no end yet
}

// New returns a Tail that keeps size bytes. Each line is logged with the message, as its
// attribute "text".
func New(log *slog.Logger, level slog.Level, message string, size int) *Tail {
	return &Tail{log: log, level: level, message: message, size: size}
}

// Write never fails: a program must not be stopped by the one who listens.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.keep(p)
	for rest := p; len(rest) > 0; {
		piece, after, ended := bytes.Cut(rest, []byte("\n"))
		if room := maxPiece - len(t.line); len(piece) > room {
			piece, after, ended = rest[:room], rest[room:], true
		}
		t.line = append(t.line, piece...)
		if ended {
			t.tell()
		}
		rest = after
	}
	return len(p), nil
}

// keep moves what is kept only once in size bytes, so that many small writes cost no
// more than one large one.
func (t *Tail) keep(p []byte) {
	if len(p) > t.size {
		p, t.kept, t.cut = p[len(p)-t.size:], t.kept[:0], true
	}
	if len(t.kept)+len(p) > 2*t.size {
		t.kept, t.cut = append(t.kept[:0], t.kept[len(t.kept)-t.size:]...), true
	}
	t.kept = append(t.kept, p...)
}

func (t *Tail) tell() {
	if t.log.Enabled(context.Background(), t.level) {
		t.log.Log(context.Background(), t.level, t.message, "text", executor.RedactText(string(t.line)))
	}
	t.line = t.line[:0]
}

// Last returns the last lines that say something, that many at most, each without what
// looks like a secret and cut to 500 bytes. It is "" where nothing was said.
func (t *Tail) Last(lines int) string {
	text, cut := t.text()
	all := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	if cut && len(all) > 1 {
		all = all[1:] // the end of a line: half a secret does not look like one
	}
	var last []string
	for i := len(all) - 1; i >= 0 && len(last) < lines; i-- {
		if line := strings.TrimRight(all[i], " \t"); line != "" {
			last = append(last, executor.RedactExcerpt(line, maxLine))
		}
	}
	slices.Reverse(last)
	return strings.Join(last, "\n")
}

// text returns what is kept, and whether there was more before it.
func (t *Tail) text() (text string, cut bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.kept[max(0, len(t.kept)-t.size):]
	return strings.ToValidUTF8(string(kept), "\uFFFD"), t.cut || len(kept) < len(t.kept)
}
