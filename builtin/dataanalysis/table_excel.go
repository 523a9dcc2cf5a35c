package dataanalysis

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

const (
	maxWorkbook = 64 << 20  // bytes of a workbook file
	maxUnzipped = 256 << 20 // bytes of what is packed in it
	maxSheets   = 100
)

// sheetNames reads the names of a workbook's sheets, and nothing else of it.
func sheetNames(name string, r *io.SectionReader) ([]string, error) {
	archive, err := zip.NewReader(r, r.Size())
	if err != nil {
		return nil, fmt.Errorf("%s is no Excel workbook (.xlsx)", name)
	}
	part, err := archive.Open("xl/workbook.xml")
	if err != nil {
		return nil, fmt.Errorf("%s is no Excel workbook (.xlsx): it has no xl/workbook.xml", name)
	}
	defer part.Close()
	var book struct {
		Sheets []struct {
			Name string `xml:"name,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := xml.NewDecoder(io.LimitReader(part, 1<<20)).Decode(&book); err != nil {
		return nil, fmt.Errorf("%s: its list of sheets can't be read: %w", name, err)
	}
	var names []string
	for _, s := range book.Sheets[:min(len(book.Sheets), maxSheets)] {
		names = append(names, s.Name)
	}
	return names, nil
}

// openWorkbook opens a workbook whose packed content is bounded.
func openWorkbook(name string, r *io.SectionReader) (*excelize.File, error) {
	if r.Size() > maxWorkbook {
		return nil, fmt.Errorf("%s has %s: workbooks are read up to %s; save the sheet as CSV", name, size(r.Size()), size(maxWorkbook))
	}
	r.Seek(0, io.SeekStart)
	book, err := excelize.OpenReader(r, excelize.Options{UnzipSizeLimit: maxUnzipped, UnzipXMLSizeLimit: 32 << 20, RawCellValue: true})
	switch {
	case err == nil:
		return book, nil
	case strings.Contains(err.Error(), "unzip size exceeds"): // excelize has no name for it
		return nil, fmt.Errorf("%s unpacks to more than %s: save the sheet as CSV", name, size(maxUnzipped))
	case errors.Is(err, excelize.ErrWorkbookFileFormat):
		return nil, fmt.Errorf("%s is no Excel workbook (.xlsx), or it is encrypted", name)
	}
	return nil, fmt.Errorf("%s can't be read as an Excel workbook: %w", name, err)
}

// sheet reads one sheet of a workbook. Its first row that is not empty is the
// header. Numbers that Excel shows as dates are ISO 8601 text; formulas are the
// values that Excel saved with them.
type sheet struct {
	name  string // of the workbook and the sheet, for errors
	book  *excelize.File
	sheet string
	dates map[int]dateForm // style -> what a number in it is
	epoch bool             // the workbook counts days from 1904
}

func (s *sheet) scan(header func([]string) error, row func([]cell) error) error {
	rows, err := s.book.Rows(s.sheet)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	defer rows.Close()
	var cells []cell
	number := 0
	for rows.Next() {
		number++
		values, err := rows.Columns(excelize.Options{RawCellValue: true})
		if err != nil {
			return fmt.Errorf("%s, row %d: %w", s.name, number, err)
		}
		if strings.Join(values, "") == "" {
			if err := row(nil); err != nil {
				return err
			}
			continue
		}
		if cells == nil {
			if err := header(values); err != nil {
				return err
			}
			cells = make([]cell, len(values))
			continue
		}
		if err := s.fit(values, cells, number); err != nil {
			return fmt.Errorf("%s, row %d: %w", s.name, number, err)
		}
		if err := row(cells); err != nil {
			return fmt.Errorf("%s, row %d: %w", s.name, number, err)
		}
	}
	if err := rows.Error(); err != nil {
		return fmt.Errorf("%s, row %d: %w", s.name, number, err)
	}
	if cells == nil {
		return fmt.Errorf("%s is empty: its first row has to name the columns", s.name)
	}
	return nil
}

func (s *sheet) fit(values []string, cells []cell, row int) error {
	clear(cells)
	for i, v := range values {
		switch {
		case v == "":
		case i >= len(cells):
			return fmt.Errorf("a value in column %d, but the first row names %d columns", i+1, len(cells))
		default:
			var err error
			if cells[i], err = s.cell(v, i+1, row); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *sheet) cell(v string, column, row int) (cell, error) {
	if numberType(v) == "TEXT" {
		return cell{v, cellAny}, nil
	}
	at, err := excelize.CoordinatesToCellName(column, row)
	if err != nil {
		return cell{}, err
	}
	kind, err := s.book.GetCellType(s.sheet, at)
	if err != nil {
		return cell{}, err
	}
	if kind == excelize.CellTypeSharedString || kind == excelize.CellTypeInlineString {
		return cell{v, cellText}, nil
	}
	style, err := s.book.GetCellStyle(s.sheet, at)
	if err != nil {
		return cell{}, err
	}
	form := s.form(style)
	if form == notDate {
		return cell{v, cellNumber}, nil
	}
	days, err := strconv.ParseFloat(v, 64)
	if err != nil {
		return cell{v, cellNumber}, nil
	}
	t, err := excelize.ExcelDateToTime(days, s.epoch)
	if err != nil {
		return cell{v, cellNumber}, nil
	}
	return cell{form.write(t, days), cellText}, nil
}

type dateForm uint8

const (
	notDate dateForm = iota
	dateOnly
	dateAndTime
	timeOnly
)

func (f dateForm) write(t time.Time, days float64) string {
	switch {
	case f == timeOnly && days < 1:
		return t.Format("15:04:05")
	case f == dateOnly && days == float64(int64(days)):
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02 15:04:05")
}

// form says what a number in a style is: Excel keeps dates as numbers, and only
// the style tells.
func (s *sheet) form(style int) dateForm {
	if form, known := s.dates[style]; known {
		return form
	}
	form := notDate
	if of, err := s.book.GetStyle(style); err == nil {
		form = builtinForm(of.NumFmt)
		if of.CustomNumFmt != nil {
			form = customForm(*of.CustomNumFmt)
		}
	}
	s.dates[style] = form
	return form
}

// builtinForm knows the number formats that have no text in the file (ECMA-376,
// part 1, 18.8.30).
func builtinForm(id int) dateForm {
	switch {
	case id == 22:
		return dateAndTime
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return dateOnly
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id >= 45 && id <= 47, id == 55, id == 56:
		return timeOnly
	}
	return notDate
}

var notCode = regexp.MustCompile(`"[^"]*"|\\.|\[[^\]]*\]|_.|\*.`)

func customForm(code string) dateForm {
	code = strings.ToLower(notCode.ReplaceAllString(code, ""))
	code, _, _ = strings.Cut(code, ";")
	if strings.Contains(code, "general") || strings.ContainsAny(code, "0#?") && !strings.ContainsAny(code, "ydh") {
		return notDate
	}
	date, clock := strings.ContainsAny(code, "yd"), strings.ContainsAny(code, "hs")
	switch {
	case date && clock:
		return dateAndTime
	case date || code != "" && strings.Trim(code, "m-/. ") == "" && strings.Contains(code, "m"):
		return dateOnly
	case clock:
		return timeOnly
	}
	return notDate
}
