package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"helve/database"
	"helve/message"
)

func TestWaitingWriterGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "helve.db")
		store := openAt(t, path).Tools()
		execute := connected(t, path).ExecContext
		if _, err := execute(t.Context(), "BEGIN IMMEDIATE"); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := store.Put(ctx, "k", nil, 0); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want context.DeadlineExceeded", err)
		}
		if _, ok, err := store.Get(t.Context(), "k"); ok || err != nil { // readers do not wait
			t.Errorf("a reader sees %t, %v", ok, err)
		}
		if _, err := execute(t.Context(), "ROLLBACK"); err != nil {
			t.Fatal(err)
		}
		if err := store.Put(t.Context(), "k", nil, 0); err != nil {
			t.Errorf("after the other's end: %v", err)
		}
	})
}

// A value that expires while a swap waits for its turn is gone when it comes.
func TestExpiryWhileWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "helve.db")
		store := openAt(t, path).Tools()
		if err := store.Put(t.Context(), "lease", []byte("1"), time.Second); err != nil {
			t.Fatal(err)
		}
		execute := connected(t, path).ExecContext
		if _, err := execute(t.Context(), "BEGIN IMMEDIATE"); err != nil {
			t.Fatal(err)
		}
		go func() {
			time.Sleep(2 * time.Second) // the swap waits by now
			if _, err := execute(t.Context(), "ROLLBACK"); err != nil {
				t.Error(err)
			}
		}()
		swapped, err := store.CompareAndSwap(t.Context(), "lease", []byte("1"), []byte("2"), 0)
		if swapped || err != nil {
			t.Errorf("got %t, %v, want false: the value expired a second before", swapped, err)
		}
	})
}

func TestHeldByAnotherProcess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "helve.db")
		store := openAt(t, path).Tools()
		execute := connected(t, path).ExecContext
		if _, err := execute(t.Context(), "BEGIN IMMEDIATE"); err != nil {
			t.Fatal(err)
		}
		started := time.Now()
		err := store.Put(t.Context(), "k", nil, 0)
		if err == nil || !strings.Contains(err.Error(), "another process holds it") {
			t.Errorf("got %v", err)
		}
		if waited := time.Since(started); waited < busyTimeout {
			t.Errorf("it gave up after %s", waited) // by the bubble's clock
		}
		if _, err := execute(t.Context(), "ROLLBACK"); err != nil {
			t.Fatal(err)
		}
		if err := store.Put(t.Context(), "k", nil, 0); err != nil {
			t.Errorf("after the other's end: %v", err)
		}
	})
}

// On a full disk a save fails whole and says so, what was there stays, and when
// there is room again all goes on.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "helve.db")
	helves(t, path)
	read, write := connected(t, path), connected(t, path)
	if _, err := write.ExecContext(t.Context(), "PRAGMA max_page_count = 40"); err != nil {
		t.Fatal(err)
	}
	migrations, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	db, err := database.New(t.Context(), read, write, dialect(migrations))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := db.Sessions().Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	big := message.User(strings.Repeat("x", 20_000))
	saved := 0
	for err == nil && saved < 100 {
		if err = s.Save(t.Context(), 2*saved, []message.Message{big, message.User("y")}, nil); err == nil {
			saved++
		}
	}
	if err == nil || !strings.Contains(err.Error(), "the disk is full: make room") {
		t.Fatalf("after %d saves: got %v", saved, err)
	}
	if messages, _, err := s.Load(t.Context()); len(messages) != 2*saved || err != nil {
		t.Errorf("got %d messages, %v, want those of %d saves", len(messages), err, saved)
	}
	if _, err := write.ExecContext(t.Context(), "PRAGMA max_page_count = 1000"); err != nil {
		t.Fatal(err)
	}
	if err := s.Save(t.Context(), 2*saved, []message.Message{big}, nil); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

func TestLoadOfSpoiledMessages(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"role":`:                    "place 1 can't be read",
		`{"role":"ghost","parts":[]}`: `unknown role "ghost"`,
		`[]`:                          "place 1 can't be read",
	} {
		path := filepath.Join(t.TempDir(), "helve.db")
		db := openAt(t, path)
		s, err := db.Sessions().Open(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Save(t.Context(), 0, []message.Message{message.User("x"), message.User("y")}, nil); err != nil {
			t.Fatal(err)
		}
		execute(t, path, `UPDATE helve_messages SET body = $1 WHERE place = 1`, []byte(body))
		if _, _, err := s.Load(t.Context()); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `session "a"`) {
			t.Errorf("%s: got %v, want one with %q", body, err, want)
		}
		execute(t, path, `UPDATE helve_messages SET place = 1 << 40 WHERE place = 1`)
		if _, _, err := s.Load(t.Context()); err == nil || !strings.Contains(err.Error(), "places are below") {
			t.Errorf("a place out of range: got %v", err)
		}
	}
}

// What could be saved and never loaded would shut up its session.
func TestSaveOfWhatCanNotBeLoaded(t *testing.T) {
	t.Parallel()
	s, err := openEmpty(t).Sessions().Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	ghost := message.Message{Role: "ghost", Parts: []message.Part{message.Text("x")}}
	err = s.Save(t.Context(), 3, []message.Message{message.User("x"), ghost}, nil)
	if err == nil || !strings.Contains(err.Error(), "place 4 can't be stored") {
		t.Errorf("got %v", err)
	}
	if messages, _, err := s.Load(t.Context()); len(messages) != 0 || err != nil {
		t.Errorf("got %d messages, %v, want none", len(messages), err)
	}
}

// Nobody asks for most values again, so nobody but a write can remove them. Those
// of a long pause are removed in parts.
func TestExpiredValuesDoNotPileUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "helve.db")
		store := openAt(t, path).Tools()
		rows := func() (n int) {
			t.Helper()
			if err := connected(t, path).QueryRowContext(t.Context(), "SELECT COUNT(*) FROM helve_values").Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		if err := store.Put(t.Context(), "kept", nil, time.Hour); err != nil {
			t.Fatal(err)
		}
		const expired = 2300
		execute(t, path, `
			WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
			INSERT INTO helve_values SELECT 'old/' || i, x'', $2 FROM n`, expired, time.Now().Add(time.Second).UnixMicro())
		time.Sleep(time.Second)
		if err := store.Delete(t.Context(), "nothing"); err != nil {
			t.Fatal(err)
		}
		if n := rows(); n != expired+1 {
			t.Errorf("a second after the last time: got %d rows, want all %d", n, expired+1)
		}
		time.Sleep(time.Minute)
		for i, want := range []int{1301, 301, 1, 1} {
			if err := store.Delete(t.Context(), "nothing"); err != nil {
				t.Fatal(err)
			}
			if n := rows(); n != want {
				t.Errorf("after write %d: got %d rows, want %d", i, n, want)
			}
		}
	})
}
