package dataanalysis

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"

	"helve/tool"
)

// folder makes a folder of files and opens it.
func folder(t testing.TB, files map[string]string) (dir string, root *os.Root) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range files {
		write(t, filepath.Join(dir, name), []byte(content))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return dir, root
}

func write(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// sqlOf makes the tool for a folder.
func sqlOf(t testing.TB, c Config) tool.Tool {
	t.Helper()
	tools, err := Tools(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range tools {
		if one.Definition().Name == "sql_tool" {
			return one
		}
	}
	t.Fatal("no sql_tool")
	return nil
}

// ask calls the tool as an executor does.
func ask(ctx context.Context, t tool.Tool, sql string) (tool.Result, *tool.Error) {
	args, _ := json.Marshal(map[string]string{"sql": sql})
	result, err := tool.Invoke(ctx, t, tool.Call{Name: "sql_tool", Arguments: args})
	return result, tool.AsError(err)
}

func mustAsk(t testing.TB, one tool.Tool, sql string) string {
	t.Helper()
	result, err := ask(t.Context(), one, sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return result.Text()
}

type sale struct {
	ID     int64
	Region string
	Amount float64
	Day    time.Time
	Zip    *string
}

func code(s string) *string { return &s }

func day(s string) time.Time {
	t, _ := time.Parse(time.DateOnly, s)
	return t
}

var sales = []sale{
	{1, "North", 120.5, day("2026-01-05"), code("00501")},
	{2, "South", 80.25, day("2026-01-06"), nil},
	{3, "North", 0.1, day("2026-02-01"), code("90210")},
	{4, `East, "far"`, -7, day("2026-02-28"), code("007")},
	{5, "South", 0.2, day("2026-03-01"), code("12345")},
}

// salesFiles writes the same sales in every format.
func salesFiles(t testing.TB) map[string]string {
	t.Helper()
	separated := func(comma, point string) string {
		var b strings.Builder
		b.WriteString(strings.Join([]string{"id", "region", "amount", "day", "zip"}, comma) + "\n")
		for _, s := range sales {
			amount := strings.Replace(fmt.Sprint(s.Amount), ".", point, 1)
			z := ""
			if s.Zip != nil {
				z = *s.Zip
			}
			fmt.Fprintf(&b, "%d%s\"%s\"%s%s%s%s%s%s\n", s.ID, comma, strings.ReplaceAll(s.Region, `"`, `""`), comma, amount, comma, s.Day.Format(time.DateOnly), comma, z)
		}
		return b.String()
	}
	var lines strings.Builder
	for _, s := range sales {
		line, _ := json.Marshal(map[string]any{"id": s.ID, "region": s.Region, "amount": s.Amount, "day": s.Day.Format(time.DateOnly), "zip": s.Zip})
		fmt.Fprintf(&lines, "%s\n\n", line)
	}
	type packedSale struct {
		ID     int64   `parquet:"id"`
		Region string  `parquet:"region"`
		Amount float64 `parquet:"amount"`
		Day    int32   `parquet:"day,date"`
		Zip    *string `parquet:"zip,optional"`
	}
	var packs []packedSale
	for _, s := range sales {
		packs = append(packs, packedSale{s.ID, s.Region, s.Amount, int32(s.Day.Unix() / 86400), s.Zip})
	}
	var packed bytes.Buffer
	if err := parquet.Write(&packed, packs); err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"comma.csv":       separated(",", "."),
		"excel.csv":       "\uFEFF" + strings.ReplaceAll(separated(";", ","), "\n", "\r\n"),
		"sep.csv":         "sep=|\r\n" + separated("|", "."),
		"utf16.csv":       utf16(separated(",", ".")),
		"tab.tsv":         separated("\t", "."),
		"lines.jsonl":     lines.String(),
		"packed.parquet":  packed.String(),
		"book.xlsx":       workbook(t),
		"base.db":         database(t),
		"deep/down.csv":   separated(",", "."),
		"notes.txt":       "no table",
		".hidden.csv":     "a\n1\n",
		"deep/~$book.csv": "a\n1\n",
	}
}

func utf16(s string) string {
	out := []byte{0xFF, 0xFE}
	for _, r := range s {
		out = append(out, byte(r), byte(r>>8))
	}
	return string(out)
}

func workbook(t testing.TB) string {
	t.Helper()
	book := excelize.NewFile()
	defer book.Close()
	style, err := book.NewStyle(&excelize.Style{CustomNumFmt: func() *string { s := `dd\.mm\.yyyy`; return &s }()})
	if err != nil {
		t.Fatal(err)
	}
	book.SetSheetName("Sheet1", "Sales 2026")
	book.SetSheetRow("Sales 2026", "A2", &[]any{"id", "region", "amount", "day", "zip"}) // the first row is empty
	for i, s := range sales {
		row := []any{s.ID, s.Region, s.Amount, s.Day, nil}
		if s.Zip != nil {
			row[4] = *s.Zip
		}
		at, _ := excelize.CoordinatesToCellName(1, i+3)
		book.SetSheetRow("Sales 2026", at, &row)
		at, _ = excelize.CoordinatesToCellName(4, i+3)
		book.SetCellStyle("Sales 2026", at, at, style)
	}
	book.NewSheet("Empty")
	var b bytes.Buffer
	if err := book.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// database makes a SQLite database, with dates in a column that says DATE.
func database(t testing.TB, more ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db")
	e, err := openEngine(path, &guard{ctx: t.Context(), trusted: true})
	if err != nil {
		t.Fatal(err)
	}
	sql := "CREATE TABLE stored (id INTEGER PRIMARY KEY, region TEXT, amount REAL, day DATE, zip TEXT);"
	for _, s := range sales {
		z := "NULL"
		if s.Zip != nil {
			z = literal(*s.Zip)
		}
		sql += fmt.Sprintf("INSERT INTO stored VALUES (%d, %s, %v, %s, %s);", s.ID, literal(s.Region), s.Amount, literal(s.Day.Format(time.DateOnly)), z)
	}
	sql += strings.Join(more, ";")
	err = e.exec(sql)
	e.close()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

var salesTables = []string{"comma", "excel", "sep", "utf16", "tab", "lines", "packed", "book_Sales_2026", "stored", "down"}

// Every format gives the same rows with the same types, and the same sums.
func TestEveryFormatIsTheSameTable(t *testing.T) {
	t.Parallel()
	_, root := folder(t, salesFiles(t))
	one := sqlOf(t, Config{Data: root})
	const rows = `id,region,amount,day,zip,types
1,North,120.5,2026-01-05,00501,integer text real text text
2,South,80.25,2026-01-06,,integer text real text null
3,North,0.1,2026-02-01,90210,integer text real text text
4,"East, ""far""",-7.0,2026-02-28,007,integer text real text text
5,South,0.2,2026-03-01,12345,integer text real text text
`
	const sums = "region,total,march\nNorth,120.6,0\nSouth,80.45,1\n\"East, \"\"far\"\"\",-7.0,0\n"
	for _, name := range salesTables {
		got := mustAsk(t, one, "SELECT id, region, amount, day, zip, typeof(id)||' '||typeof(region)||' '||typeof(amount)||' '||typeof(day)||' '||typeof(zip) AS types FROM "+name+" ORDER BY id")
		if diff := cmp.Diff(rows, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		got = mustAsk(t, one, "SELECT region, SUM(amount) AS total, SUM(strftime('%m', day) = '03') AS march FROM "+name+" GROUP BY region ORDER BY total DESC;")
		if got != sums {
			t.Errorf("%s: sums\n%s", name, got)
		}
	}
}

func TestTablesJoinAcrossFormats(t *testing.T) {
	t.Parallel()
	_, root := folder(t, salesFiles(t))
	got := mustAsk(t, sqlOf(t, Config{Data: root}), "SELECT count(*) AS n, SUM(c.amount - s.amount) AS difference FROM comma c JOIN stored s USING (id) JOIN packed p ON p.day = s.day JOIN BOOK_sales_2026 b ON b.id = p.id")
	if want := "n,difference\n5,0.0\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What SQLite's own program says of the same file is what the tool says.
func TestAgreesWithSQLite(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("no sqlite3 here")
	}
	files := salesFiles(t)
	dir, root := folder(t, files)
	one := sqlOf(t, Config{Data: root})
	for _, sql := range []string{
		"SELECT * FROM stored ORDER BY id",
		"SELECT region, SUM(amount) AS total, AVG(amount) AS mean, COUNT(zip) AS zips FROM stored GROUP BY region ORDER BY total DESC",
		"SELECT strftime('%Y-%m', day) AS month, MIN(amount), MAX(amount) FROM stored GROUP BY 1 ORDER BY 1",
		"SELECT id, SUM(amount) OVER (ORDER BY day) AS running FROM stored",
		"SELECT 1/3.0, 1e300, 1e15, 123456789012345678, 0.1+0.2, 100.0, -0.0, 1e-7",
	} {
		want, err := exec.Command(program, "-csv", "-header", filepath.Join(dir, "base.db"), sql).Output()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), mustAsk(t, one, sql)); diff != "" {
			t.Errorf("%s (-sqlite3 +sql_tool):\n%s", sql, diff)
		}
	}
}

func TestListing(t *testing.T) {
	t.Parallel()
	_, root := folder(t, salesFiles(t))
	result, err := ask(t.Context(), sqlOf(t, Config{Data: root}), "")
	if err != nil {
		t.Fatal(err)
	}
	const columns = "id INTEGER, region TEXT, amount REAL, day TEXT, zip TEXT\n"
	want := `book_Empty (book.xlsx, sheet Empty): can't be read: book.xlsx, sheet Empty is empty: its first row has to name the columns
book_Sales_2026 (book.xlsx, sheet Sales 2026, 5 rows): ` + columns +
		"comma (comma.csv, 5 rows): " + columns +
		"down (deep/down.csv, 5 rows): " + columns +
		"excel (excel.csv, 5 rows): " + columns +
		"lines (lines.jsonl, 5 rows): amount REAL, day TEXT, id INTEGER, region TEXT, zip TEXT\n" +
		"packed (packed.parquet, 5 rows): " + columns +
		"sep (sep.csv, 5 rows): " + columns +
		"stored (base.db, 5 rows): id INTEGER, region TEXT, amount REAL, day DATE, zip TEXT\n" +
		"tab (tab.tsv, 5 rows): " + columns +
		"utf16 (utf16.csv, 5 rows): " + columns
	if diff := cmp.Diff(want, result.Text()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if tables := result.Artifact.([]Table); len(tables) != 11 || tables[2].Rows != 5 || tables[2].Columns[2] != (Column{"amount", "REAL"}) {
		t.Errorf("the artifact is %+v", tables)
	}
}

func TestDescriptionNamesTables(t *testing.T) {
	t.Parallel()
	_, root := folder(t, map[string]string{"sales.csv": "region,unit price\n", "base.db": database(t)})
	want := "Query data files with SQL (SQLite's dialect). Reads only: one SELECT a call. Tables: sales(region, unit_price), stored(id, region, amount, day, zip). Call it without sql for their types."
	if got := sqlOf(t, Config{Data: root}).Definition().Description; got != want {
		t.Errorf("got %s", got)
	}
}
