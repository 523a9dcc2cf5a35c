package storetest

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"helve/tool"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	Run(t, func(*testing.T) tool.Store { return tool.NewMemoryStore() })
}

// faulty is a good store with one mistake.
type faulty struct {
	tool.Store
	get    func(context.Context, string) ([]byte, bool, error)
	put    func(context.Context, string, []byte, time.Duration) error
	delete func(context.Context, string) error
	list   func(context.Context, string) ([]string, error)
	swap   func(context.Context, string, []byte, []byte, time.Duration) (bool, error)
}

func (f faulty) Get(ctx context.Context, key string) ([]byte, bool, error) {
	if f.get != nil {
		return f.get(ctx, key)
	}
	return f.Store.Get(ctx, key)
}

func (f faulty) Put(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if f.put != nil {
		return f.put(ctx, key, value, ttl)
	}
	return f.Store.Put(ctx, key, value, ttl)
}

func (f faulty) Delete(ctx context.Context, key string) error {
	if f.delete != nil {
		return f.delete(ctx, key)
	}
	return f.Store.Delete(ctx, key)
}

func (f faulty) List(ctx context.Context, prefix string) ([]string, error) {
	if f.list != nil {
		return f.list(ctx, prefix)
	}
	return f.Store.List(ctx, prefix)
}

func (f faulty) CompareAndSwap(ctx context.Context, key string, old, new []byte, ttl time.Duration) (bool, error) {
	if f.swap != nil {
		return f.swap(ctx, key, old, new, ttl)
	}
	return f.Store.CompareAndSwap(ctx, key, old, new, ttl)
}

// Every check fails on a store that makes the mistake it looks for.
func TestChecksFindMistakes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		spoil func(good tool.Store) faulty
		want  []string // checks that must fail
	}{
		{"any key", func(s tool.Store) faulty {
			return faulty{get: func(ctx context.Context, key string) ([]byte, bool, error) {
				return s.Get(ctx, "x"+strings.Map(printable, key)[:min(1, len(key))])
			}}
		}, []string{"keys"}},
		{"keys without case", func(s tool.Store) faulty {
			return faulty{
				put: func(ctx context.Context, key string, value []byte, ttl time.Duration) error {
					return s.Put(ctx, strings.ToLower(key), value, ttl)
				},
				get: func(ctx context.Context, key string) ([]byte, bool, error) { return s.Get(ctx, strings.ToLower(key)) },
			}
		}, []string{"keys are apart", "list"}},
		{"an empty value is nil", func(s tool.Store) faulty {
			return faulty{get: func(ctx context.Context, key string) ([]byte, bool, error) {
				value, ok, err := s.Get(ctx, key)
				if len(value) == 0 {
					value = nil
				}
				return value, ok, err
			}}
		}, []string{"values"}},
		{"values are C strings", func(s tool.Store) faulty {
			return faulty{put: func(ctx context.Context, key string, value []byte, ttl time.Duration) error {
				if i := bytes.IndexByte(value, 0); i >= 0 {
					value = value[:i]
				}
				return s.Put(ctx, key, value, ttl)
			}}
		}, []string{"values"}},
		{"long values are cut", func(s tool.Store) faulty {
			return faulty{put: func(ctx context.Context, key string, value []byte, ttl time.Duration) error {
				return s.Put(ctx, key, value[:min(len(value), tool.MaxValueBytes)], ttl)
			}}
		}, []string{"limits"}},
		{"a ttl below 0 is none", func(s tool.Store) faulty {
			return faulty{swap: func(ctx context.Context, key string, old, new []byte, ttl time.Duration) (bool, error) {
				return s.CompareAndSwap(ctx, key, old, new, max(ttl, 0))
			}}
		}, []string{"limits"}},
		{"the first put wins", func(s tool.Store) faulty {
			return faulty{put: func(ctx context.Context, key string, value []byte, ttl time.Duration) error {
				_, err := s.CompareAndSwap(ctx, key, nil, append([]byte{}, value...), ttl)
				return err
			}}
		}, []string{"last put wins", "a put sets the time anew"}},
		{"delete does nothing", func(tool.Store) faulty {
			return faulty{delete: func(context.Context, string) error { return nil }}
		}, []string{"delete", "keys are apart", "parallel keys"}},
		{"delete of nothing is an error", func(s tool.Store) faulty {
			return faulty{delete: func(ctx context.Context, key string) error {
				if _, ok, err := s.Get(ctx, key); err == nil && !ok {
					return tool.ErrKey
				}
				return s.Delete(ctx, key)
			}}
		}, []string{"empty store", "delete", "expiry"}},
		{"an unsorted list", func(s tool.Store) faulty {
			return faulty{list: func(ctx context.Context, prefix string) ([]string, error) {
				keys, err := s.List(ctx, prefix)
				slices.Reverse(keys)
				return keys, err
			}}
		}, []string{"list"}},
		{"the prefix is a pattern", func(s tool.Store) faulty {
			return faulty{list: func(ctx context.Context, prefix string) ([]string, error) {
				prefix, _, _ = strings.Cut(prefix, "%")
				return s.List(ctx, prefix)
			}}
		}, []string{"list"}},
		{"nil and empty are one", func(s tool.Store) faulty {
			return faulty{swap: func(ctx context.Context, key string, old, new []byte, ttl time.Duration) (bool, error) {
				if len(old) == 0 {
					old = nil
				}
				return s.CompareAndSwap(ctx, key, old, new, ttl)
			}}
		}, []string{"compare and swap"}},
		{"a nil new value is empty", func(s tool.Store) faulty {
			return faulty{swap: func(ctx context.Context, key string, old, new []byte, ttl time.Duration) (bool, error) {
				return s.CompareAndSwap(ctx, key, old, append([]byte{}, new...), ttl)
			}}
		}, []string{"compare and swap", "parallel swaps: one wins"}},
		{"compare, then swap", func(s tool.Store) faulty {
			return faulty{swap: func(ctx context.Context, key string, old, new []byte, ttl time.Duration) (bool, error) {
				value, _, err := s.Get(ctx, key)
				if err != nil || !bytes.Equal(old, value) {
					return false, err
				}
				time.Sleep(tick) // in the bubble of the test: all of them stand here at once
				if new == nil {
					return true, s.Delete(ctx, key)
				}
				return true, s.Put(ctx, key, new, ttl)
			}}
		}, []string{"parallel swaps: one wins", "parallel counters", "parallel swaps of an expired value: one wins"}},
		{"the caller's bytes are kept", func(tool.Store) faulty {
			kept := map[string][]byte{}
			return faulty{
				put: func(_ context.Context, key string, value []byte, _ time.Duration) error {
					kept[key] = value
					return nil
				},
				get: func(_ context.Context, key string) ([]byte, bool, error) { return kept[key], true, nil },
			}
		}, []string{"border"}},
		{"the context is ignored", func(s tool.Store) faulty {
			return faulty{put: func(ctx context.Context, key string, value []byte, ttl time.Duration) error {
				return s.Put(context.WithoutCancel(ctx), key, value, ttl)
			}}
		}, []string{"canceled context"}},
		{"values live for ever", func(s tool.Store) faulty {
			return faulty{put: func(ctx context.Context, key string, value []byte, _ time.Duration) error {
				return s.Put(ctx, key, value, 0)
			}}
		}, []string{"expiry", "a put sets the time anew", "a swap sees no expired value"}},
		{"swapped values live for ever", func(s tool.Store) faulty {
			return faulty{swap: func(ctx context.Context, key string, old, new []byte, _ time.Duration) (bool, error) {
				return s.CompareAndSwap(ctx, key, old, new, 0)
			}}
		}, []string{"a swap sets the time anew"}},
		{"a long time to live overflows", func(s tool.Store) faulty {
			return faulty{put: func(ctx context.Context, key string, value []byte, ttl time.Duration) error {
				now := time.Now().UnixNano()
				if ends := now + int64(ttl); ends < now {
					ttl = 1
				}
				return s.Put(ctx, key, value, ttl)
			}}
		}, []string{"longest time to live"}},
		{"expired keys are listed", func(s tool.Store) faulty {
			known := map[string]bool{}
			return faulty{
				put: func(ctx context.Context, key string, value []byte, ttl time.Duration) error {
					known[key] = true
					return s.Put(ctx, key, value, ttl)
				},
				list: func(context.Context, string) ([]string, error) {
					var keys []string
					for key := range known {
						keys = append(keys, key)
					}
					slices.Sort(keys)
					return keys, nil
				},
			}
		}, []string{"expiry"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, name := range tt.want {
				i := slices.IndexFunc(checks, func(c check) bool { return c.name == name })
				if i < 0 {
					t.Fatalf("no check %q", name)
				}
				synctest.Test(t, func(t *testing.T) {
					good := tool.NewMemoryStore()
					store := tt.spoil(good)
					store.Store = good
					if err := checks[i].run(t.Context(), store); err == nil {
						t.Errorf("check %q passes", name)
					}
				})
			}
		})
	}
}

func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return 'x'
	}
	return r
}
