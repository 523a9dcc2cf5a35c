package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode"
	"unicode/utf8"

	"helve/message"
)

// Store holds sessions by ID. It is safe for concurrent use. When the context
// is done, a method changes nothing and returns the context's error.
type Store interface {
	// Open returns the session with that ID. It does no more than check the ID
	// by [CheckID]: a session exists from its first Save on. All sessions opened
	// with one ID are the same conversation.
	Open(ctx context.Context, id string) (Session, error)

	// List returns what is stored, in ascending byte order of the IDs.
	List(ctx context.Context) ([]Info, error)

	// Delete forgets the session with that ID. That there is none is no error. A
	// session opened before is empty from then on, and a Save begins it anew.
	Delete(ctx context.Context, id string) error
}

// Session is one conversation. It is safe for concurrent use. What it is given
// and what it returns belong to the caller, who may change it.
type Session interface {
	// Load returns the conversation and the state of the open run. Message i is
	// the one saved at i; a place that is not filled is the zero Message, and the
	// last message is never zero. State is nil when no run is open.
	Load(ctx context.Context) (messages []message.Message, state json.RawMessage, err error)

	// Save puts messages at at, at+1, … A place that is filled keeps what it has,
	// and a zero Message fills nothing. If state is not nil it replaces the
	// state; JSON null clears it. All of it happens or, with an error, nothing.
	//
	// It is an error if a place is negative or not below [MaxMessages]
	// ([ErrPosition]) and if state is not JSON ([ErrState]).
	Save(ctx context.Context, at int, messages []message.Message, state json.RawMessage) error
}

// Info describes a stored session.
type Info struct {
	ID       string
	Messages int       // the length of what Load returns, with holes
	Open     bool      // a run is open: there is state
	Saved    time.Time // when the last Save succeeded, by the store's clock
}

// MaxMessages is how long a session may get. A place past it is a mistake of the
// caller: no model reads so much, and a store would have to fill the gap.
const MaxMessages = 1 << 20

// MaxIDBytes is how long a session ID may be.
const MaxIDBytes = 128

// The errors of a [Store]; test for them with errors.Is.
var (
	ErrID       = errors.New("session: invalid ID")
	ErrPosition = errors.New("session: position out of range")
	ErrState    = errors.New("session: state is not JSON")
)

// CheckID returns nil if id can name a session: 1 to [MaxIDBytes] bytes of UTF-8
// without control characters. Otherwise the error wraps [ErrID]. Stores call it
// in Open and Delete.
func CheckID(id string) error {
	switch {
	case id == "":
		return fmt.Errorf("%w: it is empty", ErrID)
	case len(id) > MaxIDBytes:
		return fmt.Errorf("%w: it has %d bytes, and %d are allowed", ErrID, len(id), MaxIDBytes)
	case !utf8.ValidString(id):
		return fmt.Errorf("%w: %q is not UTF-8", ErrID, id)
	}
	for _, r := range id {
		if unicode.IsControl(r) {
			return fmt.Errorf("%w: %q holds a control character", ErrID, id)
		}
	}
	return nil
}

// CheckSave returns the error that Save must return for these arguments, or nil.
// Stores call it first, so that all refuse the same.
func CheckSave(at int, messages []message.Message, state json.RawMessage) error {
	if at < 0 || at > MaxMessages || len(messages) > MaxMessages-at {
		return fmt.Errorf("%w: %d messages at %d: places are 0 to %d", ErrPosition, len(messages), at, MaxMessages-1)
	}
	if state != nil && !json.Valid(state) {
		return fmt.Errorf("%w: encode it with encoding/json, or pass nil to keep what is stored", ErrState)
	}
	return nil
}
