package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5/stdlib"

	"helve/database"
)

// The pool. A server allows 100 connections in all unless told otherwise.
const (
	maxOpen = 16
	maxIdle = 4
)

// migrating is the advisory lock of those who bring tables up to date: "helve".
const migrating = 0x68656c7665

//go:embed migrations/*.sql
var files embed.FS

// Open connects to the database at an address, such as
// postgres://user:password@host:5432/name. Its errors say what to do, and never
// show the password. Close the DB when no agent uses it any more.
func Open(ctx context.Context, address string) (*database.DB, error) {
	db, err := open(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	return db, nil
}

func open(ctx context.Context, address string) (*database.DB, error) {
	config, err := parse(address)
	if err != nil {
		return nil, err
	}
	migrations, err := fs.Sub(files, "migrations")
	if err != nil {
		return nil, err
	}
	pool := stdlib.OpenDB(*config)
	pool.SetMaxOpenConns(maxOpen)
	pool.SetMaxIdleConns(maxIdle)
	if err := prepare(ctx, pool); err != nil {
		return nil, errors.Join(explain(err), pool.Close())
	}
	return database.New(ctx, pool, pool, database.Dialect{
		Name:       "postgres",
		Migrations: migrations,
		Begin:      "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", // whatever the server's default is
		Lock:       fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", migrating),
		SkipLocked: " FOR UPDATE SKIP LOCKED",
		Explain:    explain,
		Gone:       gone,
	})
}
