package dataanalysis

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"helve/tool"
)

// folders are a data and an output folder, and their tools by name.
type folders struct {
	t            *testing.T
	data, output string
	config       Config

	made  Config // for which there are
	tools []tool.Tool
}

func newFolders(t *testing.T) *folders {
	t.Helper()
	f := &folders{t: t, data: t.TempDir(), output: t.TempDir()}
	for dir, root := range map[string]**os.Root{f.data: &f.config.Data, f.output: &f.config.Output} {
		r, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		*root = r
	}
	return f
}

func (f *folders) call(name string, arguments any) (tool.Result, error) {
	f.t.Helper()
	if f.tools == nil || f.made != f.config {
		var err error
		if f.tools, err = Tools(f.config); err != nil {
			f.t.Fatal(err)
		}
		f.made = f.config
	}
	raw, ok := arguments.(string)
	if !ok {
		b, err := json.Marshal(arguments)
		if err != nil {
			f.t.Fatal(err)
		}
		raw = string(b)
	}
	for _, m := range f.tools {
		if m.Definition().Name == name {
			return tool.Invoke(f.t.Context(), m, tool.Call{Name: name, Arguments: []byte(raw)})
		}
	}
	f.t.Fatalf("no tool %s", name)
	return tool.Result{}, nil
}

func (f *folders) must(name string, arguments any) string {
	f.t.Helper()
	result, err := f.call(name, arguments)
	if err != nil {
		f.t.Fatalf("%s %v: %v (%v)", name, arguments, err, errors.Unwrap(err))
	}
	return result.Text()
}

func (f *folders) fails(name string, arguments any, words ...string) {
	f.t.Helper()
	result, err := f.call(name, arguments)
	if err == nil {
		f.t.Fatalf("%s %v: no error but %s", name, arguments, result.Text())
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			f.t.Errorf("%s %v: error %q lacks %q", name, arguments, err, w)
		}
	}
	for _, dir := range []string{f.data, f.output} {
		if strings.Contains(err.Error(), dir) {
			f.t.Errorf("%s %v: error %q tells the place of the folder", name, arguments, err)
		}
	}
}

func (f *folders) write(name string, content []byte) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.data, name), content, 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// locked is a workbook with a password: made once, it takes many rounds of a hash.
var locked = sync.OnceValue(func() []byte {
	x := excelize.NewFile()
	defer x.Close()
	var b bytes.Buffer
	if err := x.Write(&b, excelize.Options{Password: "secret"}); err != nil {
		panic(err)
	}
	return b.Bytes()
})

// shop is a workbook as a person makes one.
func shop(t *testing.T) []byte {
	t.Helper()
	x := excelize.NewFile()
	defer x.Close()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(x.SetSheetName("Sheet1", "Sales"))
	check(x.SetSheetRow("Sales", "A1", &[]any{"day", "region", "units", "share", "paid", "total"}))
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for i := range 6 {
		row := []any{day.AddDate(0, 0, i), []string{"North", "South", "East"}[i%3], 10 * (i + 1), 0.125 * float64(i), i%2 == 0}
		check(x.SetSheetRow("Sales", fmt.Sprintf("A%d", i+2), &row))
	}
	percent, err := x.NewStyle(&excelize.Style{NumFmt: 10})
	check(err)
	check(x.SetCellStyle("Sales", "D2", "D7", percent))
	check(x.SetCellFormula("Sales", "F2", "C2*2"))
	_, err = x.NewSheet("Notes")
	check(err)
	check(x.SetCellStr("Notes", "B3", "=not a formula"))
	check(x.SetSheetVisible("Notes", false))
	var b bytes.Buffer
	check(x.Write(&b))
	return b.Bytes()
}

func TestExcelReads(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	f.write("shop.xlsx", shop(t))
	f.write("~$shop.xlsx", []byte("a lock file"))
	tests := []struct{ arguments, want string }{
		{`{"operation":"list"}`, `{"workbooks":[{"file":"shop.xlsx","folder":"data","bytes":BYTES,"sheets":["Sales","Notes"]}]}`},
		{`{"operation":"list","file":"shop.xlsx"}`, `{"file":"shop.xlsx","folder":"data","sheets":[{"name":"Sales","range":"A1:F7","rows":7,"first_row":["day","region","units","share","paid","total"]},{"name":"Notes","hidden":true,"range":"B3:B3","rows":1,"first_row":["=not a formula"]}]}`},
		{`{"operation":"read","file":"shop.xlsx","range":"A1:E3"}`, `{"file":"shop.xlsx","folder":"data","sheet":"Sales","range":"A1:E3","rows":[["day","region","units","share","paid"],["2026-03-01","North",10,0,true],["2026-03-02","South",20,0.125,false]]}`},
		{`{"operation":"read","file":"shop.xlsx","range":"D3:E4","shown":true}`, `{"file":"shop.xlsx","folder":"data","sheet":"Sales","range":"D3:E4","rows":[["12.50%","FALSE"],["25.00%","TRUE"]]}`},
		{`{"operation":"read","file":"shop.xlsx","range":"F2"}`, `{"file":"shop.xlsx","folder":"data","sheet":"Sales","range":"F2:F2","rows":[[null]],"formulas":{"F2":"=C2*2"}}`},
		{`{"operation":"read","file":"shop.xlsx","offset":5,"limit":1}`, `{"file":"shop.xlsx","folder":"data","sheet":"Sales","range":"A6:E6","rows":[["2026-03-05","South",50,0.5,true]],"next_offset":6,"note":"there are more rows: read on with offset 6"}`},
		{`{"operation":"read","file":"shop.xlsx","sheet":"notes"}`, `{"file":"shop.xlsx","folder":"data","sheet":"Notes","range":"A1:B3","rows":[[],[],[null,"=not a formula"]]}`},
		{`{"operation":"read","file":"shop.xlsx","sheet":"Notes","limit":1}`, `{"file":"shop.xlsx","folder":"data","sheet":"Notes","rows":[],"next_offset":2,"note":"these rows are blank; the next with something in it: offset 2"}`},
		{`{"operation":"read","file":"shop.xlsx","offset":100}`, `{"file":"shop.xlsx","folder":"data","sheet":"Sales","rows":[],"note":"there is nothing at this offset and behind"}`},
		{`{"operation":"summarise","file":"shop.xlsx","range":"A:D"}`, `{"file":"shop.xlsx","folder":"data","sheet":"Sales","range":"A1:D7","header":true,"rows":6,"columns":[` +
			`{"column":"A","name":"day","types":{"date":6},"count":6,"blanks":0,"distinct":"6","min":"2026-03-01","max":"2026-03-06","samples":["2026-03-01","2026-03-02","2026-03-03"]},` +
			`{"column":"B","name":"region","types":{"text":6},"count":6,"blanks":0,"distinct":"3","min":"East","max":"South","samples":["North","South","East"]},` +
			`{"column":"C","name":"units","types":{"number":6},"count":6,"blanks":0,"distinct":"6","min":10,"max":60,"mean":35,"sum":210,"samples":[10,20,30]},` +
			`{"column":"D","name":"share","types":{"number":6},"count":6,"blanks":0,"distinct":"6","min":0,"max":0.625,"mean":0.3125,"sum":1.875,"samples":[0,0.125,0.25]}]}`},
	}
	size := fmt.Sprint(len(shop(t)))
	for _, test := range tests {
		if diff := cmp.Diff(strings.ReplaceAll(test.want, "BYTES", size), f.must("excel_tool", test.arguments)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.arguments, diff)
		}
	}
}

// What is written is read back as it was given, and excelize reads the same.
func TestExcelWrites(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	f.must("excel_tool", `{"operation":"write","file":"reports/q1.xlsx","sheet":"Q1","columns":["region","total","due","open","id"],
		"rows":[["North",1200.5,"2026-05-01",true,12345678901234567890],["=cmd|' /C calc'!A0",-3,"2026-05-01 12:30:00",null,7]]}`)
	got := f.must("excel_tool", `{"operation":"read","file":"reports/q1.xlsx"}`)
	want := `{"file":"reports/q1.xlsx","folder":"output","sheet":"Q1","range":"A1:E3","rows":[["region","total","due","open","id"],["North",1200.5,"2026-05-01",true,"12345678901234567890"],["=cmd|' /C calc'!A0",-3,"2026-05-01 12:30:00",null,7]]}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	x, err := excelize.OpenFile(filepath.Join(f.output, "reports/q1.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if formula, err := x.GetCellFormula("Q1", "A3"); formula != "" || err != nil {
		t.Errorf("a text became the formula %q, %v", formula, err)
	}
	panes, err := x.GetPanes("Q1")
	if err != nil || !panes.Freeze || panes.YSplit != 1 {
		t.Errorf("the header is not kept in sight: %+v, %v", panes, err)
	}
	style, err := x.GetCellStyle("Q1", "A1")
	if err != nil || style == 0 {
		t.Errorf("the header has no style: %v", err)
	}

	f.fails("excel_tool", `{"operation":"write","file":"reports/q1.xlsx","rows":[[1]]}`, "is there already", "overwrite")
	f.must("excel_tool", `{"operation":"write","file":"reports/q1.xlsx","mode":"append","columns":["region"],"rows":[["East",5]]}`)
	f.must("excel_tool", `{"operation":"write","file":"reports/q1.xlsx","mode":"range","range":"B2","rows":[[99],["=B2*2"]],"formulas":true}`)
	f.must("excel_tool", `{"operation":"write","file":"reports/q1.xlsx","mode":"append","sheet":"More","columns":["a"],"rows":[[1]]}`)
	got = f.must("excel_tool", `{"operation":"read","file":"reports/q1.xlsx","range":"A:B"}`)
	want = `{"file":"reports/q1.xlsx","folder":"output","sheet":"Q1","range":"A1:B4","rows":[["region","total"],["North",99],["=cmd|' /C calc'!A0",null],["East",5]],"formulas":{"B3":"=B2*2"}}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	f.must("excel_tool", `{"operation":"write","file":"reports/q1.xlsx","mode":"replace","sheet":"Q1","columns":["x"],"rows":[[2]]}`)
	got = f.must("excel_tool", `{"operation":"list","file":"reports/q1.xlsx"}`)
	want = `{"file":"reports/q1.xlsx","folder":"output","sheets":[{"name":"Q1","range":"A1:A2","rows":2,"first_row":["x"]},{"name":"More","range":"A1:A2","rows":2,"first_row":["a"]}]}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	f.must("excel_tool", `{"operation":"write","file":"reports/q1.xlsx","overwrite":true,"rows":[["new"]]}`)
	if got := f.must("excel_tool", `{"operation":"list"}`); strings.Contains(got, ".helve-") || !strings.Contains(got, `"sheets":["Sheet1"]`) {
		t.Errorf("after an overwrite: %s", got)
	}
	left, _ := filepath.Glob(filepath.Join(f.output, "reports", ".*"))
	if len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

func TestExcelNeverChangesTheData(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	before := shop(t)
	f.write("shop.xlsx", before)
	result, err := f.call("excel_tool", `{"operation":"write","file":"shop.xlsx","mode":"append","rows":[["2026-03-07","West",70]]}`)
	if err != nil {
		t.Fatal(err)
	}
	saved, ok := result.Artifact.(Saved)
	if !ok || saved.Path != "shop.xlsx" || saved.Size == 0 || saved.Data != nil {
		t.Errorf("artifact %+v", result.Artifact)
	}
	if !strings.Contains(result.Text(), "as it was") {
		t.Errorf("the model is not told of the copy: %s", result.Text())
	}
	after, err := os.ReadFile(filepath.Join(f.data, "shop.xlsx"))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the data changed: %v", err)
	}
	f.must("excel_tool", `{"operation":"write","file":"shop.xlsx","mode":"append","sheet":"More","rows":[[1]]}`)
	if got := f.must("excel_tool", `{"operation":"list"}`); !strings.Contains(got, `"sheets":["Sales","Notes"]`) || !strings.Contains(got, `"sheets":["Sales","Notes","More"]`) {
		t.Errorf("the workbook and its copy are not told apart: %s", got)
	}
	if got := f.must("excel_tool", `{"operation":"read","file":"shop.xlsx","range":"A8:D8"}`); !strings.Contains(got, `"folder":"output"`) || !strings.Contains(got, `["2026-03-07","West",70]`) {
		t.Errorf("the copy is not read: %s", got)
	}
	if got := f.must("excel_tool", `{"operation":"read","file":"shop.xlsx","range":"D3","shown":true}`); !strings.Contains(got, `12.50%`) {
		t.Errorf("the copy lost a format: %s", got)
	}
}

func TestExcelSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	f.write("shop.xlsx", shop(t))
	f.write("text.xlsx", []byte("region,total\nNorth,3\n"))
	f.write("old.xlsx", []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and so on"))
	f.write("empty.xlsx", nil)
	f.write("cut.xlsx", shop(t)[:2000])
	f.write("old.xls", []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"))
	if err := os.Symlink("/etc/passwd", filepath.Join(f.data, "out.xlsx")); err != nil {
		t.Fatal(err)
	}
	f.write("locked.xlsx", locked())
	tests := []struct {
		arguments string
		words     []string
	}{
		{`{"operation":"read"}`, []string{"needs file"}},
		{`{"operation":"read","file":"none.xlsx"}`, []string{`"none.xlsx"`, "does not exist", "list"}},
		{`{"operation":"read","file":"../x.xlsx"}`, []string{"permission_denied", "leaves the folder"}},
		{`{"operation":"read","file":"out.xlsx"}`, []string{"permission_denied"}},
		{`{"operation":"read","file":"text.xlsx"}`, []string{"it is text", "sql_tool"}},
		{`{"operation":"read","file":"old.xlsx"}`, []string{"old .xls"}},
		{`{"operation":"read","file":"old.xls"}`, []string{"save it as .xlsx"}},
		{`{"operation":"read","file":"locked.xlsx"}`, []string{"password"}},
		{`{"operation":"read","file":"empty.xlsx"}`, []string{"is empty"}},
		{`{"operation":"read","file":"cut.xlsx"}`, []string{"damaged"}},
		{`{"operation":"read","file":"shop.xlsx","sheet":"Sale"}`, []string{`no sheet "Sale"`, `"Sales", "Notes"`}},
		{`{"operation":"read","file":"shop.xlsx","range":"A0:B2"}`, []string{"A1:D20"}},
		{`{"operation":"read","file":"shop.xlsx","range":"A1:XFE3"}`, []string{"XFD1048576"}},
		{`{"operation":"write","file":"a.csv","rows":[[1]]}`, []string{".xlsx"}},
		{`{"operation":"write","file":"a.xlsx"}`, []string{"nothing to write"}},
		{`{"operation":"write","file":"../a.xlsx","rows":[[1]]}`, []string{"permission_denied"}},
		{`{"operation":"write","file":"a.xlsx","rows":[[{"a":1}]]}`, []string{"/rows/0/0", "got an object"}},
		{`{"operation":"write","file":"a.xlsx","mode":"range","rows":[[1]]}`, []string{"top left"}},
		{`{"operation":"write","file":"a.xlsx","mode":"range","range":"A1048576","rows":[[1]]}`, []string{"beyond"}},
		{`{"operation":"write","file":"a.xlsx","mode":"range","range":"B2","rows":[[1]]}`, []string{"does not exist"}},
		{`{"operation":"write","file":"a.xlsx","sheet":"a/b","rows":[[1]]}`, []string{`"a/b"`}},
		{`{"operation":"write","file":"a.xlsx","rows":[["` + strings.Repeat("x", 40_000) + `"]]}`, []string{"32767"}},
	}
	for _, test := range tests {
		f.fails("excel_tool", test.arguments, test.words...)
	}
	if got := f.must("excel_tool", `{"operation":"list"}`); !strings.Contains(got, `"sheets":["Sales","Notes"]`) || !strings.Contains(got, `"error":"is encrypted`) {
		t.Errorf("one bad workbook spoils the list: %s", got)
	}
	f.config.Output = nil
	f.fails("excel_tool", `{"operation":"write","file":"a.xlsx","rows":[[1]]}`, "permission_denied", "no output folder")
}

func TestExcelStopsWithItsContext(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	f.write("long.xlsx", packed(t, map[string]string{"xl/worksheets/sheet1.xml": sheetXML(strings.Repeat("<row><c><v>1</v></c></row>", 20_000))}))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := &excel{data: newData(mustDefaults(t, f.config))}
	if _, err := e.call(ctx, excelInput{Operation: "summarise", File: "long.xlsx"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func mustDefaults(t *testing.T, c Config) Config {
	t.Helper()
	c, err := c.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Both tools read the same of every kind of cell.
func TestBothToolsReadTheSameCells(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	row := func(cells string) string { return "<row>" + cells + "</row>" }
	number := func(style int, raw string) string { return fmt.Sprintf(`<c s="%d"><v>%s</v></c>`, style, raw) }
	f.write("b.xlsx", packed(t, map[string]string{
		"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd\ hh:mm"/><numFmt numFmtId="165" formatCode="[h]:mm"/></numFmts>
			<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
		"xl/sharedStrings.xml": `<sst><si><t>007</t></si><si><r><t>rich </t></r><r><t>text</t></r><rPh><t>no</t></rPh></si></sst>`,
		"xl/worksheets/sheet1.xml": sheetXML(
			row(strings.Repeat(`<c t="str"><v>c</v></c>`, 12)) +
				row(`<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="str"><f>A1</f><v>12</v></c><c t="b"><v>1</v></c><c t="e"><v>#DIV/0!</v></c>`+
					number(0, "0.28999999999999998")+number(0, "12345678901234567890")+number(0, "1.5E+3")+number(1, "46000")+number(2, "46000")+number(2, "46000.5")+number(3, "0.25"))),
	}))
	got := f.must("excel_tool", `{"operation":"read","file":"b.xlsx","range":"2:2"}`)
	if want := `"rows":[["007","rich text","12",true,"#DIV/0!",0.29,"12345678901234567890",1500,"2025-12-09","2025-12-09 00:00:00","2025-12-09 12:00:00","06:00:00"]]`; !strings.Contains(got, want) {
		t.Errorf("excel_tool reads %s", got)
	}
	got = f.must("sql_tool", `{"sql":"SELECT * FROM b_S"}`)
	if want := "\n007,rich text,12,1,#DIV/0!,0.29,12345678901234567890,1500,2025-12-09,2025-12-09 00:00:00,2025-12-09 12:00:00,06:00:00\n"; !strings.Contains(got, want) {
		t.Errorf("sql_tool reads %s", got)
	}
	got = f.must("sql_tool", `{}`)
	if want := "c TEXT, c_2 TEXT, c_3 TEXT, c_4 INTEGER, c_5 TEXT, c_6 REAL, c_7 TEXT, c_8 INTEGER, c_9 TEXT"; !strings.Contains(got, want) {
		t.Errorf("sql_tool reads %s", got)
	}
}

func TestFormatsThatShowDates(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		id   int
		code string
		want dateForm
	}{
		{0, "", notDate}, {2, "", notDate}, {14, "", dateOnly}, {22, "", dateAndTime}, {45, "", timeOnly}, {49, "", notDate},
		{164, "yyyy-mm-dd", dateOnly}, {164, "[$-409]D-MMM-YY;@", dateOnly}, {164, "mmm", dateOnly}, {164, "yyyy-mm-dd hh:mm", dateAndTime},
		{164, "[h]:mm", timeOnly}, {164, "[mm]:ss", timeOnly}, {164, "mm:ss.0", timeOnly}, {164, "h:mm AM/PM", timeOnly},
		{164, `0.00" days"`, notDate}, {164, "[Red]0.0", notDate}, {164, `#,##0\d`, notDate}, {164, "0;-0;yyyy", notDate}, {164, "General", notDate}, {164, "0.0,,M", notDate},
		{164, "", notDate},
	} {
		if got := formOf(test.id, test.code); got != test.want {
			t.Errorf("%d %s: %d, want %d", test.id, test.code, got, test.want)
		}
	}
}

func FuzzParseRange(f *testing.F) {
	for _, seed := range []string{"", "A1", "a1:d20", "$A$1:$B$2", "A:C", "3:10", "XFD1048576", "A1:", ":", "D9:A1", "AAAA1", "A01"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := parseRange(text)
		if err != nil {
			if a != (area{}) {
				t.Errorf("%q: an error and %v", text, a)
			}
			return
		}
		if a.row0 < 1 || a.column0 < 1 || a.row0 > a.row1 || a.column0 > a.column1 || a.row1 > lastRow || a.column1 > lastColumn {
			t.Fatalf("%q: %+v", text, a)
		}
		again, err := parseRange(a.String())
		if err != nil || again != a {
			t.Errorf("%q: %v, read again %v, %v", text, a, again, err)
		}
		column, row, err := excelize.CellNameToCoordinates(cellName(a.column0, a.row0))
		if err != nil || column != a.column0 || row != a.row0 {
			t.Errorf("%q: excelize reads %s as %d, %d, %v", text, cellName(a.column0, a.row0), column, row, err)
		}
	})
}

// No bytes make a reader of workbooks panic or leave the bounds.
func FuzzOpenBook(f *testing.F) {
	t := &testing.T{}
	f.Add(shop(t), `<row r="1"><c r="A1" t="s" s="3"><v>0</v></c></row>`)
	f.Add([]byte("PK\x03\x04"), `<row><c><is><t>a</t></is></c></row>`)
	f.Add([]byte{}, `<row r="1"><c r="B1" t="b"><v>1</v><f>A1</f></c></row></sheetData>`)
	f.Fuzz(func(t *testing.T, content []byte, rows string) {
		if b, err := openBook(bytes.NewReader(content), int64(len(content))); err == nil {
			walk(t, b)
		}
		made := packed(t, map[string]string{"xl/worksheets/sheet1.xml": sheetXML(rows)})
		b, err := openBook(bytes.NewReader(made), int64(len(made)))
		if err != nil {
			t.Fatal(err)
		}
		walk(t, b)
	})
}

func walk(t *testing.T, b *book) {
	for _, s := range b.sheets {
		last := 0
		_ = b.eachRow(t.Context(), s, func(row int, cells []bookCell) error {
			if row <= last || row > lastRow {
				t.Fatalf("row %d after %d", row, last)
			}
			last = row
			column := 0
			for _, c := range cells {
				if c.column <= column || c.column > lastColumn {
					t.Fatalf("column %d after %d", c.column, column)
				}
				column = c.column
				if _, err := json.Marshal(b.value(c)); err != nil {
					t.Fatal(err)
				}
			}
			return nil
		})
	}
}
