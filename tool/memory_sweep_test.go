package tool

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// Nobody asks for most values again, so nobody but a write can drop them.
func TestMemoryStore_ExpiredValuesDoNotPileUp(t *testing.T) {
	t.Parallel()
	writes := map[string]func(Store) error{
		"put": func(s Store) error { return s.Put(t.Context(), "one more", nil, 0) },
		"swap": func(s Store) error {
			_, err := s.CompareAndSwap(t.Context(), "one more", nil, []byte{}, 0)
			return err
		},
	}
	for name, write := range writes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := &memoryStore{values: map[string]held{}}
				for i := range 100 {
					if err := store.Put(t.Context(), fmt.Sprint(i), []byte("x"), time.Second); err != nil {
						t.Fatal(err)
					}
				}
				if err := store.Put(t.Context(), "kept", nil, time.Hour); err != nil {
					t.Fatal(err)
				}
				time.Sleep(sweepEvery)
				if err := write(store); err != nil {
					t.Fatal(err)
				}
				if len(store.values) != 2 {
					t.Errorf("%d values are in memory, want 2", len(store.values))
				}
			})
		})
	}
}
