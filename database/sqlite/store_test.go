package sqlite

import (
	"path/filepath"
	"testing"

	"helve/database"
	"helve/session"
	"helve/session/sessiontest"
	"helve/tool"
	"helve/tool/storetest"
)

func TestSessions(t *testing.T) {
	t.Parallel()
	sessiontest.Run(t, func(t *testing.T) session.Store { return openEmpty(t).Sessions() })
}

func TestTools(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) tool.Store { return openEmpty(t).Tools() })
}

func openEmpty(t testing.TB) *database.DB {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "helve.db"))
}

func openAt(t testing.TB, path string) *database.DB {
	t.Helper()
	db, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}
