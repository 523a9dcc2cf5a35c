package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"helve/database"
)

// busyTimeout is how long a writer waits for one in another process.
const busyTimeout = 30 * time.Second

// smallest is the size of the smallest database, a page of 512 bytes. SQLite takes
// what is shorter for an empty database, and would write over it.
const smallest = 512

// readers is how many goroutines may read at once. Each connection has a page
// cache of its own, 2 MB at most.
const readers = 4

//go:embed migrations/*.sql
var files embed.FS

// Open opens the SQLite file at path, and makes it if there is none. Its errors
// name the file and say what to do. Close the DB when no agent uses it any more.
func Open(ctx context.Context, path string) (*database.DB, error) {
	db, err := open(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %s: %w", path, err)
	}
	return db, nil
}

func open(ctx context.Context, path string) (*database.DB, error) {
	path, err := create(path)
	if err != nil {
		return nil, err
	}
	migrations, err := migrations()
	if err != nil {
		return nil, err
	}
	write, err := connect(path, 1, false)
	if err != nil {
		return nil, err
	}
	if err := prepare(ctx, write); err != nil {
		return nil, errors.Join(explain(err), write.Close())
	}
	read, err := connect(path, readers, true)
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	return database.New(ctx, read, write, dialect(migrations))
}

func migrations() (fs.FS, error) { return fs.Sub(files, "migrations") }

func dialect(migrations fs.FS) database.Dialect {
	return database.Dialect{
		Name:       "sqlite3",
		Migrations: migrations,
		Begin:      "BEGIN IMMEDIATE", // of two that only began to read, one could never write
		Explain:    explain,
	}
}

// creating keeps one Open from closing a new file, in create, while another
// already works with it.
var creating sync.Mutex

// create makes the file, so that nobody else may read it, and returns its
// absolute path. It must not open a file that is there: on Unix, to close a file
// takes away all locks that the process holds on it.
func create(path string) (string, error) {
	if path == "" || path == ":memory:" {
		return "", errors.New("this keeps nothing: name a file, or use session.NewMemory and tool.NewMemoryStore")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	creating.Lock()
	defer creating.Unlock()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		return path, f.Close()
	}
	info, statErr := os.Stat(path)
	switch {
	case statErr != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", errors.New("it is a folder, or no ordinary file: name a file in a folder")
	case info.Size() > 0 && info.Size() < smallest:
		return "", errors.New(advice[sqlite3.SQLITE_NOTADB])
	}
	return path, nil
}

// connect returns a pool of at most n connections, which only read if so wanted.
func connect(path string, n int, queryOnly bool) (*sql.DB, error) {
	query := url.Values{
		"mode":          {"rw"},
		"_busy_timeout": {fmt.Sprint(busyTimeout.Milliseconds())},
		"_foreign_keys": {"1"},
		"_synchronous":  {"FULL"}, // what is acknowledged is on the disk
		"_dqs":          {"0"},
		"_error_rc":     {"1"}, // no text that belongs to another operation
		"_query_only":   {strconv.FormatBool(queryOnly)},
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/…
	}
	name := url.URL{Scheme: "file", Path: slashed, RawQuery: query.Encode()}
	connector, err := sqlite.NewConnector(name.String())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}
