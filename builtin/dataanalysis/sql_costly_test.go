package dataanalysis

import (
	"bytes"
	"database/sql"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"helve/tool"
)

// A header as wide as this is read in no time: each name is compared with no
// other, and most of it with nothing at all.
func TestHeadersOfManyEqualNames(t *testing.T) {
	t.Parallel()
	_, root := folder(t, map[string]string{"t.csv": strings.Repeat("a,", 40_000) + "a\n"})
	one := sqlOf(t, Config{Data: root})
	if got := one.Definition().Description; !strings.Contains(got, "Tables: t. ") {
		t.Errorf("the description: %s", got)
	}
	if _, err := ask(t.Context(), one, "SELECT * FROM t"); err == nil || err.Message != "more than 1000 columns" {
		t.Errorf("a query: %v", err)
	}
	names := columnNames(strings.Split(strings.Repeat("a,", 40_000)+"a", ","))
	if got := names[len(names)-1]; got != "a_40001" {
		t.Errorf("the last name is %s", got)
	}
}

// A statement with many values has less room for each, so that all of them
// together stay small.
func TestValuesOfAStatementTogether(t *testing.T) {
	t.Parallel()
	wide := strings.TrimSuffix(strings.Repeat("c,", maxColumns), ",") + "\n" + strings.TrimSuffix(strings.Repeat("12345678,", maxColumns), ",") + "\n"
	_, root := folder(t, map[string]string{"wide.csv": wide})
	one := sqlOf(t, Config{Data: root})
	const long = "WITH c AS MATERIALIZED (SELECT hex(zeroblob(499999)) AS y) SELECT "
	for _, c := range []struct{ sql, say string }{
		{long + strings.Repeat("y||'',", 999) + "1 FROM c", "a value or a row has more than"},
		{long + "* FROM (SELECT DISTINCT " + strings.Repeat("y||1,", 900) + "1 FROM c)", "a value or a row has more than"},
		{long + strings.Repeat("max(y||1),", 999) + "1 FROM c", "a value or a row has more than"},
		{long + strings.Repeat("y,", 80) + "1 FROM c", "the result has more than 64.0 MiB in its first 1 rows"},
	} {
		if result, err := ask(t.Context(), one, c.sql); err == nil || !strings.Contains(err.Message, c.say) {
			t.Errorf("%.100s: %.100q, %v", c.sql, result.Text(), err)
		}
	}
	if got := mustAsk(t, one, "SELECT * FROM wide"); strings.Count(got, "12345678") != maxColumns {
		t.Errorf("a table of %d columns: %.200s", maxColumns, got)
	}
	if got := mustAsk(t, one, long+"length(y), length(y||'1') FROM c"); got != "length(y),length(y||'1')\n999998,999999\n" {
		t.Errorf("long values: %s", got)
	}
}

// A small Parquet file can be GiBs when it is unpacked. What its pages will take
// is read before one of them is.
func TestParquetThatUnpacksToMuch(t *testing.T) {
	t.Parallel()
	type row struct {
		A string `parquet:"a,plain,zstd"`
	}
	packed := func(page, rows int) string {
		var b bytes.Buffer
		w := parquet.NewGenericWriter[row](&b, parquet.PageBufferSize(page))
		batch := make([]row, rows)
		for i := range batch {
			batch[i].A = strings.Repeat("a", 1000)
		}
		if _, err := w.Write(batch); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if underRace {
		t.Skip("64 MiB take long to pack under the race detector, and one goroutine reads them")
	}
	_, root := folder(t, map[string]string{"page.parquet": packed(1<<30, 68_000), "many.parquet": packed(1<<20, 9000)})
	one := sqlOf(t, Config{Data: root, MaxBytes: 8 << 20})
	for _, c := range []struct{ table, say string }{
		{"page", "page.parquet, column a: a page of 65.1 MiB when it is unpacked: at most 64.0 MiB can be read; write the file with smaller pages"},
		{"many", "many.parquet, column a: unpacked it has more than 8.0 MiB"},
	} {
		if _, err := ask(t.Context(), one, "SELECT count(*) FROM "+c.table); err == nil || err.Message != c.say {
			t.Errorf("%s: %v", c.table, err)
		}
	}
}

// The functions that are ours answer as SQLite's own do.
func TestFunctionsAnswerAsSQLite(t *testing.T) {
	t.Parallel()
	if underRace {
		t.Skip("thousands of statements take long under the race detector, and one goroutine runs them")
	}
	own, err := openEngine(":memory:", &guard{ctx: t.Context(), trusted: true})
	if err != nil {
		t.Fatal(err)
	}
	defer own.close()
	theirs, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close()
	long := strings.Repeat("ab", 40)
	texts := []string{"NULL", "''", "'a'", "'abcabd'", "'abd'", "'  x y  '", "' '", "'中文字符'", "'文'", "x'e4b8'", "x'b8ad'", "x''", "zeroblob(3)", "x'0000'", "12", "1.5", "'1'", "-7", "'ééa'", "'é'", "'" + long + "c" + long + "'", "'" + long + "c'", "'" + long + "'", "'x' || char(0) || 'y'", "'y'"}
	var calls []string
	for _, a := range texts {
		calls = append(calls, "trim("+a+")", "ltrim("+a+")", "rtrim("+a+")")
		for _, b := range texts {
			calls = append(calls, "instr("+a+","+b+")")
			if !strings.HasPrefix(b, "x'") { // half a character is no character
				calls = append(calls, "trim("+a+","+b+")", "ltrim("+a+","+b+")", "rtrim("+a+","+b+")")
			}
			for _, c := range []string{"NULL", "''", "'aab'", "5"} {
				calls = append(calls, "replace("+a+","+b+","+c+")")
			}
		}
	}
	for _, call := range calls {
		query := "SELECT typeof(" + call + ") || quote(" + call + ")"
		var want string
		if err := theirs.QueryRow(query).Scan(&want); err != nil {
			t.Fatal(err)
		}
		got, err := own.selectAll(query)
		if err != nil || got[0][0] != want {
			t.Errorf("%s: %v, %v; SQLite: %v", call, got, err, want)
		}
	}
}

// Each of these took from seconds to hours, and nothing could stop it.
func TestFunctionsOfLongValues(t *testing.T) {
	t.Parallel()
	_, root := folder(t, nil)
	one := sqlOf(t, Config{Data: root})
	const z = "hex(zeroblob(499999))"
	for _, c := range []struct{ sql, want string }{
		{"SELECT instr(" + z + ", hex(zeroblob(250000))||'1') AS n", "n\n0\n"},
		{"SELECT length(replace(" + z + ", hex(zeroblob(250000))||'1', '')) AS n", "n\n999998\n"},
		{"SELECT length(trim(" + z + ", replace(hex(zeroblob(200000)),'0','1')||'0')) AS n", "n\n0\n"},
	} {
		if got := mustAsk(t, one, c.sql); got != c.want {
			t.Errorf("%s: %s", c.sql, got)
		}
	}
	if _, err := ask(t.Context(), one, "SELECT "+strings.Repeat("instr("+z+",'1'),", 280)+"1"); err == nil || !strings.Contains(err.Message, "in a statement of so many values and function calls: ask for fewer columns") {
		t.Errorf("280 calls: %v", err)
	}
	for _, call := range []string{"json_pretty('[1]')", "json_patch('{}', '{}')"} {
		if _, err := ask(t.Context(), one, "SELECT "+call); err == nil || err.Kind != tool.KindPermissionDenied || !strings.Contains(err.Message, "whose cost has no bound") {
			t.Errorf("%s: %v", call, err)
		}
	}
}
