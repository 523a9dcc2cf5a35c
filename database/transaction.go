package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"time"
)

// endTimeout is how long the end of a transaction may take. It does not end with
// the caller's context: of a commit that was left alone nobody could say whether
// it happened.
const endTimeout = 30 * time.Second

// update runs do in a transaction: all that do executes on the connection
// happens or, with an error, nothing.
func (db *DB) update(ctx context.Context, do func(*sql.Conn) error) error {
	var conn *sql.Conn
	err := db.repeat(ctx, func() (err error) {
		conn, err = db.begin(ctx)
		return err
	})
	if err != nil {
		return err
	}
	defer conn.Close()
	if err = do(conn); err == nil {
		err = ctx.Err() // the last moment to change one's mind
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	if err == nil {
		if _, err = conn.ExecContext(ctx, "COMMIT"); err == nil {
			return nil
		}
	}
	if _, failed := conn.ExecContext(ctx, "ROLLBACK"); failed != nil {
		discard(conn)
	}
	return err
}

// begin returns a connection in a transaction.
func (db *DB) begin(ctx context.Context) (*sql.Conn, error) {
	conn, err := db.write.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.ExecContext(ctx, db.dialect.Begin); err != nil {
		discard(conn) // nobody knows whether it began
		return nil, err
	}
	return conn, nil
}

// discard keeps a connection that may be in a transaction out of the pool.
func discard(conn *sql.Conn) {
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
}
