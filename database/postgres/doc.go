// Package postgres keeps sessions and the tools' store in a PostgreSQL database,
// for programs on several machines.
//
//	db, err := postgres.Open(ctx, "postgres://helve@db.example.com/helve?sslmode=verify-full")
//
// The driver is github.com/jackc/pgx, and the address may hold whatever pgx
// knows: TLS, several hosts, a search_path. The password may stand in it, in the
// environment (PGPASSWORD) or in ~/.pgpass; no error of this package shows it.
//
// A server that was started anew costs nobody an error: what reads, and what begins
// to write, is asked again on another connection. Only a write that was under way
// fails.
//
// The tables are made in the first schema of the search_path; the user needs
// CREATE there, once. PostgreSQL 12 is old enough.
package postgres
