package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"

	"helve/session"
	"helve/tool"
)

// DB holds sessions and the tools' store. It is safe for concurrent use. Get one
// from sqlite.Open or postgres.Open; whoever opened it closes it.
type DB struct {
	read, write *sql.DB
	dialect     Dialect
	swept       atomic.Int64 // when expired values were last removed, in µs since 1970
}

// Sessions returns the sessions in the database. Messages are stored as their
// JSON: of artifacts stays what JSON can hold.
func (db *DB) Sessions() session.Store { return sessions{db} }

// Tools returns the store that tools share.
func (db *DB) Tools() tool.Store { return values{db} }

// Close closes the database, after which every method of its stores fails: end
// the runs that use them first.
func (db *DB) Close() error {
	err := db.write.Close()
	if db.read != db.write {
		err = errors.Join(db.read.Close(), err) // the writer closes last and tidies up
	}
	return err
}

// Dialect is what a kind of database has of its own. It is for the packages
// beneath this one; programs need none.
type Dialect struct {
	Name       string // as goose calls it
	Migrations fs.FS  // *.sql for goose
	Begin      string // begins a transaction that writes
	Lock       string // waits for others that migrate, until the transaction ends; may be empty
	SkipLocked string // makes a SELECT for deletion pass over what others hold; may be empty

	// Explain turns an error of the driver into one for whoever runs the
	// program: what is wrong with the database, and how to mend it. What it does
	// not know it returns as it is.
	Explain func(error) error

	// Gone reports whether an error says that the server had ended the
	// connection, and may answer on another. It may be nil.
	Gone func(error) bool
}

// New returns a DB on connections of the caller, and brings its tables up to
// date. Those that write come from write, all others from read; the two may be
// the same. They belong to the DB, which closes them, at once if New fails.
func New(ctx context.Context, read, write *sql.DB, d Dialect) (*DB, error) {
	db := &DB{read: read, write: write, dialect: d}
	if err := db.migrate(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// fail makes the error of a method out of the driver's, and nil out of nil. What
// a driver says of a canceled call is noise: the context's own error says it
// better.
func (db *DB) fail(ctx context.Context, err error, doing string, args ...any) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		err = ctx.Err()
	default:
		err = db.dialect.Explain(err)
	}
	return fmt.Errorf("database: %s: %w", fmt.Sprintf(doing, args...), err)
}
