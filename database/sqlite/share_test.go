package sqlite

import (
	"fmt"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

// Several processes, this one among them, make one file and write to it at once.
func TestProcessesShareAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "helve.db")
	var wait sync.WaitGroup
	for who := 1; who < sharers; who++ {
		cmd := job{Do: "share", Path: path, Who: who}.command(t)
		wait.Go(func() {
			if err := cmd.Run(); err != nil {
				t.Errorf("process %d: %v", who, err)
			}
		})
	}
	db := openAt(t, path)
	if err := share(t.Context(), db, 0); err != nil {
		t.Error(err)
	}
	wait.Wait()

	s, err := db.Sessions().Open(t.Context(), "shared")
	if err != nil {
		t.Fatal(err)
	}
	messages, _, err := s.Load(t.Context())
	if err != nil || len(messages) != sharers*shareRounds {
		t.Fatalf("got %d messages, %v, want %d", len(messages), err, sharers*shareRounds)
	}
	for place, m := range messages {
		if want := fmt.Sprint(place%sharers, " ", place/sharers); m.Text() != want {
			t.Errorf("place %d: got %q, want %q", place, m.Text(), want)
		}
	}
	if count, _, err := db.Tools().Get(t.Context(), "count"); string(count) != strconv.Itoa(sharers*shareRounds) || err != nil {
		t.Errorf("got count %s, %v, want %d", count, err, sharers*shareRounds)
	}
	if keys, err := db.Tools().List(t.Context(), ""); len(keys) != sharers*shareRounds+1 || err != nil {
		t.Errorf("got %d keys, %v, want %d", len(keys), err, sharers*shareRounds+1)
	}
}

// Two DBs on one file in one process are as two processes: closing one takes no
// lock from the other.
func TestOneFileTwiceInAProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "helve.db")
	var wait sync.WaitGroup
	for who := range sharers {
		wait.Go(func() {
			db, err := Open(t.Context(), path)
			if err != nil {
				t.Error(err)
				return
			}
			defer db.Close()
			if err := share(t.Context(), db, who); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	db := openAt(t, path)
	if count, _, err := db.Tools().Get(t.Context(), "count"); string(count) != strconv.Itoa(sharers*shareRounds) || err != nil {
		t.Errorf("got count %s, %v, want %d", count, err, sharers*shareRounds)
	}
}
