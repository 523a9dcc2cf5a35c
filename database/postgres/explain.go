package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"slices"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
)

// advice says what to do about an error of the server, by its code
// (PostgreSQL documentation, appendix A).
var advice = map[string]string{
	"28P01": "the server refuses the user or the password: look at both in the address",
	"28000": "the server does not let this user in: look at the address, and at pg_hba.conf on the server",
	"3D000": "the server has no such database: make it with createdb, or name another in the address",
	"42501": "this user may not do that: let a superuser GRANT USAGE, CREATE ON SCHEMA to the user",
	"53100": "the server's disk is full: make room; what was saved before is safe",
	"53300": "the server has too many connections: end some, or raise its max_connections",
	"57P01": "the server ended the connection, since it stops or somebody told it to: try again",
	"57P02": "the server ended all connections, for another one crashed: try again",
	"57P05": "the server ended a connection that was idle: try again",
	"57P03": "the server is starting or stopping: try again",
	"25006": "the server can only be read, as a standby can: name the primary server in the address",
}

// gone reports whether the connection ended, by the server's word or without one.
func gone(err error) bool {
	var refused *pgconn.PgError
	var unreachable *pgconn.ConnectError
	switch {
	case errors.As(err, &unreachable):
		return false
	case errors.As(err, &refused):
		return refused.Code == "57P01" || refused.Code == "57P02" || refused.Code == "57P05"
	}
	ends := []error{driver.ErrBadConn, io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE}
	return slices.ContainsFunc(ends, func(end error) bool { return errors.Is(err, end) })
}

// explain puts in front of the server's error what it means.
func explain(err error) error {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		if text, ok := advice[refused.Code]; ok {
			return fmt.Errorf("%s (%w)", text, err)
		}
		return err
	}
	var unreachable *pgconn.ConnectError
	if errors.As(err, &unreachable) && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("no server answers: start it, or look at host and port in the address (%w)", err)
	}
	return err
}
