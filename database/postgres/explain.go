package postgres

import (
	"context"
	"errors"
	"fmt"

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
	"57P03": "the server is starting or stopping: try again",
	"25006": "the server can only be read, as a standby can: name the primary server in the address",
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
