package dataanalysis

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// named lists the tables of a folder by name and place.
func named(t testing.TB, root *os.Root) (names []string, notes []string) {
	t.Helper()
	c, err := Config{Data: root}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := newData(c).catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range catalog.entries {
		names = append(names, e.name+" = "+e.place())
	}
	return names, catalog.notes
}

func TestTableNames(t *testing.T) {
	t.Parallel()
	_, root := folder(t, map[string]string{
		"sales.csv":          "a\n",
		"Sales.jsonl":        "{}",
		"old/sales.csv":      "a\n",
		"old_sales_csv.csv":  "a\n", // the long name of another
		"2026 report-Q1.csv": "a\n",
		"order.csv":          "a\n",
		"sqlite_x.csv":       "a\n",
		"---.csv":            "a\n",
		"出口.csv":             "a\n",
		"one.db":             database(t, `CREATE TABLE "my table" (a)`),
		"two.db":             database(t),
		"UPPER.CSV":          "a\n",
	})
	want := []string{
		"_2026_report_Q1 = 2026 report-Q1.csv",
		"_sqlite_x = sqlite_x.csv",
		"my table = one.db",
		"old_sales_csv = old_sales_csv.csv",
		"old_sales_csv_2 = old/sales.csv",
		"one_db_stored = one.db",
		"order_ = order.csv",
		"sales_csv = sales.csv",
		"Sales_jsonl = Sales.jsonl",
		"table = ---.csv",
		"two_db_stored = two.db",
		"UPPER = UPPER.CSV",
		"出口 = 出口.csv",
	}
	for range 3 { // whatever the order of maps
		got, notes := named(t, root)
		if diff := cmp.Diff(want, got); diff != "" || notes != nil {
			t.Fatalf("notes %q, (-want +got):\n%s", notes, diff)
		}
	}
	one := sqlOf(t, Config{Data: root})
	if got := mustAsk(t, one, `SELECT count(*) AS n FROM "my table", one_db_stored, 出口`); got != "n\n0\n" {
		t.Errorf("got %q", got)
	}
}

// A name that identifier makes is one that SQLite takes without quotes, and the
// words it avoids are ones that SQLite does not take.
func TestIdentifiersNeedNoQuotes(t *testing.T) {
	t.Parallel()
	e, err := openEngine(":memory:", &guard{ctx: t.Context(), trusted: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	taken := func(name string) bool {
		return e.exec("SELECT "+name+", max("+name+") FROM (SELECT 1 AS "+name+") AS "+name+" ORDER BY "+name) == nil
	}
	for _, name := range append([]string{"a b", "1", "x-y", "ñandú", "价格", "a.b", `"`, "key", "desc", "date", "end", "first", "values", "_"}, keywords()...) {
		if id := identifier(name, "x"); !taken(id) {
			t.Errorf("%s became %s, which SQLite does not take", name, id)
		}
	}
}

func keywords() []string {
	return strings.Fields(`ABORT ACTION ADD AFTER ALL ALTER ALWAYS ANALYZE AND AS ASC ATTACH AUTOINCREMENT BEFORE BEGIN BETWEEN BY
	CASCADE CASE CAST CHECK COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS CURRENT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP
	DATABASE DEFAULT DEFERRABLE DEFERRED DELETE DESC DETACH DISTINCT DO DROP EACH ELSE END ESCAPE EXCEPT EXCLUDE EXCLUSIVE EXISTS EXPLAIN
	FAIL FILTER FIRST FOLLOWING FOR FOREIGN FROM FULL GENERATED GLOB GROUP GROUPS HAVING IF IGNORE IMMEDIATE IN INDEX INDEXED INITIALLY
	INNER INSERT INSTEAD INTERSECT INTO IS ISNULL JOIN KEY LAST LEFT LIKE LIMIT MATCH MATERIALIZED NATURAL NO NOT NOTHING NOTNULL NULL NULLS
	OF OFFSET ON OR ORDER OTHERS OUTER OVER PARTITION PLAN PRAGMA PRECEDING PRIMARY QUERY RAISE RANGE RECURSIVE REFERENCES REGEXP REINDEX
	RELEASE RENAME REPLACE RESTRICT RETURNING RIGHT ROLLBACK ROW ROWS SAVEPOINT SELECT SET TABLE TEMP TEMPORARY THEN TIES TO TRANSACTION
	TRIGGER UNBOUNDED UNION UNIQUE UPDATE USING VACUUM VALUES VIEW VIRTUAL WHEN WHERE WINDOW WITH WITHIN WITHOUT TRUE FALSE`)
}

func TestLinksAndOtherFiles(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	write(t, filepath.Join(outside, "secret.csv"), []byte("a\n1\n"))
	write(t, filepath.Join(outside, "secret.db"), []byte(database(t)))
	dir, root := folder(t, map[string]string{"real/in.csv": "a\n1\n", strings.Repeat("d/", 9) + "deep.csv": "a\n"})
	for link, target := range map[string]string{
		"inside.csv": "real/in.csv", "out.csv": filepath.Join(outside, "secret.csv"), "out.db": "../" + filepath.Base(outside) + "/secret.db",
		"loop.csv": "loop.csv", "loop": ".", "gone.csv": "nowhere.csv", "folder": outside,
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.csv"), 0o644); err != nil {
		t.Fatal(err)
	}
	names, notes := named(t, root)
	if diff := cmp.Diff([]string{"in_ = real/in.csv", "inside = inside.csv"}, names); diff != "" {
		t.Error(diff)
	}
	want := []string{
		"d/d/d/d/d/d/d/d lies deeper than 8 folders and is left out",
		"gone.csv is left out: it is gone",
		"loop.csv is left out: it is a link that leads nowhere",
		"out.csv is left out: it is a link that leaves the folder",
		"out.db is left out: it is a link that leaves the folder",
		"pipe.csv is left out: it is not a regular file",
	}
	if diff := cmp.Diff(want, notes); diff != "" {
		t.Error(diff)
	}
	if got := mustAsk(t, sqlOf(t, Config{Data: root}), "SELECT a FROM inside"); got != "a\n1\n" {
		t.Errorf("a link inside: %q", got)
	}
}

// A folder of very many files costs no more than a bound, and says so.
func TestManyFiles(t *testing.T) {
	t.Parallel()
	dir, root := folder(t, nil)
	for i := range maxFiles + 50 {
		write(t, filepath.Join(dir, fmt.Sprintf("t%06d.csv", i)), []byte("a\n1\n"))
	}
	names, notes := named(t, root)
	if len(names) != maxFiles || len(notes) != 1 || notes[0] != "the folder holds more than 1000 files of data: those from t001000.csv on are left out" {
		t.Errorf("%d names, notes %q", len(names), notes)
	}
	one := sqlOf(t, Config{Data: root})
	if d := one.Definition().Description; len(d) > 2*maxSummary {
		t.Errorf("the description has %d bytes", len(d))
	}
	if got := mustAsk(t, one, "SELECT a FROM t000999"); got != "a\n1\n" {
		t.Errorf("got %q", got)
	}
	if got := mustAsk(t, one, ""); !strings.Contains(got, "[and 900 more tables]") {
		t.Errorf("the listing ends with %s", got[len(got)-200:])
	}
	var joined []string
	for i := range maxAttached + 1 {
		joined = append(joined, fmt.Sprintf("t%06d", i))
	}
	if _, err := ask(t.Context(), one, "SELECT * FROM "+strings.Join(joined, ", ")); err == nil || err.Message != "the SQL names tables of more than 10 files: join fewer" {
		t.Errorf("a join of 11 files: %v", err)
	}
}

// What is asked is what the files are now: a change is seen, and a file that is
// gone is an error that says so.
func TestFilesThatChange(t *testing.T) {
	t.Parallel()
	dir, root := folder(t, map[string]string{"a.csv": "n\n1\n", "b.db": database(t)})
	one := sqlOf(t, Config{Data: root})
	const sql = "SELECT n FROM a"
	if got := mustAsk(t, one, sql); got != "n\n1\n" {
		t.Fatal(got)
	}
	path := filepath.Join(dir, "a.csv")
	write(t, path, []byte("n\n2\n")) // of the same size
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if got := mustAsk(t, one, sql); got != "n\n2\n" {
		t.Errorf("after a change: %q", got)
	}
	c, _ := Config{Data: root}.withDefaults()
	d := newData(c)
	catalog, err := d.catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil { // between the look at the folder and the read
		t.Fatal(err)
	}
	if _, err := d.load(t.Context(), catalog.find("a")); err == nil || err.Error() != "a.csv: it is gone" {
		t.Errorf("a file that vanished: %v", err)
	}
	if _, err := ask(t.Context(), one, sql); err == nil || !strings.HasPrefix(err.Message, "there is no table a") {
		t.Errorf("a file that is gone: %v", err)
	}
}

// A program that gives a file its old time back after it wrote in place, as cp -p
// and rsync do, is seen all the same.
func TestFilesThatChangeBehindTheirTime(t *testing.T) {
	t.Parallel()
	dir, root := folder(t, map[string]string{"a.csv": "n\n1\n"})
	path := filepath.Join(dir, "a.csv")
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if changeTime(before) == 0 {
		t.Skip("this system keeps no time of a change")
	}
	one := sqlOf(t, Config{Data: root})
	if got := mustAsk(t, one, "SELECT n FROM a"); got != "n\n1\n" {
		t.Fatal(got)
	}
	for now := before; changeTime(now) == changeTime(before); { // the clock of a file system is coarse
		write(t, path, []byte("n\n2\n"))
		if err := os.Chtimes(path, before.ModTime(), before.ModTime()); err != nil {
			t.Fatal(err)
		}
		if now, err = os.Stat(path); err != nil {
			t.Fatal(err)
		}
	}
	if got := mustAsk(t, one, "SELECT n FROM a"); got != "n\n2\n" {
		t.Errorf("after a change: %q", got)
	}
}

func TestCacheKeepsAndLetsGo(t *testing.T) {
	t.Parallel()
	_, root := folder(t, map[string]string{"a.csv": "n\n1\n", "b.csv": "n\n2\n", "c.csv": "n\n3\n"})
	d := newData(Config{Data: root, MaxBytes: 20 << 10, MaxRows: 10, Timeout: time.Minute}) // two images of two pages
	load := func(name string) *image {
		t.Helper()
		c, err := d.catalog(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		img, err := d.load(t.Context(), c.find(name))
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	a, b := load("a"), load("b")
	if load("a") != a || load("b") != b || load("a") != a {
		t.Error("an image was made twice")
	}
	load("c") // b is the one that was used longest ago
	if load("a") != a {
		t.Error("the image used last is gone")
	}
	if load("b") == b {
		t.Error("the image used longest ago is still there")
	}
}

func TestCSV(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, content, want string }{
		{"header alone", "a,b\n", "a,b\n[no rows]\n"},
		{"no last newline", "a,b\n1,2", "a,b\n1,2\n"},
		{"old line ends", "a,b\r\n1,2\r\n\r\n3,4\r\n", "a,b\n1,2\n3,4\n"},
		{"names", "a,A,,a b,group,a\n1,2,3,4,5,6\n", "a,A_2,column_3,a_b,group_,a_3\n1,2,3,4,5,6\n"},
		{"mark and quotes", "\uFEFF\"a\",\"b\"\n\"x,\"\"y\"\"\",\"two\nlines\"\n", "a,b\n\"x,\"\"y\"\"\",\"two\nlines\"\n"},
		{"short rows", "a,b,c\n1\n1,2,3\n1,2\n", "a,b,c\n1,,\n1,2,3\n1,2,\n[2 rows of t.csv have fewer values than the first line has names: the rest is NULL]\n"},
		{"empty ends", "a,b\n1,2,,\n", "a,b\n1,2\n"},
		{"codes", "zip,phone,id,code\n007,+49 89 1,12345678901234567890123,12E4\n12,5,1,2\n", "zip,phone,id,code\n007,+49 89 1,12345678901234567890123,12E4\n12,5,1,2\n"},
		{"semicolons and commas", "a;b\n1,5;x\n2;y,z\n", "a,b\n1.5,x\n2.0,\"y,z\"\n"},
		{"a comma in one column", "a\n1\n2\n", "a\n1\n2\n"},
		{"quoted thousands", "a,b\n\"1,234\",2\n", "a,b\n\"1,234\",2\n"},
		{"spaces", "a, b\n1, 2\n3, 4\n", "a,b\n1,2\n3,4\n"},
		{"Windows-1252", "name,n\nM\xfcller,1\n", "name,n\nMüller,1\n[t.csv is not UTF-8 and was read as Windows-1252]\n"},
		{"large numbers", "a,b,c\n9223372036854775807,-9223372036854775808,0.30000000000000004\n", "a,b,c\n9223372036854775807,-9223372036854775808,0.3\n"},
	} {
		_, root := folder(t, map[string]string{"t.csv": c.content})
		if got := mustAsk(t, sqlOf(t, Config{Data: root}), "SELECT * FROM t"); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	for _, c := range []struct{ name, content, want string }{
		{"empty", "", "t.csv is empty: the first line has to name the columns"},
		{"long row", "a,b\n1,2\n1,2,3\n", "t.csv, line 3: 3 values, but the first line names 2 columns: is a quote missing around a value with a ',' in it?"},
		{"bare quote", "a,b\n1,5\" pipe\n", "t.csv, line 2, column 4: a \" that neither opens nor closes a value: write it twice, and quotes around the value"},
		{"open quote", "a,b\n1,\"2\n3,4\n", "t.csv, line 2: a quote that opens in this row does not close in it"},
	} {
		_, root := folder(t, map[string]string{"t.csv": c.content})
		if _, err := ask(t.Context(), sqlOf(t, Config{Data: root}), "SELECT * FROM t"); err == nil || err.Message != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestJSONLines(t *testing.T) {
	t.Parallel()
	_, root := folder(t, map[string]string{"t.jsonl": `{"id":1,"ok":true,"tags":["a", "b"],"x":1}
{"id":2.5,"ok":null,"deep":{"k": [1]},"x":"007","big":12345678901234567890123}
{"ok":false}
`})
	got := mustAsk(t, sqlOf(t, Config{Data: root}), "SELECT *, typeof(x), json_extract(deep, '$.k[0]') AS k FROM t")
	want := `id,ok,tags,x,deep,big,typeof(x),k
1.0,1,"[""a"",""b""]",1,,,text,
2.5,,,007,"{""k"":[1]}",12345678901234567890123,text,1
,0,,,,,null,
`
	if got != want {
		t.Errorf("got\n%s", got)
	}
	for content, say := range map[string]string{
		"":                 "t.jsonl is empty: it has to hold a JSON object a line",
		"{\"a\":1}\n[1]\n": "t.jsonl, line 2: no JSON object: write one a line, such as {\"id\": 1}",
		"{\"a\":1} {}\n":   "t.jsonl, line 1: something follows the object: write one a line",
		"{\"a\":}\n":       "t.jsonl, line 1: invalid character '}' looking for beginning of value",
		"{\"a\":1\n":       "t.jsonl, line 1: the object has no end: write it in one line",
	} {
		_, root := folder(t, map[string]string{"t.jsonl": content})
		if _, err := ask(t.Context(), sqlOf(t, Config{Data: root}), "SELECT * FROM t"); err == nil || err.Message != say {
			t.Errorf("%q: %v", content, err)
		}
	}
}
