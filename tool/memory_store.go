package tool

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// sweepEvery is how long expired values may stay in memory, unseen, while the
// store is written to.
const sweepEvery = time.Minute

// NewMemoryStore returns a Store that lives as long as the process. Expired
// values are dropped by later writes: it starts no goroutine and needs no
// closing.
func NewMemoryStore() Store { return &memoryStore{values: map[string]held{}} }

type memoryStore struct {
	mu     sync.RWMutex
	values map[string]held
	swept  time.Time
}

// held is a value and when it ends; the zero time is never.
type held struct {
	value   []byte
	expires time.Time
}

func hold(value []byte, ttl time.Duration) held {
	h := held{value: append([]byte{}, value...)}
	if ttl > 0 {
		h.expires = time.Now().Add(ttl)
	}
	return h
}

func (h held) expired(now time.Time) bool { return !h.expires.IsZero() && !now.Before(h.expires) }

func (s *memoryStore) Get(ctx context.Context, key string) ([]byte, bool, error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	if err := CheckKey(key); err != nil {
		return nil, false, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	value := s.at(key)
	return bytes.Clone(value), value != nil, nil
}

// at returns what is held at key, and nil where there is nothing.
func (s *memoryStore) at(key string) []byte {
	h, ok := s.values[key]
	if !ok || h.expired(time.Now()) {
		return nil
	}
	return h.value
}

func (s *memoryStore) Put(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := CheckPut(key, value, ttl); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	s.values[key] = hold(value, ttl)
	return nil
}

func (s *memoryStore) CompareAndSwap(ctx context.Context, key string, old, new []byte, ttl time.Duration) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if err := CheckPut(key, new, ttl); err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	value := s.at(key)
	if (old == nil) != (value == nil) || !bytes.Equal(old, value) {
		return false, nil
	}
	if new == nil {
		delete(s.values, key)
	} else {
		s.values[key] = hold(new, ttl)
	}
	return true, nil
}

func (s *memoryStore) Delete(ctx context.Context, key string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := CheckKey(key); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.values, key)
	return nil
}

func (s *memoryStore) List(ctx context.Context, prefix string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if prefix != "" {
		if err := CheckKey(prefix); err != nil {
			return nil, err
		}
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	now := time.Now()
	var keys []string
	for key, h := range s.values {
		if strings.HasPrefix(key, prefix) && !h.expired(now) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, nil
}

// sweep drops what has expired, from time to time: to look at every value on
// every write would make writes slow.
func (s *memoryStore) sweep() {
	now := time.Now()
	if now.Sub(s.swept) < sweepEvery {
		return
	}
	s.swept = now
	maps.DeleteFunc(s.values, func(_ string, h held) bool { return h.expired(now) })
}
