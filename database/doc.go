// Package database keeps sessions and the tools' store in a database, so that
// they outlive the process.
//
// Which database, a package of its own decides, so that a program compiles only
// the driver it uses. A program that runs on one machine takes a file:
//
//	db, err := sqlite.Open(ctx, "state/helve.db")
//	…
//	defer db.Close()
//	config.Store = db.Tools()                            // an agent.Config
//	s, err := db.Sessions().Open(ctx, "user-42")         // its session
//
// and one that runs on several takes a server:
//
//	db, err := postgres.Open(ctx, os.Getenv("DATABASE_URL"))
//
// The two behave alike: sessiontest and storetest hold for both, and the same
// SQL in this package runs on both.
//
// # What is promised
//
// What a method has returned without an error is on the disk: a process that is
// killed, or a machine that loses its power, loses nothing of it. A method that
// returns an error has changed nothing, unless the connection to a server broke
// in the very moment of its commit; all methods but CompareAndSwap may then be
// called again without harm.
//
// Several processes may use one database at once. Expiry goes by each process's
// own clock, so processes on several machines need clocks that agree.
//
// # The schema
//
// Opening a database brings its tables up to date, in one transaction and under
// a lock, so that several processes may start at once. A database that a newer
// helve has changed is refused. All tables begin with helve_: they may share a
// PostgreSQL database with other programs.
package database
