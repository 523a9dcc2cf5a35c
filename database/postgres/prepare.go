package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

const whereTablesGo = `
SELECT current_user, current_schema(), has_schema_privilege(current_schema(), 'CREATE'),
	to_regclass(quote_ident(current_schema()) || '.helve_migrations') IS NOT NULL`

// prepare looks whether there is a place for the tables. A server says of each
// table of a schema that is closed only that there is none.
func prepare(ctx context.Context, db *sql.DB) error {
	var user string
	var schema sql.NullString
	var create, made sql.NullBool
	if err := db.QueryRowContext(ctx, whereTablesGo).Scan(&user, &schema, &create, &made); err != nil {
		return err
	}
	switch {
	case !schema.Valid:
		return errors.New("there is no schema for the tables: make one with CREATE SCHEMA and GRANT USAGE, CREATE on it, or name another as search_path in the address")
	case !made.Bool && !create.Bool:
		return fmt.Errorf("the tables can't be made: as a superuser, GRANT USAGE, CREATE ON SCHEMA %q TO %q", schema.String, user)
	}
	return nil
}
