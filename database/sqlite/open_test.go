package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"helve/message"
)

// Each of these gets an error that names the file and says what to do.
func TestOpenErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		path func(t *testing.T) string
		want string
	}{
		{"no path", func(*testing.T) string { return "" }, "name a file"},
		{"memory", func(*testing.T) string { return ":memory:" }, "session.NewMemory"},
		{"a folder", func(t *testing.T) string { return t.TempDir() }, "it is a folder"},
		{"below a file", func(t *testing.T) string { return filepath.Join(written(t, "text"), "helve.db") }, "not a directory"},
		{"text", func(t *testing.T) string { return written(t, strings.Repeat("no database\n", 500)) }, "no SQLite database: name another file"},
		{"one byte", func(t *testing.T) string { return written(t, "x") }, "no SQLite database"},
		{"less than a page", func(t *testing.T) string { return written(t, strings.Repeat("x", 511)) }, "no SQLite database"},
		{"a page", func(t *testing.T) string { return written(t, strings.Repeat("x", 512)) }, "no SQLite database"},
		{"damaged", damaged, "it is damaged: restore a copy"},
		{"another program's tables", func(t *testing.T) string { return made(t, `CREATE TABLE bookmarks (url TEXT)`) }, "another program's"},
		{"another program's mark", func(t *testing.T) string { return made(t, `PRAGMA application_id = 7`) }, "another program's"},
		{"from a newer helve", func(t *testing.T) string {
			return made(t, `INSERT INTO helve_migrations (version_id, is_applied) VALUES (99, 1)`, helves)
		}, "a newer helve has changed it (to version 99; this one knows version 1): update helve"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := tt.path(t)
			before, _ := os.ReadFile(path)
			db, err := Open(t.Context(), path)
			if err == nil {
				db.Close()
				t.Fatal("it opens")
			}
			if !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("got %v, want one with %q and the path", err, tt.want)
			}
			if after, _ := os.ReadFile(path); string(before) != string(after) {
				t.Error("the file was changed")
			}
		})
	}
}

// helves makes a file ours.
func helves(t *testing.T, path string) {
	t.Helper()
	db, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func written(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "helve.db")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// made returns a database in which a statement was executed.
func made(t *testing.T, statement string, first ...func(*testing.T, string)) string {
	t.Helper()
	path := written(t, "")
	for _, f := range first {
		f(t, path)
	}
	execute(t, path, statement)
	return path
}

// execute goes past the package, to the file.
func execute(t *testing.T, path, statement string, args ...any) {
	t.Helper()
	db := connected(t, path)
	if _, err := db.ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func connected(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := connect(path, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// damaged returns a database whose first page has a header and nothing else.
func damaged(t *testing.T) string {
	t.Helper()
	path := written(t, "")
	helves(t, path)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 100; i < 4096; i++ {
		content[i] = 0xAA
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpenCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, filepath.Join(t.TempDir(), "helve.db")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestOpenMakesFilesForTheUserAlone(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	top := filepath.Join(t.TempDir(), "a")
	path := filepath.Join(top, "b", "helve.db")
	db := openAt(t, path)
	if err := db.Tools().Put(t.Context(), "k", nil, 0); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{
		top: 0o700 | fs.ModeDir, filepath.Dir(path): 0o700 | fs.ModeDir,
		path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
	} {
		info, err := os.Stat(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if info.Mode() != want {
			t.Errorf("%s: got mode %s, want %s", name, info.Mode(), want)
		}
	}
}

// A path is a path, whatever it looks like to an URL.
func TestOpenAnyName(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows allows few of these names")
	}
	dir := t.TempDir()
	names := []string{"a?mode=memory", "b#c%20 d&e.db", "%41.db", "file:f.db", "ü 中.db", "-x"}
	for _, name := range names {
		path := filepath.Join(dir, name)
		helves(t, path)
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%q: %v, %v", name, info, err)
		}
	}
	if entries, err := os.ReadDir(dir); len(entries) != len(names) {
		t.Errorf("got %v, %v, want %d files", entries, err, len(names))
	}
}

func TestOpenAgain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "helve.db")
	for range 3 {
		db, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := db.Sessions().Open(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Save(t.Context(), 0, []message.Message{message.User("x")}, nil); err != nil {
			t.Fatal(err)
		}
		messages, _, err := s.Load(t.Context())
		if len(messages) != 1 || err != nil {
			t.Errorf("got %d messages, %v, want 1", len(messages), err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Load(t.Context()); err == nil {
			t.Error("a session of a closed database loads")
		}
	}
}

// What is acknowledged is on the disk, and messages go with their session.
func TestPragmas(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "helve.db")
	helves(t, path)
	db := connected(t, path)
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "30000"} {
		var got string
		if err := db.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", pragma, got, err, want)
		}
	}
}
