package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5"

	"helve/database"
	"helve/message"
)

// Each of these gets an error that says what to do and keeps the password.
func TestOpenErrors(t *testing.T) {
	t.Parallel()
	empty := emptyURL(t)
	newer := emptyURL(t)
	openAt(t, newer)
	execute(t, newer, `INSERT INTO helve_migrations (version_id, is_applied) VALUES (99, true)`)
	as := func(user, password, rest string) string {
		return "postgres://" + url.UserPassword(user, password).String() + "@/" + rest + "host=" + url.QueryEscape(private.dir)
	}
	tests := []struct{ name, address, want string }{
		{"nothing", "", "write postgres://"},
		{"another scheme", "mysql://u:" + url.PathEscape(password) + "@h/d", "write postgres://"},
		{"special characters", "postgres://u:" + password + "@h/d", "%40 for @"},
		{"a password that looks like a host", "postgres://u:x@s3cret/y@h/d", "%40 for @"},
		{"a password that looks like a port", "postgres://s3cret:12/y@h/d", "%40 for @"},
		{"a password that looks like a query", "postgres://s3cret:12?y@h/d", "%40 for @"},
		{"a port that is none", "postgres://u:" + url.QueryEscape(password) + "@h:99999999/d", "port"},
		{"an unknown TLS mode", "postgres://u:" + url.QueryEscape(password) + "@h/d?sslmode=maybe", "sslmode"},
		{"password in the query", "postgres://u@h/d?sslmode=" + url.QueryEscape(password) + "&password=" + url.QueryEscape(password), "write postgres://"},
		{"nobody answers", "postgres://u:" + url.QueryEscape(password) + "@/d?host=" + url.QueryEscape(filepath.Join(private.dir, "none")), "no server answers"},
		{"wrong password", as("locked", password+"x", "postgres?"), "refuses the user or the password"},
		{"no such database", as("helve", password, "nosuch?"), "no such database"},
		{"no such schema", as("helve", password, "postgres?search_path=nosuch&"), "there is no schema for the tables"},
		{"a closed schema", strings.Replace(empty, "helve@", url.UserPassword("locked", password).String()+"@", 1), "there is no schema for the tables"},
		{"no right to make tables", as("locked", password, "postgres?search_path=public&"), `GRANT USAGE, CREATE ON SCHEMA "public" TO "locked"`},
		{"from a newer helve", newer, "a newer helve has changed it (to version 99; this one knows version 1): update helve"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			db, err := Open(t.Context(), tt.address)
			if err == nil {
				db.Close()
				t.Fatal("it opens")
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want one with %q", err, tt.want)
			}
			for _, text := range []string{err.Error(), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", err)} {
				if strings.Contains(text, "s3cret") {
					t.Errorf("the error shows the password: %s", text)
				}
			}
		})
	}
}

func TestOpenCanceled(t *testing.T) {
	t.Parallel()
	address := emptyURL(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, address); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// A user with the right password, and the special characters in it.
func TestOpenWithPassword(t *testing.T) {
	t.Parallel()
	address := emptyURL(t)
	config, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	execute(t, address, "GRANT USAGE, CREATE ON SCHEMA "+config.RuntimeParams["search_path"]+" TO locked")
	db := openAt(t, strings.Replace(address, "helve@", url.UserPassword("locked", password).String()+"@", 1))
	if err := db.Tools().Put(t.Context(), "k", nil, 0); err != nil {
		t.Error(err)
	}
}

// Processes that start at once do not make the tables twice.
func TestManyOpenAtOnce(t *testing.T) {
	t.Parallel()
	address := emptyURL(t)
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			db, err := Open(t.Context(), address)
			if err != nil {
				t.Error(err)
				return
			}
			defer db.Close()
			s, err := db.Sessions().Open(t.Context(), "shared")
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.Save(t.Context(), i, []message.Message{message.User(fmt.Sprint(i))}, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	s, err := openAt(t, address).Sessions().Open(t.Context(), "shared")
	if err != nil {
		t.Fatal(err)
	}
	messages, _, err := s.Load(t.Context())
	if err != nil || len(messages) != 8 {
		t.Fatalf("got %d messages, %v, want 8", len(messages), err)
	}
	for i, m := range messages {
		if m.Text() != fmt.Sprint(i) {
			t.Errorf("place %d: got %q", i, m.Text())
		}
	}
}

// A migration that is killed amid its work leaves nothing behind.
func TestMigrationIsAllOrNothing(t *testing.T) {
	t.Parallel()
	address := emptyURL(t)
	execute(t, address, `CREATE TABLE helve_values (mine int)`) // the third table of the migration can't be made
	if _, err := Open(t.Context(), address); !has(err, "helve_values") {
		t.Fatalf("got %v, want one with the table that is in the way", err)
	}
	execute(t, address, `DROP TABLE helve_values`)
	openAt(t, address)
}

// A connection that the server has ended is replaced.
func TestServerEndsConnections(t *testing.T) {
	t.Parallel()
	needServer(t)
	empty := emptyURL(t)
	synctest.Test(t, func(t *testing.T) {
		db := openAt(t, empty+"&application_name=ended")
		if err := db.Tools().Put(t.Context(), "k", []byte("v"), 0); err != nil {
			t.Fatal(err)
		}
		execute(t, address(), `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'ended'`)
		time.Sleep(time.Minute) // a connection that was idle is looked at before it is used
		if value, _, err := db.Tools().Get(t.Context(), "k"); string(value) != "v" || err != nil {
			t.Errorf("got %q, %v, want v", value, err)
		}
	})
}

// A restart ends all idle connections at once, and nobody notices: what is asked a
// moment later goes over a new one.
func TestServerHasJustEndedConnections(t *testing.T) {
	t.Parallel()
	empty := emptyURL(t)
	const name = "just-ended"
	db := openAt(t, empty+"&application_name="+name)
	store := db.Tools()
	s, err := db.Sessions().Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Save(t.Context(), 0, []message.Message{message.User("x")}, nil); err != nil {
		t.Fatal(err)
	}
	if err := store.Put(t.Context(), "k", []byte("v"), 0); err != nil {
		t.Fatal(err)
	}
	for what, try := range map[string]func() error{
		"Get":   func() error { _, _, err := store.Get(t.Context(), "k"); return err },
		"Keys":  func() error { _, err := store.List(t.Context(), ""); return err },
		"Put":   func() error { return store.Put(t.Context(), "k", []byte("w"), 0) },
		"Load":  func() error { _, _, err := s.Load(t.Context()); return err },
		"Save":  func() error { return s.Save(t.Context(), 0, []message.Message{message.User("y")}, nil) },
		"Names": func() error { _, err := db.Sessions().List(t.Context()); return err },
	} {
		fillPool(t, db, empty, name)
		execute(t, address(), fmt.Sprintf(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = '%s'`, name))
		if err := try(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// fillPool makes a DB, whose connections have a name, use as many at once as its
// pool keeps.
func fillPool(t *testing.T, db *database.DB, address, name string) {
	t.Helper()
	lock, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close(context.Background())
	if _, err := lock.Exec(t.Context(), "BEGIN; LOCK TABLE helve_values"); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range maxIdle {
		wait.Go(func() {
			if _, _, err := db.Tools().Get(t.Context(), "k"); err != nil {
				t.Error(err)
			}
		})
	}
	for waiting := 0; waiting < maxIdle && !t.Failed(); {
		const count = `SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`
		if err := lock.QueryRow(t.Context(), "SELECT pg_stat_clear_snapshot()").Scan(nil); err != nil {
			t.Fatal(err)
		}
		if err := lock.QueryRow(t.Context(), count, name).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := lock.Exec(t.Context(), "COMMIT"); err != nil {
		t.Fatal(err)
	}
	wait.Wait()
}

// A run that is stopped while its save waits for another leaves nothing behind,
// and its connection is in no transaction.
func TestStoppedSave(t *testing.T) {
	t.Parallel()
	address := emptyURL(t)
	db := openAt(t, address)
	other, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close(context.Background())
	for _, statement := range []string{"BEGIN", "LOCK TABLE helve_messages"} {
		if _, err := other.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	s, err := db.Sessions().Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Save(ctx, 0, []message.Message{message.User("x")}, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want context.DeadlineExceeded", err)
	}
	if _, err := other.Exec(t.Context(), "COMMIT"); err != nil {
		t.Fatal(err)
	}
	if sessions, err := db.Sessions().List(t.Context()); len(sessions) != 0 || err != nil {
		t.Errorf("got sessions %v, %v, want none", sessions, err)
	}
	for range maxOpen {
		if err := s.Save(t.Context(), 0, []message.Message{message.User("y")}, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func TestExpiredValuesDoNotPileUp(t *testing.T) {
	t.Parallel()
	empty := emptyURL(t)
	synctest.Test(t, func(t *testing.T) {
		store := openAt(t, empty).Tools()
		for i := range 50 {
			if err := store.Put(t.Context(), fmt.Sprint(i), nil, time.Second); err != nil {
				t.Fatal(err)
			}
		}
		if err := store.Put(t.Context(), "kept", nil, time.Hour); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if err := store.Delete(t.Context(), "nothing"); err != nil {
			t.Fatal(err)
		}
		conn, err := pgx.Connect(t.Context(), empty)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.Background())
		var rows int
		if err := conn.QueryRow(t.Context(), "SELECT COUNT(*) FROM helve_values").Scan(&rows); err != nil || rows != 1 {
			t.Errorf("got %d rows, %v, want 1", rows, err)
		}
	})
}
