package database

import "context"

// mostGone is how many connections that the server ended one call may meet: those
// that a pool keeps idle all end at once.
const mostGone = 5

// repeat calls do, which must change nothing, again where the connection was gone
// that it used. A server that was started anew a moment ago answers at once.
func (db *DB) repeat(ctx context.Context, do func() error) error {
	err := do()
	for range mostGone {
		if err == nil || ctx.Err() != nil || db.dialect.Gone == nil || !db.dialect.Gone(err) {
			return err
		}
		err = do()
	}
	return err
}
