package dataanalysis

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"hash/crc32"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

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
		var megabytes int
		if n, _ := fmt.Sscanf(content, claims, &claimed, &megabytes); n == 2 {
			claim(t, z, name, claimed, megabytes)
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

// claims is the content of a part whose entry declares a size and unpacks to
// another: a text of so many megabytes.
const claims = "claims %d bytes, unpacks to %d MiB"

func claim(t *testing.T, z *zip.Writer, name string, size uint64, megabytes int) {
	t.Helper()
	var squeezed, once bytes.Buffer
	w, err := flate.NewWriter(&once, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	const before = sheetStart + `<row r="1"><c t="str"><v>`
	sum := crc32.NewIEEE()
	block := func(content []byte) []byte { // each is whole, so that one can be put behind another many times
		once.Reset()
		w.Reset(&once)
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		return once.Bytes()
	}
	squeezed.Write(block([]byte(before)))
	sum.Write([]byte(before))
	megabyte := bytes.Repeat([]byte("a"), 1<<20)
	packed := block(megabyte)
	for range megabytes {
		squeezed.Write(packed)
		sum.Write(megabyte)
	}
	squeezed.Write([]byte{1, 0, 0, 0xFF, 0xFF}) // the last block, empty
	if size == truth {
		size = uint64(len(before) + megabytes<<20)
	}
	raw, err := z.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, CRC32: sum.Sum32(), UncompressedSize64: size, CompressedSize64: uint64(squeezed.Len())})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.Write(squeezed.Bytes()); err != nil {
		t.Fatal(err)
	}
}

const truth = 0 // instead of a claim

const sheetStart = `<worksheet><sheetData>`

func sheetXML(rows string) string {
	return sheetStart + rows + `</sheetData></worksheet>`
}

// heapSize is how much memory Go has of the system, without what it could give
// back.
func heapSize() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapSys - m.HeapReleased)
}

// Workbooks that are made to hurt: to both tools that read workbooks each is an
// answer or a clear error, and little memory.
func TestBombs(t *testing.T) {
	if underRace {
		t.Skip("it is about memory, and nothing here runs at once")
	}
	const sheet, texts, styles = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml"
	const read, list, change = `"operation":"read"`, `"operation":"list"`, `"operation":"write","mode":"append","rows":[[1]]`
	type parts map[string]string
	rows := func(rows string) parts { return parts{sheet: sheetXML(rows)} }
	long := "<sst><si><t>" + strings.Repeat("a", 1<<18) + "</t></si></sst>"
	wide := func(n int) string {
		return "<row>" + strings.Repeat(`<c t="str"><v>n</v></c>`, n) + "</row><row>" + strings.Repeat(`<c t="s"><v>0</v></c>`, n) + "</row>"
	}
	var far strings.Builder
	for i := 1; i <= 2000; i++ {
		fmt.Fprintf(&far, `<row r="%d"><c r="XFD%d" s="1"/></row>`, i, i)
	}
	const corner = `<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`
	numbers := strings.Repeat("<row><c><v>7</v></c></row>", 3)
	for _, test := range []struct {
		name      string
		book      parts
		arguments string
		excel     string // in the answer or the error of excel_tool
		sql       string // in the list of tables of sql_tool; "": it is not asked
	}{
		{"a part of 1 GiB", parts{sheet: fmt.Sprintf(claims, truth, 1024)}, read, "more than the", "more than the"},
		{"a text of 100 MiB", parts{sheet: fmt.Sprintf(claims, truth, 100)}, read, "row 1 has more than 4 MiB", "row 1 has more than 4 MiB"},
		{"more than is declared", parts{sheet: fmt.Sprintf(claims, 1000, 100)}, read, "XML is broken", "XML is broken"},
		{"a shared text of 60 MiB", parts{texts: fmt.Sprintf(claims, truth, 60)}, read, "a text of more than 4.0 MiB", "a text of more than 4.0 MiB"},
		{"shared texts of 1 GiB", parts{texts: fmt.Sprintf(claims, truth, 1024)}, read, "more than the", "more than the"},
		{"huge styles", parts{styles: fmt.Sprintf(claims, truth, 9)}, read, "more than the", "more than the"},
		{"a huge list of sheets", parts{"xl/workbook.xml": fmt.Sprintf(claims, truth, 2)}, read, "more than the", "more than the"},
		{"a claim of all cells", parts{sheet: `<worksheet><dimension ref="A1:XFD1048576"/><sheetData>` + corner + `</sheetData></worksheet>`}, list, `"range":"XFD1048576:XFD1048576","rows":1`, "more than 1000 columns"},
		{"a far cell", rows(numbers + corner), read, `"next_offset":1048575`, "row 1048576: a value in column 16384"},
		{"very many texts", parts{texts: "<sst>" + strings.Repeat("<si/>", 100_000) + "<si><t>ab</t></si></sst>", sheet: sheetXML(`<row r="1"><c r="A1" t="s"><v>100000</v></c></row>`)}, read, `["ab"]`, "0 rows): ab TEXT"},
		{"a long text in every cell", parts{texts: long, sheet: sheetXML(wide(lastColumn))}, read + `,"range":"A2:B2"`, "aaa…", "more than 1000 columns"},
		{"a long text in very many cells", parts{texts: long, sheet: sheetXML(wide(maxColumns))}, read + `,"range":"A2:B2"`, "aaa…", "a row of 250.0 MiB"},
		{"more columns than there are", rows("<row>" + strings.Repeat("<c/>", lastColumn+1) + "</row>"), read, "more than 16384 columns", "more than 16384 columns"},
		{"a long format in many styles", parts{styles: `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="` + strings.Repeat("0", 1<<16) + `y"/></numFmts><cellXfs>` + strings.Repeat(`<xf numFmtId="164"/>`, 1000) + `</cellXfs></styleSheet>`, sheet: sheetXML(strings.Repeat(`<row><c s="999"><v>7</v></c></row>`, 3))}, read, "[7],[7]", "2 rows): _7 INTEGER"},
		{"a row number that is none", rows(`<row r="1048577"><c><v>1</v></c></row>`), read, "row 1048577", "row 1048577"},
		{"rows out of order", rows(`<row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row>`), read, "comes after", "comes after"},
		{"a cell of another row", rows(`<row r="2"><c r="A9"><v>1</v></c></row>`), read, "out of order", "out of order"},
		{"entities that explode", parts{sheet: `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>` + sheetXML(`<row r="1"><c t="str"><v>&b;</v></c></row>`)}, read, "XML is broken", "XML is broken"},
		{"an unfinished row", parts{sheet: sheetStart + `<row r="1"><c><v>1</v></c>`}, read, "middle of a row", "middle of a row"},
		{"a text that is not there", rows(`<row r="1"><c r="A1" t="s"><v>7</v></c><c r="B1"><v>2</v></c></row>`), read, `[null,2]`, "column_1 TEXT, _2 TEXT"},
		{"a number that is none", rows(`<row r="1"><c r="A1"><v>NaN</v></c><c r="B1"><v>1e999</v></c></row>`), read, `["NaN","1e999"]`, "NaN TEXT, _1e999 TEXT"},
		{"no such part", parts{"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="x/worksheet" Target="../../../etc/passwd"/></Relationships>`}, read, "lacks the part", "lacks the part"},
		{"changed: far cells in each row", rows(far.String()), change, "too large to be changed", ""},
		{"changed: rows without numbers", rows(strings.Repeat("<row/>", 10_000)), change, "have no numbers", ""},
		{"changed: a huge part", parts{"xl/media/a.png": fmt.Sprintf(claims, truth, 33)}, change, "too large to be changed", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFolders(t)
			f.write("bomb.xlsx", packed(t, test.book))
			f.hurts("excel_tool", `{"file":"bomb.xlsx",`+test.arguments+`}`, test.excel)
			if test.sql != "" {
				f.hurts("sql_tool", `{}`, test.sql)
			}
		})
	}
}

// hurts makes a call and wants its answer or its error to hold some words.
func (f *folders) hurts(name, arguments, want string) {
	f.t.Helper()
	debug.FreeOSMemory()
	before := heapSize()
	result, err := f.call(name, arguments)
	if grown := heapSize() - before; grown > 100<<20 {
		f.t.Errorf("%s took %d MB", name, grown>>20)
	}
	got := result.Text()
	if err != nil {
		got = err.Error()
	}
	if !strings.Contains(got, want) {
		f.t.Errorf("%s: got %.300s, want something with %q", name, got, want)
	}
}

// Files that are no workbooks are left out of the tables, and the listing says why.
func TestNoWorkbooks(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	f.write("locked.xlsx", locked())
	f.write("text.xlsx", []byte("region,total\nNorth,3\n"))
	f.write("old.xlsx", []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and so on"))
	f.write("empty.xlsx", nil)
	f.write("cut.xlsx", shop(t)[:2000])
	f.write("parts.xlsx", manyParts(t, 50_000))
	f.write("shop.xlsx", shop(t))
	listing := f.must("sql_tool", `{}`)
	for _, want := range []string{
		"[locked.xlsx is left out: it is encrypted with a password",
		"[text.xlsx is left out: it is not a workbook: it is text, perhaps CSV",
		"[old.xlsx is left out: it is in the old .xls format",
		"[empty.xlsx is left out: it is empty]",
		"[cut.xlsx is left out: it is a damaged workbook",
		"[parts.xlsx is left out: it has more parts",
		"shop_Sales (shop.xlsx, sheet Sales, 6 rows): day TEXT, region TEXT, units INTEGER, share REAL, paid INTEGER, total ",
	} {
		if !strings.Contains(listing, want) {
			t.Errorf("the listing lacks %s:\n%s", want, listing)
		}
	}
	f.fails("excel_tool", `{"operation":"read","file":"parts.xlsx"}`, "more parts")
}

// manyParts is an archive of very many empty files.
func manyParts(t *testing.T, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for range n {
		if _, err := z.CreateRaw(&zip.FileHeader{Name: "a"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
