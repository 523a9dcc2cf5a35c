package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"

	"github.com/pressly/goose/v3"
)

// migrate brings the tables up to date. All of it is one transaction, so a
// process that dies amid it leaves the database as it was, and of several that
// start at once the others wait and find nothing left to do.
func (db *DB) migrate(ctx context.Context) error {
	err := db.update(ctx, func(conn *sql.Conn) error {
		if db.dialect.Lock != "" {
			if _, err := conn.ExecContext(ctx, db.dialect.Lock); err != nil {
				return err
			}
		}
		return conn.Raw(func(c any) error { return db.dialect.up(ctx, c.(driver.Conn)) })
	})
	return db.fail(ctx, err, "open")
}

// up runs the migrations that are missing, on a connection that is in a
// transaction.
func (d Dialect) up(ctx context.Context, conn driver.Conn) error {
	db := sql.OpenDB(within{conn})
	defer db.Close()
	db.SetMaxOpenConns(1)
	provider, err := goose.NewProvider(goose.Dialect(d.Name), db, d.Migrations,
		goose.WithTableName("helve_migrations"), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	has, knows, err := provider.GetVersions(ctx)
	if err != nil {
		return err
	}
	if has > knows {
		return fmt.Errorf("a newer helve has changed it (to version %d; this one knows version %d): update helve, or give it another database", has, knows)
	}
	_, err = provider.Up(ctx)
	return err
}

// within is a connection inside a transaction, for a library that wants to begin
// transactions of its own: they begin and end nothing. If one of them is rolled
// back, the library fails, and the outer transaction is rolled back whole.
type within struct{ driver.Conn }

func (w within) Connect(context.Context) (driver.Conn, error)                 { return w, nil }
func (w within) Driver() driver.Driver                                        { return nil }
func (w within) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) { return w, nil }
func (within) Commit() error                                                  { return nil }
func (within) Rollback() error                                                { return nil }
func (within) Close() error                                                   { return nil }
