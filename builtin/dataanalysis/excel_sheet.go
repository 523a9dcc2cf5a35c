package dataanalysis

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// sheetWriter puts rows into one sheet.
type sheetWriter struct {
	in      excelInput
	file    *excelize.File
	sheet   string
	at      area // where the first cell goes
	empty   bool // the sheet had nothing
	written area
	dates   [2]int // the styles of dates, and of dates with times
	widths  map[int]int
}

// newSheetWriter checks all that can be without a workbook.
func newSheetWriter(in excelInput) (*sheetWriter, error) {
	if ext := strings.ToLower(path.Ext(in.File)); ext != ".xlsx" {
		return nil, invalid("file %.200q: only .xlsx workbooks are written, so the name must end with .xlsx", in.File)
	}
	if len(in.Rows) == 0 && len(in.Columns) == 0 {
		return nil, invalid("there is nothing to write: give rows, and columns for a header")
	}
	w := &sheetWriter{in: in, at: area{1, 1, 1, 1}, empty: true, written: nothing, widths: map[int]int{}}
	if in.Mode == "range" {
		at, err := parseRange(in.Range)
		if err != nil {
			return nil, err
		}
		if in.Range == "" {
			return nil, invalid("the mode range needs range: the cell at the top left, such as B2")
		}
		w.at = at
	}
	width := len(in.Columns)
	for _, row := range in.Rows {
		width = max(width, len(row))
	}
	height := len(in.Rows) + 1
	switch {
	case width*height > maxWriteCells:
		return nil, invalid("%d rows of up to %d cells are too many for one call: at most %d cells; write the rest with the mode append", len(in.Rows), width, maxWriteCells)
	case w.at.row0+height > maxChangeRows || w.at.column0+width > lastColumn:
		return nil, invalid("the rows would reach beyond row %d or column XFD", maxChangeRows)
	}
	return w, nil
}

// measure makes sure that the sheet which will be changed is small enough for
// excelize, which holds a cell for each place up to the last used one, and finds
// where its rows end.
func (w *sheetWriter) measure(ctx context.Context, b *book) error {
	for name, part := range b.parts {
		if part.UncompressedSize64 > maxChangePart {
			return fmt.Errorf("is too large to be changed: its part %.100q has %s unpacked, at most %s are allowed; write a new workbook", name, size(int64(min(part.UncompressedSize64, math.MaxInt64))), size(maxChangePart))
		}
	}
	s, err := b.sheet(w.in.Sheet)
	if err != nil {
		if w.in.Mode == "range" {
			return err
		}
		w.sheet = w.in.Sheet // to be made
		return nil
	}
	w.sheet = s.name
	last, places := 0, 0
	err = b.eachRow(ctx, s, func(row int, cells []bookCell) error {
		w.empty = false
		last = row
		places += cells[len(cells)-1].column
		if places > maxChangeCells || row > maxChangeRows {
			return fmt.Errorf("is too large to be changed: sheet %.50q reaches to row %d and over %d cells, at most %d rows and %d cells are allowed; write a new workbook", s.name, row, places, maxChangeRows, maxChangeCells)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if b.unnumbered > maxUnnumbered {
		return fmt.Errorf("can't be changed: the rows of sheet %.50q have no numbers; ask the person to open and save it in a spreadsheet program, or write a new workbook", s.name)
	}
	if w.in.Mode == "append" {
		w.at = area{last + 1, 1, last + 1, 1}
	}
	if w.at.row0+len(w.in.Rows) > maxChangeRows {
		return invalid("the rows would reach beyond row %d", maxChangeRows)
	}
	return nil
}

func (w *sheetWriter) fill(ctx context.Context) error {
	if err := w.prepareSheet(); err != nil {
		return err
	}
	row, column := w.at.row0, w.at.column0
	header := len(w.in.Columns) > 0 && (w.in.Mode != "append" || w.empty)
	if header {
		for i, name := range w.in.Columns {
			if err := w.text(row, column+i, name); err != nil {
				return err
			}
		}
		if err := w.styleHeader(row, column); err != nil {
			return err
		}
		row++
	}
	for i, values := range w.in.Rows {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for j, v := range values {
			if err := w.put(row+i, column+j, v); err != nil {
				return fmt.Errorf("/rows/%d/%d: %w", i, j, err)
			}
		}
	}
	if w.written == nothing {
		w.written = area{row, column, row, column}
	}
	recalculate := true // the results that were saved may be of other values
	if err := w.file.SetCalcProps(&excelize.CalcPropsOptions{FullCalcOnLoad: &recalculate}); err != nil {
		return err
	}
	return w.setWidths()
}

// prepareSheet finds or makes the sheet, and empties it where that is wanted.
func (w *sheetWriter) prepareSheet() error {
	f := w.file
	name := w.sheet
	if name == "" {
		name = w.in.Sheet
	}
	if name == "" {
		name = f.GetSheetName(0)
	}
	if i, err := f.GetSheetIndex(name); err != nil {
		return invalid("sheet %.50q: %v", name, err)
	} else if i < 0 {
		if err := w.makeSheet(name); err != nil {
			return invalid("sheet %.50q: %v", name, err)
		}
	} else if w.in.Mode == "replace" {
		if err := w.emptySheet(name); err != nil {
			return err
		}
	}
	w.sheet = name
	i, err := f.GetSheetIndex(name)
	if err == nil && w.in.Mode == "new" {
		f.SetActiveSheet(i)
	}
	return err
}

// makeSheet gives a new workbook's only sheet the name, and any other workbook a
// sheet more.
func (w *sheetWriter) makeSheet(name string) error {
	if w.empty && w.file.SheetCount == 1 && w.in.Mode == "new" {
		return w.file.SetSheetName(w.file.GetSheetName(0), name)
	}
	_, err := w.file.NewSheet(name)
	return err
}

// emptySheet puts an empty sheet in the place of the one of that name. To remove
// its rows one by one would take minutes.
func (w *sheetWriter) emptySheet(name string) error {
	const between = "helve is at work"
	sheets := w.file.GetSheetList()
	at, err := w.file.GetSheetIndex(name)
	if err != nil {
		return err
	}
	if _, err := w.file.NewSheet(between); err != nil {
		return err
	}
	if err := w.file.DeleteSheet(name); err != nil {
		return err
	}
	if err := w.file.SetSheetName(between, name); err != nil {
		return err
	}
	if at+1 < len(sheets) {
		return w.file.MoveSheet(name, sheets[at+1])
	}
	return nil
}

// put writes one value as a cell of its type.
func (w *sheetWriter) put(row, column int, v any) error {
	at := cellName(column, row)
	switch v := v.(type) {
	case string:
		return w.string(row, column, v)
	case bool:
		w.grow(row, column, 5)
		return w.file.SetCellBool(w.sheet, at, v)
	case json.Number:
		if digitsOf(v.String()) > 15 {
			return w.text(row, column, v.String()) // Excel would change its digits
		}
		w.grow(row, column, len(v))
		return w.file.SetCellDefault(w.sheet, at, v.String())
	}
	w.written = w.written.grow(row, column)
	return w.file.SetCellDefault(w.sheet, at, "")
}

// digitsOf is how many digits of a number count.
func digitsOf(number string) int {
	mantissa, _, _ := strings.Cut(strings.ToLower(number), "e")
	digits := strings.TrimLeft(strings.NewReplacer("-", "", ".", "").Replace(mantissa), "0")
	return len(strings.TrimRight(digits, "0"))
}

func (w *sheetWriter) string(row, column int, text string) error {
	if w.in.Formulas && strings.HasPrefix(text, "=") && len(text) > 1 {
		w.grow(row, column, 10)
		if err := w.file.SetCellDefault(w.sheet, cellName(column, row), ""); err != nil { // or the old value would pass for the result
			return err
		}
		return w.file.SetCellFormula(w.sheet, cellName(column, row), text[1:])
	}
	for i, form := range []string{time.DateOnly, time.DateTime} {
		when, err := time.Parse(form, text)
		if err != nil || when.Year() < 1901 { // Excel's calendar begins in 1900, with a mistake
			continue
		}
		return w.date(row, column, when, i)
	}
	return w.text(row, column, text)
}

// text writes a text as it is: as a shared string, which no program takes for a
// formula.
func (w *sheetWriter) text(row, column int, text string) error {
	if n := utf8.RuneCountInString(text); n > maxExcelText {
		return fmt.Errorf("a text of %d characters: a cell holds %d", n, maxExcelText)
	}
	w.grow(row, column, utf8.RuneCountInString(text))
	return w.file.SetCellStr(w.sheet, cellName(column, row), strings.Map(dropControl, strings.ToValidUTF8(text, "\uFFFD")))
}

// dropControl leaves out what XML can't hold.
func dropControl(r rune) rune {
	if r < ' ' && r != '\n' && r != '\t' || r == '\uFFFE' || r == '\uFFFF' {
		return -1
	}
	return r
}

func (w *sheetWriter) date(row, column int, when time.Time, form int) error {
	if w.dates[form] == 0 {
		code := []string{"yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"}[form]
		style, err := w.file.NewStyle(&excelize.Style{CustomNumFmt: &code})
		if err != nil {
			return err
		}
		w.dates[form] = style
	}
	at := cellName(column, row)
	if err := w.file.SetCellValue(w.sheet, at, when); err != nil {
		return err
	}
	w.grow(row, column, 10+9*form)
	return w.file.SetCellStyle(w.sheet, at, at, w.dates[form])
}

func (w *sheetWriter) grow(row, column, width int) {
	w.written = w.written.grow(row, column)
	w.widths[column] = max(w.widths[column], width)
}

// styleHeader makes the header bold and, where it is the first row, keeps it in
// sight.
func (w *sheetWriter) styleHeader(row, column int) error {
	style, err := w.file.NewStyle(&excelize.Style{
		Font:   &excelize.Font{Bold: true},
		Fill:   excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"E8ECF1"}},
		Border: []excelize.Border{{Type: "bottom", Color: "9AA0A8", Style: 1}},
	})
	if err != nil {
		return err
	}
	if err := w.file.SetCellStyle(w.sheet, cellName(column, row), cellName(column+len(w.in.Columns)-1, row), style); err != nil {
		return err
	}
	if row > 1 {
		return nil
	}
	return w.file.SetPanes(w.sheet, &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"})
}

// setWidths makes columns wide enough for what was written, within reason. The
// columns of a sheet that was there keep theirs.
func (w *sheetWriter) setWidths() error {
	if !w.empty && w.in.Mode != "replace" {
		return nil
	}
	for column, width := range w.widths {
		name := columnName(column)
		if err := w.file.SetColWidth(w.sheet, name, name, float64(min(max(width+2, 9), 60))); err != nil {
			return err
		}
	}
	return nil
}
