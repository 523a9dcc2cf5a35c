// Package wire is how helve and a program made of a folder of Go functions talk:
// frames of a length, four bytes, and JSON. Each side writes what it has to say when
// it has it; ID says which call it belongs to.
package wire

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"helve/message"
	"helve/tool"
)

// Version changes with the protocol. A program of another version is built anew.
const Version = 2

// MaxFrame bounds a frame, in bytes.
const MaxFrame = 16 << 20

// Kinds of frames.
const (
	Call   = "call"   // host: run a tool
	Cancel = "cancel" // host: nobody waits for the call any more; program: nor for the answer to Ask.N
	Given  = "given"  // host: the answer to Want
	Result = "result" // program: a call is over
	Update = "update" // program: a call tells something
	Want   = "want"   // program: a call wants something of its host
)

// Frame is one message. Which fields count depends on Kind.
type Frame struct {
	Kind string `json:"kind"`
	ID   uint64 `json:"id"`

	Tool      string            `json:"tool,omitempty"`
	CallID    string            `json:"call_id,omitempty"`
	Arguments json.RawMessage   `json:"arguments,omitempty"`
	Messages  []message.Message `json:"messages,omitempty"`
	Values    map[string]any    `json:"values,omitempty"`
	Config    map[string]any    `json:"config,omitempty"`

	Content  json.RawMessage `json:"content,omitempty"`
	Artifact json.RawMessage `json:"artifact,omitempty"`
	Error    *Error          `json:"error,omitempty"`

	Progress *tool.Progress  `json:"progress,omitempty"`
	Output   json.RawMessage `json:"output,omitempty"`
	Name     string          `json:"name,omitempty"` // of a callback
	Data     json.RawMessage `json:"data,omitempty"`

	Ask *Ask `json:"ask,omitempty"`
}

// Error is a [tool.Error] on its way. Cause is for the host's log.
type Error struct {
	Kind      tool.Kind      `json:"kind"`
	Message   string         `json:"message"`
	Detail    map[string]any `json:"detail,omitempty"`
	Retryable bool           `json:"retryable,omitempty"`
	Cause     string         `json:"cause,omitempty"`
	Of        uint64         `json:"of,omitempty"` // the N of the [Ask] whose error it is
}

// NewError takes e apart.
func NewError(e *tool.Error) *Error {
	w := &Error{Kind: e.Kind, Message: e.Message, Detail: e.Detail, Retryable: e.Retryable}
	if _, err := json.Marshal(w.Detail); err != nil {
		w.Detail = nil // a bad detail must not cost the model the error
	}
	if e.Err != nil {
		w.Cause = e.Err.Error()
	}
	var f *fault
	if errors.As(e, &f) {
		w.Of = f.of
	}
	return w
}

// Tool puts the error together again.
func (e *Error) Tool() *tool.Error {
	t := &tool.Error{Kind: e.Kind, Message: e.Message, Detail: e.Detail, Retryable: e.Retryable}
	if e.Cause != "" {
		t.Err = errors.New(e.Cause)
	}
	return t
}

// ErrTooLarge says that a frame is larger than [MaxFrame].
var ErrTooLarge = fmt.Errorf("it is larger than %d MiB", MaxFrame>>20)

// Writer writes frames. It is safe for concurrent use.
type Writer struct {
	mu sync.Mutex
	w  io.Writer
}

// NewWriter returns a writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes a frame. Nothing was written if the error is a [FormError].
func (w *Writer) Write(f Frame) error {
	data, err := json.Marshal(f)
	if err != nil {
		return &FormError{err}
	}
	if len(data) > MaxFrame {
		return &FormError{ErrTooLarge}
	}
	framed := binary.BigEndian.AppendUint32(make([]byte, 0, len(data)+4), uint32(len(data)))
	framed = append(framed, data...)
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = w.w.Write(framed)
	return err
}

// FormError says that a frame can't be sent: it has no JSON form, or is too large.
type FormError struct{ Err error }

func (e *FormError) Error() string { return e.Err.Error() }
func (e *FormError) Unwrap() error { return e.Err }

// Reader reads frames. It is for one goroutine.
type Reader struct{ r *bufio.Reader }

// NewReader returns a reader of r.
func NewReader(r io.Reader) *Reader { return &Reader{bufio.NewReader(r)} }

// Read reads a frame. The error is [io.EOF] where the other side has gone between two.
func (r *Reader) Read() (Frame, error) {
	var head [4]byte
	if _, err := io.ReadFull(r.r, head[:]); err != nil {
		return Frame{}, err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size > MaxFrame {
		return Frame{}, fmt.Errorf("a frame of %d bytes: %w", size, ErrTooLarge)
	}
	var b limited
	if _, err := io.CopyN(&b, r.r, int64(size)); err != nil {
		return Frame{}, io.ErrUnexpectedEOF
	}
	var f Frame
	if err := json.Unmarshal(b, &f); err != nil {
		return Frame{}, fmt.Errorf("a frame that is none: %w", err)
	}
	return f, nil
}

// limited grows with what comes, so that a length alone takes no memory.
type limited []byte

func (b *limited) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}
