package dataanalysis

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"helve/tool"
)

// Whatever a CSV file holds, each of its values can be had back from the table:
// text as it was, and a number with the value that its text has.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n", "a;b\n1,5;x\n", "zip,n\n007,1e5\n", "x\n-0\n0.10\n1e400\n", "n\n12345678901234567890\n1\n",
		"a,a,\n1,\"x\n\"\"y\"\"\",3\n", "\uFEFFa\tb\n1\t 2 \n", "sep=;\na;b\n1;2\n", "a\nM\xfcller\n", "a,b\n1\n1,2,\n", "x\n0.10000000000000001\n  \n1.000000000000000056e-01\n", "n;m\n1.000;1,5\n9007199254740993;1\n1.5;2\n", "x\n1.5e10\n1e+5\n.5\n5.\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		_, root := folder(t, map[string]string{"t.csv": content})
		d := newData(Config{Data: root, MaxBytes: 1 << 20, MaxRows: 100, Timeout: time.Minute})
		var want [][]cell
		file, info, err := d.open("t.csv")
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		src := &csvFile{name: "t.csv", r: io.NewSectionReader(file, 0, info.Size())}
		var header []string
		keep := func() error {
			want = nil
			return src.scan(t.Context(), func(names []string) error { header = append([]string{}, names...); return nil },
				func(cells []cell) error { want = append(want, append([]cell{}, cells...)); return nil })
		}
		if err = keep(); errors.Is(err, errNotUTF8) {
			src.latin = true
			err = keep()
		}
		got, queryErr := d.query(t.Context(), "SELECT * FROM t", 1<<20)
		if (err == nil) != (queryErr == nil) {
			t.Fatalf("read: %v, queried: %v", err, queryErr)
		}
		if err != nil {
			return
		}
		if len(got.columns) != len(header) || len(got.rows) != len(want) {
			t.Fatalf("%d columns of %d, %d rows of %d", len(got.columns), len(header), len(got.rows), len(want))
		}
		seen := map[string]bool{}
		for _, c := range got.columns {
			if seen[fold(c)] || identifier(c, "") != c {
				t.Fatalf("column %q: taken or no name", c)
			}
			seen[fold(c)] = true
		}
		for i, row := range want {
			for j, c := range row {
				if !recovers(c, got.rows[i][j]) {
					t.Fatalf("row %d, column %d: %q became %T %v", i, j, c.text, got.rows[i][j], got.rows[i][j])
				}
			}
		}
	})
}

func recovers(c cell, v any) bool {
	text := strings.TrimSpace(c.text)
	if c.kind == cellComma {
		text = strings.Replace(text, ",", ".", 1)
	}
	switch v := v.(type) {
	case nil:
		return text == ""
	case string:
		return v == c.text
	case int64:
		return big.NewInt(v).String() == text
	case float64:
		// The digits that make the number come back, and all of them: as few as
		// tell it, or as many as the text has.
		few, many := strconv.FormatFloat(v, 'e', -1, 64), strconv.FormatFloat(v, 'e', written(text)-1, 64)
		return (significant(few) == significant(text) || significant(many) == significant(text)) && (v < 0) == (strings.HasPrefix(text, "-") && significant(text) != "0")
	}
	return false
}

// Whatever SQL a model writes, the folder stays as it is, byte for byte, and a
// second call works.
func FuzzSQL(f *testing.F) {
	for _, sql := range writes {
		f.Add(sql)
	}
	for _, sql := range []string{
		"SELECT * FROM sales", "SELECT region, SUM(amount) FROM stored GROUP BY 1", "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT x FROM c",
		"SELECT * FROM stored JOIN sales USING (region)", "SELECT json_group_array(amount) FROM sales", "SELECT printf('%.*c', 1000000000, 'x')",
		"VALUES (1)", "SELECT * FROM json_each('[1,2]')", "SELECT \x00", "SELECT '\xff'", "SELECT * FROM \"helve clash x\"", "EXPLAIN QUERY PLAN SELECT * FROM stored",
		"SELECT * FROM helve_0.\"the table\"", "SELECT highlight(w, 0, 'a', 'b') FROM words w", "SELECT randomblob(9), ?1, :a, @b",
	} {
		f.Add(sql)
	}
	base := database(f)
	dir, root := folder(f, map[string]string{"base.db": base, "sales.csv": "region,amount\nNorth,1\n"})
	before := everything(f, dir)
	one := sqlOf(f, Config{Data: root, Timeout: 100 * time.Millisecond, MaxBytes: 1 << 20})
	f.Fuzz(func(t *testing.T, sql string) {
		result, err := ask(t.Context(), one, sql)
		if err != nil && (err.Message == "" || strings.Contains(err.Message, dir) || err.Kind == tool.KindInvalidParameters && len(sql) < maxSQL) {
			t.Errorf("%q: %v (%s)", sql, err, err.Kind)
		}
		if err == nil && len(result.Text()) > 2*maxText {
			t.Errorf("%q: %d bytes", sql, len(result.Text()))
		}
		after := everything(t, dir)
		for path, content := range before {
			if after[path] != content {
				t.Fatalf("%q changed %s", sql, path)
			}
		}
		if len(after) != len(before) {
			t.Fatalf("%q left a file", sql)
		}
	})
}

// Files that are damaged anywhere are errors and no crashes.
func FuzzFiles(f *testing.F) {
	files := salesFiles(f)
	for _, name := range []string{"packed.parquet", "book.xlsx", "base.db", "lines.jsonl"} {
		f.Add(filepath.Ext(name), []byte(files[name]), 40, byte(0xFF))
	}
	f.Fuzz(func(t *testing.T, ext string, content []byte, at int, with byte) {
		if formats[ext] == "" || len(content) > 1<<20 {
			return
		}
		content = bytes.Clone(content)
		if at >= 0 && at < len(content) {
			content[at] ^= with
		}
		dir, root := folder(t, map[string]string{"t" + ext: string(content)})
		one := sqlOf(t, Config{Data: root, Timeout: time.Second, MaxBytes: 4 << 20})
		if _, err := ask(t.Context(), one, ""); err != nil && err.Kind != tool.KindTimeout {
			t.Errorf("the listing: %v", err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("%d files, %v", len(left), err)
		}
	})
}

// The text of a result is CSV that says what the rows hold.
func FuzzText(f *testing.F) {
	f.Add("plain", "a,b", int64(7))
	f.Add("", "\"quoted\"\r\n", int64(-1))
	f.Fuzz(func(t *testing.T, a, b string, n int64) {
		a, b = strings.ToValidUTF8(a, "?"), strings.ToValidUTF8(b, "?")
		if len(a)+len(b) > 500 {
			return
		}
		table := &table{columns: []string{"a", "b", "n"}, rows: [][]any{{a, b, n}, {nil, 1.5, nil}}}
		read := csv.NewReader(strings.NewReader(table.text()))
		records, err := read.ReadAll()
		if err != nil || len(records) != 3 {
			t.Fatalf("%q: %v", table.text(), err)
		}
		unix := strings.NewReplacer("\r\n", "\n") // as package csv reads line ends
		if records[1][0] != unix.Replace(a) || records[1][1] != unix.Replace(b) || records[1][2] != big.NewInt(n).String() || records[2][1] != "1.5" {
			t.Fatalf("%q became %q", []string{a, b}, records)
		}
	})
}
