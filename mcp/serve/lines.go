package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"helve/internal/jsontext"
)

// mostLine is how many bytes a message over standard input may have.
const mostLine = 16 << 20

// lines reads messages, one a line, and passes on those that are some: for the SDK one
// line that is none ends the connection. What it keeps back it answers.
type lines struct {
	io.Closer
	in  *bufio.Reader
	out io.Writer
	log *slog.Logger

	begun bool
	line  []byte // to be passed on
}

func newLines(in io.ReadCloser, out io.Writer, log *slog.Logger) *lines {
	return &lines{Closer: in, in: bufio.NewReaderSize(in, 64<<10), out: out, log: log}
}

func (l *lines) Read(p []byte) (int, error) {
	for len(l.line) == 0 {
		line, err := l.next()
		if fault := check(line, err); fault != nil {
			if err := l.refuse(fault); err != nil {
				return 0, err
			}
			continue
		}
		if err != nil && len(line) == 0 {
			return 0, err
		}
		if len(line) > 0 {
			l.line = append(line, '\n')
		}
	}
	n := copy(p, l.line)
	l.line = l.line[n:]
	return n, nil
}

var errLong = errors.New("too long")

// next reads a line, without the space around it. Of one that is too long it returns
// the beginning.
func (l *lines) next() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := l.in.ReadSlice('\n')
		if len(line)+len(part) > mostLine+len("\r\n") {
			long = true
		}
		if !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if !l.begun {
			l.begun = true
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // as some programs begin a text
		}
		if long {
			return line, errLong
		}
		return bytes.TrimSpace(line), err
	}
}

// check says what is wrong with a line, and nil where nothing is.
func check(line []byte, err error) *jsonrpc.Error {
	switch {
	case errors.Is(err, errLong):
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("a message of more than %d MiB is not read: %s", mostLine>>20, clip(string(line[:min(len(line), 1<<10)])))}
	case len(line) == 0:
		return nil
	case !jsontext.Valid(line):
		return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "a line is not JSON; a message is one line: " + clip(string(line))}
	}
	if line[0] == '{' && plainRequest(line) {
		return nil
	}
	if err := checkMessages(line); err != nil {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "a line is JSON, but no message of JSON-RPC 2.0: " + clip(err.Error()) + ": " + clip(string(line))}
	}
	return nil
}

// checkMessages looks at a message, or at a batch of them as older clients send it.
func checkMessages(line []byte) error {
	var batch []json.RawMessage
	if line[0] != '[' {
		batch = append(batch, line)
	} else if err := json.Unmarshal(line, &batch); err != nil {
		return err
	}
	if len(batch) == 0 {
		return errors.New("an empty batch")
	}
	seen := map[jsonrpc.ID]bool{}
	for _, one := range batch {
		m, err := jsonrpc.DecodeMessage(one)
		if err != nil {
			return err
		}
		r, ok := m.(*jsonrpc.Request)
		if ok && len(batch) > 1 && seen[r.ID] { // the SDK takes not even two notifications
			return errors.New("a batch with the same id twice")
		}
		if ok {
			seen[r.ID] = true
		}
	}
	return nil
}

// refuse answers a line. Whose answer it is no one can know.
func (l *lines) refuse(fault *jsonrpc.Error) error {
	l.log.LogAttrs(context.Background(), slog.LevelDebug, "mcp: a line is refused", slog.String("error", fault.Message))
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": fault})
	if err != nil {
		return err
	}
	_, err = l.out.Write(append(answer, '\n'))
	return err
}

// lockedWriter keeps two lines from being written at once.
type lockedWriter struct {
	mu sync.Mutex
	io.WriteCloser
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.WriteCloser.Write(p)
}
