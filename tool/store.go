package tool

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode"
	"unicode/utf8"
)

// Store keeps values for tools between calls and runs. It is safe for concurrent
// use, and what it is given and what it returns belong to the caller, who may
// change it. When the context is done, a method changes nothing and returns the
// context's error.
//
// A value may have a time to live. From its end on, by time.Now, the key is as
// absent as one that was never put.
//
// [NewMemoryStore] is one for a single process; the package database has those
// that last, and the package storetest checks that a Store does what is written
// here.
type Store interface {
	// Get returns the value at key. ok is false where there is none, and the value
	// is nil only then.
	Get(ctx context.Context, key string) (value []byte, ok bool, err error)

	// Put sets the value at key for as long as ttl says; 0 is for ever. What was
	// there before is gone, and its time to live with it. A nil value is an empty
	// one.
	Put(ctx context.Context, key string, value []byte, ttl time.Duration) error

	// Delete removes key. To remove what is not there is no error.
	Delete(ctx context.Context, key string) error

	// List returns the keys that begin with prefix, in ascending byte order. The
	// prefix is empty or itself a key.
	List(ctx context.Context, prefix string) ([]string, error)

	// CompareAndSwap does what Put does if the value at key is old, byte for byte,
	// and says whether it was. A nil old stands for no value at key, as Get returns
	// it; a nil new leaves none there. Of several callers that swap the same old
	// value at once, exactly one is told true.
	CompareAndSwap(ctx context.Context, key string, old, new []byte, ttl time.Duration) (swapped bool, err error)
}

// The limits of a [Store]. A key names something, and a value is what a tool
// remembers: what is longer belongs into a file, and its path into the store.
const (
	MaxKeyBytes   = 512
	MaxValueBytes = 1 << 20
)

// The errors of a [Store]; test for them with errors.Is.
var (
	// ErrNoStore says that the run has no store.
	ErrNoStore = errors.New("tool: this run has no store: give it one with agent.Config.Store")

	ErrKey   = errors.New("tool: invalid key")
	ErrValue = errors.New("tool: value too long")
	ErrTTL   = errors.New("tool: time to live below zero")
)

// CheckKey returns nil if key can name a value: 1 to [MaxKeyBytes] bytes of UTF-8
// without control characters. Otherwise the error wraps [ErrKey]. Stores call it
// first, so that all refuse the same; so they do with a prefix that is not empty.
func CheckKey(key string) error {
	switch {
	case key == "":
		return fmt.Errorf("%w: it is empty", ErrKey)
	case len(key) > MaxKeyBytes:
		return fmt.Errorf("%w: it has %d bytes, and %d are allowed", ErrKey, len(key), MaxKeyBytes)
	case !utf8.ValidString(key):
		return fmt.Errorf("%w: %q is not UTF-8", ErrKey, key)
	}
	for _, r := range key {
		if unicode.IsControl(r) {
			return fmt.Errorf("%w: %q holds a control character", ErrKey, key)
		}
	}
	return nil
}

// CheckPut returns the error that Put must return for these arguments, and
// CompareAndSwap for its new value, or nil. It wraps [ErrKey], [ErrValue] or
// [ErrTTL].
func CheckPut(key string, value []byte, ttl time.Duration) error {
	if err := CheckKey(key); err != nil {
		return err
	}
	if len(value) > MaxValueBytes {
		return fmt.Errorf("%w: at key %q are %d bytes, and %d are allowed: keep it in a file and its path here", ErrValue, key, len(value), MaxValueBytes)
	}
	if ttl < 0 {
		return fmt.Errorf("%w: at key %q it is %s; 0 is for ever, and Delete removes a key", ErrTTL, key, ttl)
	}
	return nil
}

// noStore stands where the host gave none, so that a tool gets an error it can
// show instead of a nil pointer.
type noStore struct{}

func (noStore) Get(context.Context, string) ([]byte, bool, error)        { return nil, false, ErrNoStore }
func (noStore) Put(context.Context, string, []byte, time.Duration) error { return ErrNoStore }
func (noStore) Delete(context.Context, string) error                     { return ErrNoStore }
func (noStore) List(context.Context, string) ([]string, error)           { return nil, ErrNoStore }
func (noStore) CompareAndSwap(context.Context, string, []byte, []byte, time.Duration) (bool, error) {
	return false, ErrNoStore
}
