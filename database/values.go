package database

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"helve/tool"
)

// values is the tool.Store in a DB.
type values struct{ db *DB }

const (
	live = `(expires IS NULL OR expires > $2)` // of the values at the time $2

	getValue = `SELECT value FROM helve_values WHERE key = $1 AND ` + live

	listKeys = `SELECT key FROM helve_values WHERE key >= $1 AND key < $3 AND ` + live + ` ORDER BY key`

	putValue = `
INSERT INTO helve_values (key, value, expires) VALUES ($1, $2, $3)
ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires`

	deleteValue = `DELETE FROM helve_values WHERE key = $1`
)

// The swaps. Each is one statement, which the database makes atomic.
const (
	swapIn = `
INSERT INTO helve_values (key, value, expires) VALUES ($1, $3, $4)
ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires
WHERE helve_values.expires <= $2`

	swapOver = `UPDATE helve_values SET value = $3, expires = $4 WHERE key = $1 AND value = $5 AND ` + live

	swapOut = `DELETE FROM helve_values WHERE key = $1 AND value = $3 AND ` + live
)

func (v values) Get(ctx context.Context, key string) ([]byte, bool, error) {
	if err := tool.CheckKey(key); err != nil {
		return nil, false, err
	}
	value, err := v.get(ctx, key)
	return value, value != nil, v.db.fail(ctx, err, "get %q", key)
}

// get returns nil where there is no value.
func (v values) get(ctx context.Context, key string) ([]byte, error) {
	var value []byte
	err := v.db.repeat(ctx, func() error {
		return v.db.read.QueryRowContext(ctx, getValue, key, now()).Scan(&value)
	})
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return notNil(value), nil
}

func (v values) List(ctx context.Context, prefix string) ([]string, error) {
	if prefix != "" {
		if err := tool.CheckKey(prefix); err != nil {
			return nil, err
		}
	}
	var keys []string
	err := v.db.repeat(ctx, func() (err error) {
		keys, err = v.list(ctx, prefix)
		return err
	})
	return keys, v.db.fail(ctx, err, "list keys with %q", prefix)
}

func (v values) list(ctx context.Context, prefix string) ([]string, error) {
	rows, err := v.db.read.QueryContext(ctx, listKeys, prefix, now(), past(prefix))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var keys []string
	for rows.Next() {
		var key string
		if err := rows.Scan(&key); err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, rows.Err()
}

// past returns the least text that is greater than every key with this prefix.
func past(prefix string) string {
	prefix = strings.TrimRight(prefix, string(utf8.MaxRune)) // which nothing is greater than
	if prefix == "" {
		return strings.Repeat(string(utf8.MaxRune), tool.MaxKeyBytes) // longer than any key
	}
	last, size := utf8.DecodeLastRuneInString(prefix)
	next := last + 1
	if !utf8.ValidRune(next) {
		next = 0xE000 // behind the surrogates
	}
	return prefix[:len(prefix)-size] + string(next)
}

func (v values) Put(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if err := tool.CheckPut(key, value, ttl); err != nil {
		return err
	}
	_, err := v.change(ctx, putValue, func() []any { return []any{key, notNil(value), end(ttl)} })
	return v.db.fail(ctx, err, "put %q", key)
}

func (v values) Delete(ctx context.Context, key string) error {
	if err := tool.CheckKey(key); err != nil {
		return err
	}
	_, err := v.change(ctx, deleteValue, func() []any { return []any{key} })
	return v.db.fail(ctx, err, "delete %q", key)
}

func (v values) CompareAndSwap(ctx context.Context, key string, old, new []byte, ttl time.Duration) (bool, error) {
	if err := tool.CheckPut(key, new, ttl); err != nil {
		return false, err
	}
	swapped, err := v.swap(ctx, key, old, new, ttl)
	return swapped, v.db.fail(ctx, err, "swap %q", key)
}

func (v values) swap(ctx context.Context, key string, old, new []byte, ttl time.Duration) (bool, error) {
	switch {
	case old == nil && new == nil:
		value, err := v.get(ctx, key) // nothing changes, so nothing is to be locked
		return value == nil && err == nil, err
	case old == nil:
		return v.change(ctx, swapIn, func() []any { return []any{key, now(), new, end(ttl)} })
	case new == nil:
		return v.change(ctx, swapOut, func() []any { return []any{key, now(), old} })
	}
	return v.change(ctx, swapOver, func() []any { return []any{key, now(), new, end(ttl), old} })
}

// change executes a statement that writes, and says whether it met a row. It asks
// for the arguments when its turn has come: the time in them is then right,
// however long others wrote before.
func (v values) change(ctx context.Context, statement string, args func() []any) (met bool, err error) {
	err = v.db.update(ctx, func(conn *sql.Conn) error {
		result, err := conn.ExecContext(ctx, statement, args()...)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		met = n > 0
		if err != nil {
			return err
		}
		return v.sweep(ctx, conn)
	})
	return met && err == nil, err
}

// Times are microseconds since 1970: nanoseconds in 64 bits end in 2262, before
// the longest time to live does.
func now() int64 { return time.Now().UnixMicro() }

// end returns when a value put now expires, and nil for never.
func end(ttl time.Duration) *int64 {
	if ttl == 0 {
		return nil
	}
	at := time.Now().Add(ttl).UnixMicro()
	return &at
}

// notNil returns b, or an empty slice for nil: databases take nil for NULL, and
// some drivers return it for an empty value.
func notNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
