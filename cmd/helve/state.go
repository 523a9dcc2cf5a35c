package main

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"helve/catalog"
	"helve/database"
	"helve/database/postgres"
	"helve/database/sqlite"
	"helve/session"
)

// database opens what helve.yaml names as the place of sessions and of the tools'
// values, once. Where it names none, the result is nil, or the user's own file if that
// is asked for.
func (a *app) database(ctx context.Context, c *catalog.Catalog, own bool) (*database.DB, error) {
	if a.db != nil {
		return a.db, nil
	}
	settings, err := c.Settings()
	if err != nil {
		return nil, usage("%w", err)
	}
	place := settings.Database
	if place == "" && !own {
		return nil, nil
	}
	if strings.HasPrefix(place, "postgres://") || strings.HasPrefix(place, "postgresql://") {
		a.db, err = postgres.Open(ctx, place)
	} else {
		a.db, err = sqlite.Open(ctx, cmp.Or(place, filepath.Join(dataFolder(), "helve.db")))
	}
	if err != nil {
		return nil, &failure{exitUnexpected, "database", err, "helve.yaml says where it is, under database"}
	}
	return a.db, nil
}

// conversation is the session of --session, or a new one that ends with the process.
func (a *app) conversation(ctx context.Context, c *catalog.Catalog) (session.Session, error) {
	if a.session == "" {
		return session.New(), nil
	}
	db, err := a.database(ctx, c, true)
	if err != nil {
		return nil, err
	}
	s, err := db.Sessions().Open(ctx, a.session)
	if err != nil {
		return nil, usage("--session: %w", err)
	}
	return s, nil
}
