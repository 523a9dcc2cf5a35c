package dataanalysis

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"helve/tool"
)

// everything is a folder's files with their bytes and times.
func everything(t testing.TB, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		found[path] = info.ModTime().String() + "\n" + string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

var writes = []string{
	"INSERT INTO stored VALUES (9, 'x', 1, 'd', 'z')",
	"INSERT INTO sales VALUES ('x', 1)",
	"UPDATE stored SET amount = 0",
	"UPDATE sales SET amount = 0",
	"DELETE FROM stored",
	"DELETE FROM stored WHERE id = 1 RETURNING *",
	"REPLACE INTO stored VALUES (1, 'x', 1, 'd', 'z')",
	"WITH x AS (SELECT 1) INSERT INTO stored (id) SELECT * FROM x",
	"DROP TABLE stored",
	"DROP VIEW stored",
	"CREATE TABLE t (a)",
	"CREATE TEMP TABLE t AS SELECT * FROM stored",
	"CREATE VIEW v AS SELECT 1",
	"CREATE TEMP TRIGGER g INSTEAD OF INSERT ON sales BEGIN SELECT 1; END",
	"CREATE VIRTUAL TABLE v USING fts5(a)",
	"ALTER TABLE stored RENAME TO x",
	"ATTACH 'evil.db' AS e",
	"ATTACH ':memory:' AS e",
	"DETACH helve_0",
	"VACUUM",
	"VACUUM INTO 'evil.db'",
	"REINDEX",
	"ANALYZE",
	"BEGIN",
	"BEGIN IMMEDIATE",
	"COMMIT",
	"SAVEPOINT s",
	"PRAGMA query_only=OFF",
	"PRAGMA journal_mode=DELETE",
	"PRAGMA user_version=7",
	"PRAGMA writable_schema=ON",
	"PRAGMA temp_store_directory='/'",
	"PRAGMA table_info(stored)",
	"SELECT load_extension('evil')",
	"SELECT * FROM pragma_user_version",
	"SELECT * FROM sqlite_schema",
	"SELECT * FROM sqlite_temp_schema",
	"SELECT * FROM temp.sqlite_schema",
	"SELECT * FROM sqlite_dbpage",
	"SELECT * FROM dbstat",
	"EXPLAIN DELETE FROM stored",
	"SELECT 1; DROP TABLE stored",
	"SELECT 1; SELECT 2",
	"SELECT 1; nonsense",
	"/* SELECT */ DROP TABLE stored",
}

func TestSQLThatWritesIsRefused(t *testing.T) {
	t.Parallel()
	dir, root := folder(t, map[string]string{"base.db": database(t), "sales.csv": "region,amount\nNorth,1\n"})
	before := everything(t, dir)
	one := sqlOf(t, Config{Data: root})
	for _, sql := range writes {
		result, err := ask(t.Context(), one, sql)
		if err == nil || err.Kind != tool.KindPermissionDenied {
			t.Errorf("%s: %q, %v", sql, result.Text(), err)
		}
	}
	if diff := cmp.Diff(before, everything(t, dir)); diff != "" {
		t.Errorf("the folder changed: %s", diff)
	}
	if got := mustAsk(t, one, "SELECT count(*) FROM stored, sales"); got != "count(*)\n5\n" {
		t.Errorf("afterwards: %q", got)
	}
}

// Below the authorizer there is no way to write either: the file system has
// none.
func TestTheEngineItselfCannotWrite(t *testing.T) {
	t.Parallel()
	dir, root := folder(t, map[string]string{"base.db": database(t)})
	before := everything(t, dir)
	tools, err := Tools(Config{Data: root})
	if err != nil || len(tools) == 0 {
		t.Fatal(err)
	}
	c, _ := Config{Data: root}.withDefaults()
	d := newData(c)
	s, err := d.newSession(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if s.cat, err = d.catalog(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.add(s.cat.find("stored")); err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{"DELETE FROM helve_0.stored", "DROP TABLE helve_0.stored", "PRAGMA helve_0.user_version=7", "PRAGMA helve_0.journal_mode=WAL; CREATE TABLE helve_0.x (a)"} {
		if err := s.engine.exec(sql); err == nil && !strings.Contains(sql, "journal_mode") && !strings.Contains(sql, "user_version") {
			t.Errorf("%s went through", sql)
		}
	}
	if diff := cmp.Diff(before, everything(t, dir)); diff != "" {
		t.Errorf("the folder changed: %s", diff)
	}
}

func TestSQLThatRunsForeverIsStopped(t *testing.T) {
	t.Parallel()
	_, root := folder(t, map[string]string{"big.csv": "a,b\n" + strings.Repeat("12345,some text that is longer\n", 5000)})
	one := sqlOf(t, Config{Data: root, Timeout: 100 * time.Millisecond})
	for _, sql := range []string{
		"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c",
		"WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x+1 FROM c) SELECT max(x) FROM c",
		"SELECT count(*) FROM big a, big b, big c, big d",
		"SELECT 1 UNION ALL SELECT count(*) FROM big a, big b, big c, big d", // between two rows
		"SELECT a.b||b.b||c.b FROM big a, big b, big c ORDER BY 1",
	} {
		if _, err := ask(t.Context(), one, sql); err == nil || err.Kind != tool.KindTimeout {
			t.Errorf("%s: %v", sql, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ask(ctx, one, "SELECT 1"); err == nil || err.Kind != tool.KindCanceled {
		t.Errorf("a call that was stopped: %v", err)
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	_, root := folder(t, map[string]string{
		"n.csv":       "n\n" + strings.Repeat("1\n", 300),
		"long.csv":    "a\n" + strings.Repeat("x", maxCell) + "\n",
		"wide.csv":    strings.Repeat("c,", maxColumns) + "c\n",
		"open.csv":    "a,b\n1,\"" + strings.Repeat("never closed\n", (maxRow+1<<20)/13),
		"large.csv":   "a\n" + strings.Repeat("some text of a row\n", 3<<20/19),
		"lines.jsonl": "{\"a\":1}\n\nnot json\n",
		"text.csv":    "a\n" + strings.Repeat("some text of a row\n", 4000),
	})
	one := sqlOf(t, Config{Data: root, MaxBytes: 32 << 20})
	small := sqlOf(t, Config{Data: root, MaxBytes: 2 << 20})
	spill := sqlOf(t, Config{Data: root, MaxBytes: 1 << 20})
	for _, c := range []struct {
		one      tool.Tool
		sql, say string
	}{
		{one, "SELECT " + strings.Repeat("1,", maxSQL) + "1", "at most 16.0 KiB can be run"},
		{one, "SELECT 1\x00", "a NUL character"},
		{one, "SELECT * FROM long", "long.csv, line 2: a value of 1.0 MiB: at most 512.0 KiB can be read"},
		{one, "SELECT * FROM wide", "more than 1000 columns"},
		{one, "SELECT * FROM open", "a row of more than 4 MiB: is a closing quote missing?"},
		{small, "SELECT * FROM large", "large.csv has 3.0 MiB, and at most 2.0 MiB are read"},
		{one, "SELECT * FROM lines", "lines.jsonl, line 3: no JSON object: write one a line, such as {\"id\": 1}"},
		{one, "SELECT hex(zeroblob(900000))", "a value or a row has more than 1.0 MiB"},
		{one, "SELECT zeroblob(2000000)", "a value or a row has more than 1.0 MiB"},
		{spill, "SELECT a.a || b.a FROM text a, text b ORDER BY 1", "needs more than 1.0 MiB for what it sorts"},
		{one, "SELECT n FROM n WHERE n LIKE '" + strings.Repeat("%a", 200) + "'", "LIKE or GLOB pattern too complex"},
	} {
		result, err := ask(t.Context(), c.one, c.sql)
		if err == nil || !strings.Contains(err.Message, c.say) {
			t.Errorf("%.80s: %.200q, %v", c.sql, result.Text(), err)
		}
	}
	got := mustAsk(t, one, "SELECT n FROM n")
	if want := "[cut here: the first 200 rows; there are more. Use WHERE, GROUP BY, or LIMIT and OFFSET.]\n"; !strings.HasSuffix(got, want) || strings.Count(got, "\n") != 202 {
		t.Errorf("300 rows: %s", got)
	}
	got = mustAsk(t, one, "SELECT n, hex(zeroblob(400)) FROM n LIMIT 150")
	if want := "[cut here: the first 40 rows; more would be too long. Ask for fewer columns or rows, or sum up.]\n"; !strings.HasSuffix(got, want) {
		t.Errorf("long rows: %s", got[len(got)-200:])
	}
	got = mustAsk(t, one, "SELECT hex(zeroblob(4000)) AS x")
	if want := "x\n" + strings.Repeat("0", 1000) + "… (7.8 KiB in all)\n"; got != want {
		t.Errorf("a long value: %s", got)
	}
}

func TestErrorsNameWhatThereIs(t *testing.T) {
	t.Parallel()
	_, root := folder(t, map[string]string{
		"sales.csv": "region,amount\nNorth,1\n", "customers.csv": "name\nx\n",
		"a.db": database(t), "b.db": database(t),
	})
	one := sqlOf(t, Config{Data: root})
	for _, c := range []struct {
		sql, say string
		detail   map[string]any
	}{
		{"SELECT * FROM sale", "there is no table sale: did you mean sales?", map[string]any{"tables": []string{"a_db_stored", "b_db_stored", "customers", "sales"}}},
		{"SELECT * FROM weather", "there is no table weather", map[string]any{"tables": []string{"a_db_stored", "b_db_stored", "customers", "sales"}}},
		{"SELECT * FROM main.sales", "sales can only be read: SELECT … FROM sales, without a schema before the name", map[string]any{"tables": []string{"a_db_stored", "b_db_stored", "customers", "sales"}}},
		{"SELECT * FROM stored", "stored is in several files: write a_db_stored or b_db_stored", nil},
		{"SELECT * FROM a_db_stored, stored", "stored is in several files: write a_db_stored or b_db_stored", nil},
		{"SELECT regon FROM sales", "there is no column regon: did you mean region?", map[string]any{"columns": map[string][]string{"sales": {"region", "amount"}}}},
		{"SELECT s.xyz FROM sales s", "there is no column s.xyz. Text stands in single quotes: 'text'", map[string]any{"columns": map[string][]string{"sales": {"region", "amount"}}}},
		{`SELECT * FROM sales WHERE region = "North"`, "there is no column North. Text stands in single quotes: 'text'", map[string]any{"columns": map[string][]string{"sales": {"region", "amount"}}}},
		{"SELEC 1", `SQLite: near "SELEC": syntax error`, nil},
		{"-- nothing", "the SQL is empty: write one SELECT statement", nil},
		{"SELECT amount / FROM sales", `SQLite: near "FROM": syntax error`, nil},
	} {
		_, err := ask(t.Context(), one, c.sql)
		if err == nil || err.Message != c.say {
			t.Errorf("%s: %v, want %s", c.sql, err, c.say)
			continue
		}
		if diff := cmp.Diff(c.detail, err.Detail); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.sql, diff)
		}
	}
}

// A database's own views run under the same guard.
func TestHostileDatabase(t *testing.T) {
	t.Parallel()
	_, root := folder(t, map[string]string{
		"views.db": database(t,
			"CREATE VIEW peek AS SELECT * FROM sqlite_schema",
			"CREATE VIEW load AS SELECT load_extension('x') AS x",
			"CREATE VIEW fine AS SELECT region, amount FROM stored",
			"CREATE VIEW broken AS SELECT * FROM missing",
			"CREATE VIEW forever AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT * FROM c",
			"CREATE VIRTUAL TABLE words USING fts5(word)",
			"INSERT INTO words VALUES ('hello world'), ('good bye')"),
		"text.db":  "this is no database at all, but it is long enough to be looked at as if it were one",
		"cut.db":   database(t)[:5000],
		"empty.db": "",
	})
	one := sqlOf(t, Config{Data: root, Timeout: 300 * time.Millisecond})
	for _, c := range []struct {
		sql  string
		kind tool.Kind
	}{
		{"SELECT * FROM peek", tool.KindPermissionDenied},
		{"SELECT * FROM load", tool.KindExecution},
		{"SELECT * FROM broken", tool.KindExecution},
		{"SELECT count(*) FROM forever", tool.KindTimeout},
	} {
		if result, err := ask(t.Context(), one, c.sql); err == nil || err.Kind != c.kind {
			t.Errorf("%s: %q, %v", c.sql, result.Text(), err)
		}
	}
	if got := mustAsk(t, one, "SELECT count(*) AS n FROM fine"); got != "n\n5\n" {
		t.Errorf("a view: %s", got)
	}
	listing := mustAsk(t, sqlOf(t, Config{Data: root, Timeout: 2 * time.Second}), "")
	for _, want := range []string{"[text.db is left out: text.db is no SQLite database, or it is damaged or encrypted]", "fine (views.db, 5 rows): region TEXT, amount REAL"} {
		if !strings.Contains(listing, want) {
			t.Errorf("%s is not in\n%s", want, listing)
		}
	}
}

func TestDatabaseThatIsBeingWritten(t *testing.T) {
	t.Parallel()
	dir, root := folder(t, nil)
	path := filepath.Join(dir, "live.db")
	e, err := openEngine(path, &guard{ctx: t.Context(), trusted: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	if err := e.exec("PRAGMA journal_mode=WAL; CREATE TABLE log (a); INSERT INTO log VALUES (1); PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO log VALUES (2)"); err != nil {
		t.Fatal(err)
	}
	before := everything(t, dir)
	one := sqlOf(t, Config{Data: root})
	want := "n\n1\n[live.db was read as of its last checkpoint: newer changes wait in live.db-wal and are not in this result]\n"
	if got := mustAsk(t, one, "SELECT count(*) AS n FROM log"); got != want {
		t.Errorf("with a -wal: %s", got)
	}
	if diff := cmp.Diff(before, everything(t, dir)); diff != "" {
		t.Errorf("the folder changed: %s", diff)
	}
	write(t, filepath.Join(dir, "live.db-journal"), []byte("x"))
	if _, err := ask(t.Context(), one, "SELECT count(*) AS n FROM log"); err == nil || !strings.Contains(err.Message, "live.db is being written, or its last change was broken off") {
		t.Errorf("with a -journal: %v", err)
	}
}

func TestManyCallsAtOnce(t *testing.T) {
	t.Parallel()
	_, root := folder(t, salesFiles(t))
	one := sqlOf(t, Config{Data: root, MaxBytes: 20 << 10, Timeout: time.Hour}) // the cache has to let go; the calls wait for each other
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			name := salesTables[i%len(salesTables)]
			result, err := ask(t.Context(), one, "SELECT SUM(amount) AS s FROM "+name)
			if err != nil && strings.Contains(err.Message, "at most") {
				return
			}
			if err != nil || result.Text() != "s\n194.05\n" {
				t.Errorf("%s: %q, %v", name, result.Text(), err)
			}
		})
	}
	all.Wait()
}

func TestConfig(t *testing.T) {
	t.Parallel()
	if _, err := Tools(Config{}); err == nil {
		t.Error("without a folder there are tools")
	}
	_, root := folder(t, nil)
	if _, err := Tools(Config{Data: root, MaxRows: -1}); err == nil {
		t.Error("with a bound below 0 there are tools")
	}
	one := sqlOf(t, Config{Data: root})
	if got := mustAsk(t, one, " "); !strings.HasPrefix(got, "The folder holds no tables") {
		t.Errorf("an empty folder: %s", got)
	}
	root.Close()
	if _, err := ask(t.Context(), one, ""); err == nil || errors.Is(err, os.ErrClosed) && strings.Contains(err.Message, "/") {
		t.Errorf("a closed folder: %v", err)
	}
}
