package sqlite

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// advice says what to do about an error of SQLite.
var advice = map[int]string{
	sqlite3.SQLITE_NOTADB:   "it is no SQLite database: name another file, or move this one away",
	sqlite3.SQLITE_CORRUPT:  "it is damaged: restore a copy, or move it away, with the -wal and -shm files beside it, to begin anew",
	sqlite3.SQLITE_READONLY: "it can't be written: let this user write the file and its folder",
	sqlite3.SQLITE_PERM:     "it can't be opened: let this user read and write the file and its folder",
	sqlite3.SQLITE_CANTOPEN: "it can't be opened: let this user read and write the file and its folder",
	sqlite3.SQLITE_FULL:     "the disk is full: make room; what was saved before is safe",
	sqlite3.SQLITE_BUSY:     "another process holds it: end its transaction, or the process, and try again",
	sqlite3.SQLITE_TOOBIG:   "this is too big for SQLite, which holds 1 GB in a value",
	sqlite3.SQLITE_IOERR:    "the disk failed: look at its state and into the system's log",
	sqlite3.SQLITE_PROTOCOL: "its locks do not work: put it on a disk of this machine",
}

// explain puts in front of SQLite's error what it means.
func explain(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	text, ok := advice[primary(e)]
	if !ok {
		return err
	}
	return fmt.Errorf("%s (%w)", text, err)
}

func busy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && primary(e) == sqlite3.SQLITE_BUSY
}

// primary is the code without what SQLite says more exactly in its upper bits.
func primary(e *sqlite.Error) int { return e.Code() & 0xff }
