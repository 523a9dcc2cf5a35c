package dataanalysis

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"strings"
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
	made, err := Tools(f.config)
	if err != nil {
		f.t.Fatal(err)
	}
	raw, ok := arguments.(string)
	if !ok {
		b, err := json.Marshal(arguments)
		if err != nil {
			f.t.Fatal(err)
		}
		raw = string(b)
	}
	for _, m := range made {
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
	var locked bytes.Buffer
	x := excelize.NewFile()
	if err := x.Write(&locked, excelize.Options{Password: "secret"}); err != nil {
		t.Fatal(err)
	}
	f.write("locked.xlsx", locked.Bytes())
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
		{`{"operation":"write","file":"a.xlsx","rows":[[{"a":1}]]}`, []string{"/rows/0/0", "no object"}},
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

// packed is a workbook of the parts that are given and those that it needs.
func packed(t *testing.T, more map[string]string) []byte {
	t.Helper()
	all := map[string]string{
		"xl/workbook.xml":            `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml":   `<worksheet><sheetData/></worksheet>`,
	}
	for name, content := range more {
		all[name] = content
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range all {
		var claimed uint64
		if n, _ := fmt.Sscanf(content, claims, &claimed); n == 1 {
			claim(t, z, name, claimed)
			continue
		}
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// claims is the content of a part whose entry declares a size and holds a
// megabyte of spaces in truth.
const claims = "claims %d bytes"

func claim(t *testing.T, z *zip.Writer, name string, size uint64) {
	t.Helper()
	var squeezed bytes.Buffer
	w, err := flate.NewWriter(&squeezed, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	spaces := bytes.Repeat([]byte(" "), 1<<20)
	if _, err := w.Write(spaces); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(spaces), UncompressedSize64: size, CompressedSize64: uint64(squeezed.Len())})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.Write(squeezed.Bytes()); err != nil {
		t.Fatal(err)
	}
}

func sheetXML(rows string) string {
	return `<worksheet><sheetData>` + rows + `</sheetData></worksheet>`
}

// Workbooks that are made to hurt: each ends in an answer or a clear error, and
// in little memory.
func TestExcelBombs(t *testing.T) {
	f := newFolders(t)
	long := strings.Repeat("a", 1<<18)
	var wide strings.Builder
	wide.WriteString(`<row r="1">`)
	for range lastColumn {
		wide.WriteString(`<c t="s"><v>0</v></c>`)
	}
	wide.WriteString(`</row>`)
	var far strings.Builder
	for i := 1; i <= 2000; i++ {
		fmt.Fprintf(&far, `<row r="%d"><c r="XFD%d" s="1"/></row>`, i, i)
	}
	tests := []struct {
		name      string
		book      map[string]string
		arguments string
		want      string // in the answer or the error
	}{
		{"expansion", map[string]string{"xl/worksheets/sheet1.xml": fmt.Sprintf(claims, maxSheetPart+1)}, `"operation":"summarise"`, "more than the"},
		{"more than is declared", map[string]string{"xl/worksheets/sheet1.xml": fmt.Sprintf(claims, 10)}, `"operation":"read"`, "XML is broken"},
		{"huge styles", map[string]string{"xl/styles.xml": fmt.Sprintf(claims, maxStylesPart+1)}, `"operation":"read"`, "more than the"},
		{"huge list of sheets", map[string]string{"xl/workbook.xml": fmt.Sprintf(claims, maxIndexPart+1)}, `"operation":"read"`, "more than the"},
		{"a claim of all cells", map[string]string{"xl/worksheets/sheet1.xml": `<worksheet><dimension ref="A1:XFD1048576"/><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>`}, `"operation":"list"`, `"range":"XFD1048576:XFD1048576","rows":1`},
		{"a far cell read", map[string]string{"xl/worksheets/sheet1.xml": sheetXML(`<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`)}, `"operation":"read"`, `"next_offset":1048575`},
		{"very many texts", map[string]string{"xl/sharedStrings.xml": "<sst>" + strings.Repeat("<si><t>ab</t></si>", 100_000) + "</sst>", "xl/worksheets/sheet1.xml": sheetXML(`<row r="1"><c r="A1" t="s"><v>99999</v></c></row>`)}, `"operation":"read"`, `["ab"]`},
		{"a long text in every cell", map[string]string{"xl/sharedStrings.xml": "<sst><si><t>" + long + "</t></si></sst>", "xl/worksheets/sheet1.xml": sheetXML(wide.String())}, `"operation":"read"`, "aaa…"},
		{"a row number that is none", map[string]string{"xl/worksheets/sheet1.xml": sheetXML(`<row r="1048577"><c><v>1</v></c></row>`)}, `"operation":"read"`, "row 1048577"},
		{"rows out of order", map[string]string{"xl/worksheets/sheet1.xml": sheetXML(`<row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row>`)}, `"operation":"read"`, "comes after"},
		{"a cell of another row", map[string]string{"xl/worksheets/sheet1.xml": sheetXML(`<row r="2"><c r="A9"><v>1</v></c></row>`)}, `"operation":"read"`, "out of order"},
		{"entities that explode", map[string]string{"xl/worksheets/sheet1.xml": `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>` + sheetXML(`<row r="1"><c t="str"><v>&b;</v></c></row>`)}, `"operation":"read"`, "XML is broken"},
		{"an unfinished row", map[string]string{"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row r="1"><c><v>1</v></c>`}, `"operation":"read"`, "middle of a row"},
		{"a text that is not there", map[string]string{"xl/worksheets/sheet1.xml": sheetXML(`<row r="1"><c r="A1" t="s"><v>7</v></c><c r="B1"><v>2</v></c></row>`)}, `"operation":"read"`, `[null,2]`},
		{"a number that is none", map[string]string{"xl/worksheets/sheet1.xml": sheetXML(`<row r="1"><c r="A1"><v>NaN</v></c><c r="B1"><v>1e999</v></c></row>`)}, `"operation":"read"`, `["NaN","1e999"]`},
		{"changed: far cells in each row", map[string]string{"xl/worksheets/sheet1.xml": sheetXML(far.String())}, `"operation":"write","mode":"append","rows":[[1]]`, "too large to be changed"},
		{"changed: rows without numbers", map[string]string{"xl/worksheets/sheet1.xml": sheetXML(strings.Repeat("<row/>", 10_000))}, `"operation":"write","mode":"append","rows":[[1]]`, "have no numbers"},
		{"changed: a huge part", map[string]string{"xl/media/a.png": fmt.Sprintf(claims, maxChangePart+1)}, `"operation":"write","mode":"append","rows":[[1]]`, "too large to be changed"},
		{"no such part", map[string]string{"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="x/worksheet" Target="../../../etc/passwd"/></Relationships>`}, `"operation":"read"`, "lacks the part"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f.t = t
			f.write("bomb.xlsx", packed(t, test.book))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			result, err := f.call("excel_tool", `{"file":"bomb.xlsx",`+test.arguments+`}`)
			runtime.ReadMemStats(&after)
			got := result.Text()
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, test.want) {
				t.Errorf("got %.300s, want something with %q", got, test.want)
			}
			if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 400<<20 {
				t.Errorf("it took %d MB", grown>>20)
			}
		})
	}
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

func TestFormatsThatShowDates(t *testing.T) {
	t.Parallel()
	for format, want := range map[numberFormat]bool{
		{id: 0}: false, {id: 2}: false, {id: 14}: true, {id: 22}: true, {id: 45}: true, {id: 49}: false,
		{id: 164, code: "yyyy-mm-dd"}: true, {id: 164, code: `0.00" days"`}: false, {id: 164, code: "[Red]0.0"}: false,
		{id: 164, code: "[h]:mm"}: true, {id: 164, code: `#,##0\d`}: false, {id: 164, code: "0;-0;yyyy"}: false, {id: 164, code: "General"}: false,
	} {
		if got := format.isDate(); got != want {
			t.Errorf("%+v: %t", format, got)
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
		if b, err := openBook(content); err == nil {
			walk(t, b)
		}
		b, err := openBook(packed(t, map[string]string{"xl/worksheets/sheet1.xml": sheetXML(rows)}))
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
