package database

import (
	"context"
	"database/sql"
	"time"
)

const (
	sweepEvery = time.Minute
	sweepMost  = 1000 // so that no write waits long for it
)

// sweep removes expired values, which nobody sees any more: writes do so from
// time to time, so that no goroutine must. Where more has expired than one sweep
// removes, the next write goes on.
func (v values) sweep(ctx context.Context, conn *sql.Conn) error {
	now, swept := now(), v.db.swept.Load()
	if now-swept < sweepEvery.Microseconds() || !v.db.swept.CompareAndSwap(swept, now) {
		return nil
	}
	result, err := conn.ExecContext(ctx, `
DELETE FROM helve_values WHERE key IN
	(SELECT key FROM helve_values WHERE expires <= $1 LIMIT $2`+v.db.dialect.SkipLocked+`)`, now, sweepMost)
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if n == sweepMost {
		v.db.swept.Store(swept)
	}
	return err
}
