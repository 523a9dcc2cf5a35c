package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// applicationID marks our files. The first migration sets it.
const applicationID = 0x68656c76 // "helv"

// prepare looks whose file it is before anything is written into it.
func prepare(ctx context.Context, db *sql.DB) error {
	var id, tables int
	err := db.QueryRowContext(ctx, `SELECT application_id, (SELECT COUNT(*) FROM sqlite_schema) FROM pragma_application_id`).Scan(&id, &tables)
	if err != nil {
		return err
	}
	if id != applicationID && (id != 0 || tables > 0) {
		return errors.New("it is another program's SQLite database: name a file of helve's own")
	}
	if err := useWAL(ctx, db); err != nil {
		return err
	}
	if id != applicationID {
		return nil
	}
	// It changes nothing, but fails where nothing can be changed.
	_, err = db.ExecContext(ctx, `UPDATE helve_migrations SET version_id = 0 WHERE FALSE`)
	return err
}

// useWAL turns on the write-ahead log, which lets others read while one writes.
// The file keeps it. SQLite does not wait for others that do the same at the same
// time, so we do.
func useWAL(ctx context.Context, db *sql.DB) error {
	ctx, cancel := context.WithTimeout(ctx, busyTimeout)
	defer cancel()
	for {
		var mode string
		err := db.QueryRowContext(ctx, `PRAGMA journal_mode = WAL`).Scan(&mode)
		switch {
		case err == nil && mode == "wal":
			return nil
		case err == nil:
			return fmt.Errorf("the file system has no write-ahead log (mode %q): put the file on a disk of this machine", mode)
		case !busy(err):
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
}
