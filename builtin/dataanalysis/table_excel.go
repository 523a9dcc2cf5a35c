package dataanalysis

import (
	"context"
	"fmt"
	"io"
	"strconv"
)

// sheet reads one sheet of a workbook. Its first row that is not empty is the
// header. Numbers that Excel shows as dates are ISO 8601 text; formulas are the
// values that Excel saved with them; true and false are 1 and 0.
type sheet struct {
	path  string // of the workbook
	place string // the same with the sheet
	book  *book
	sheet bookSheet
}

func (s *sheet) scan(ctx context.Context, header func([]string) error, row func([]cell) error) error {
	var cells []cell
	var refused error // by the table; all other errors are the workbook's
	err := s.book.eachRow(ctx, s.sheet, func(number int, found []bookCell) error {
		found = s.filled(found)
		switch {
		case len(found) == 0:
			refused = row(nil)
		case cells == nil:
			cells = make([]cell, found[len(found)-1].column)
			refused = header(s.names(found))
		default:
			if refused = s.fit(found, cells); refused == nil {
				refused = row(cells)
			}
			if refused != nil {
				refused = fmt.Errorf("%s, row %d: %w", s.place, number, refused)
			}
		}
		return refused
	})
	switch {
	case refused != nil || ctx.Err() != nil:
		return err
	case err != nil:
		return fmt.Errorf("%s %w", s.path, err)
	case cells == nil:
		return fmt.Errorf("%s is empty: its first row has to name the columns", s.place)
	}
	return nil
}

// sheetNames reads the names of a workbook's sheets, and little else of it.
func sheetNames(r io.ReaderAt, length int64) ([]string, error) {
	b, err := openBook(r, length)
	if err != nil {
		return nil, fmt.Errorf("it %w", err)
	}
	return b.sheetNames(), nil
}

// filled leaves out cells that hold nothing but a style.
func (s *sheet) filled(cells []bookCell) []bookCell {
	kept := cells[:0]
	for _, c := range cells {
		if s.book.cell(c).kind != cellNull {
			kept = append(kept, c)
		}
	}
	return kept
}

func (s *sheet) names(header []bookCell) []string {
	names := make([]string, header[len(header)-1].column)
	for _, c := range header {
		names[c.column-1] = s.book.cell(c).text
	}
	return names
}

func (s *sheet) fit(found []bookCell, cells []cell) error {
	clear(cells)
	for _, c := range found {
		if c.column > len(cells) {
			return fmt.Errorf("a value in column %d, but the first row names %d columns", c.column, len(cells))
		}
		cells[c.column-1] = s.book.cell(c)
	}
	return nil
}

// cell is a cell on its way into a table.
func (b *book) cell(c bookCell) cell {
	switch v := b.value(c).(type) {
	case string:
		if v != "" {
			return cell{v, cellText}
		}
	case bool:
		if v {
			return cell{"1", cellNumber}
		}
		return cell{"0", cellNumber}
	case int64:
		return cell{strconv.FormatInt(v, 10), cellNumber}
	case float64:
		return cell{strconv.FormatFloat(v, 'g', -1, 64), cellNumber} // Excel saves 0.29 as 0.28999999999999998
	}
	return cell{}
}
