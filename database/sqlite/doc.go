// Package sqlite keeps sessions and the tools' store in one SQLite file, for
// programs on one machine.
//
//	db, err := sqlite.Open(ctx, "state/helve.db")
//
// The driver is modernc.org/sqlite, SQLite in Go: no C compiler is needed.
//
// # The file
//
// The file and the folders above it are made if they are missing, for the user
// alone (0600 and 0700): conversations are private. Beside the file lie two more
// while it is open, named like it with -wal and -shm behind; they belong to it,
// and after a crash the first holds what was saved last. So copy or move a file
// only while no process has it open, or with "VACUUM INTO" of the sqlite3 tool.
// It must lie on a disk of the machine, since SQLite's locks can't be trusted on
// network file systems.
//
// # Several at once
//
// Any number of processes may read while one writes. Writers queue: within a
// process in order, and between processes by trying again, until their context
// is done or another has held the file for 30 seconds.
package sqlite
