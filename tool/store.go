package tool

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
)

// ErrNoStore says that the run has no store.
var ErrNoStore = errors.New("tool: this run has no store: give it one with agent.Config.Store")

// Store keeps values for tools between calls and runs. Keys are free text.
// Implementations are safe for concurrent use, and do not keep or hand out the
// caller's bytes. [NewMemoryStore] is one.
type Store interface {
	// Get returns the value at key; ok is false where there is none.
	Get(ctx context.Context, key string) (value []byte, ok bool, err error)
	// Put sets the value at key.
	Put(ctx context.Context, key string, value []byte) error
	// Delete removes key. To remove what is not there is no error.
	Delete(ctx context.Context, key string) error
	// List returns the keys that begin with prefix, sorted.
	List(ctx context.Context, prefix string) ([]string, error)
}

// NewMemoryStore returns a Store that lives as long as the process.
func NewMemoryStore() Store { return &memoryStore{values: map[string][]byte{}} }

type memoryStore struct {
	mu     sync.RWMutex
	values map[string][]byte
}

func (s *memoryStore) Get(_ context.Context, key string) ([]byte, bool, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.values[key]
	return bytes.Clone(v), ok, nil
}

func (s *memoryStore) Put(_ context.Context, key string, value []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[key] = bytes.Clone(value)
	return nil
}

func (s *memoryStore) Delete(_ context.Context, key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.values, key)
	return nil
}

func (s *memoryStore) List(_ context.Context, prefix string) ([]string, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	keys := slices.Sorted(maps.Keys(s.values))
	return slices.DeleteFunc(keys, func(k string) bool { return !strings.HasPrefix(k, prefix) }), nil
}

// noStore stands where the host gave none, so that a tool gets an error it can
// show instead of a nil pointer.
type noStore struct{}

func (noStore) Get(context.Context, string) ([]byte, bool, error) { return nil, false, ErrNoStore }
func (noStore) Put(context.Context, string, []byte) error         { return ErrNoStore }
func (noStore) Delete(context.Context, string) error              { return ErrNoStore }
func (noStore) List(context.Context, string) ([]string, error)    { return nil, ErrNoStore }
