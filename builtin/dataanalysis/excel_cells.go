package dataanalysis

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

const (
	lastRow    = 1_048_576
	lastColumn = 16_384
)

// bookCell is a cell as it stands in the file.
type bookCell struct {
	column  int    // from 1
	kind    string // the attribute t: s, str, inlineStr, b, e, d, n or nothing
	style   int
	raw     string
	formula string
}

// errStop ends a walk over rows early, without an error.
var errStop = errors.New("stop")

// eachRow calls f with every row that has cells, in the order of the file. The
// cells are f's only until it returns. f ends the walk with errStop.
func (b *book) eachRow(ctx context.Context, s bookSheet, f func(row int, cells []bookCell) error) error {
	if err := b.load(ctx); err != nil {
		return err
	}
	r, err := b.open(s.part, maxSheetPart)
	if err != nil {
		return err
	}
	defer r.Close()
	budget := &budgetReader{r: r}
	w := rowReader{budget: budget, decoder: xml.NewDecoder(budget)}
	for n := 0; ; n++ {
		if n%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		ok, err := w.next(ctx)
		b.unnumbered = w.unnumbered
		if err != nil {
			return fmt.Errorf("sheet %.50q: %w", s.name, err)
		}
		if !ok {
			return nil
		}
		if len(w.cells) == 0 {
			continue
		}
		if err := f(w.row, w.cells); err != nil {
			if errors.Is(err, errStop) {
				return nil
			}
			return err
		}
	}
}

// rowReader reads the rows of a sheet's part.
type rowReader struct {
	budget       *budgetReader // of the row that is being read
	decoder      *xml.Decoder
	row          int
	cells        []bookCell
	raw, formula strings.Builder // of the cell that is being read
	into         *strings.Builder
	unnumbered   int // rows that do not say which they are
}

// next reads one row; ok is false behind the last.
func (w *rowReader) next(ctx context.Context) (ok bool, err error) {
	w.cells = w.cells[:0]
	w.budget.left = maxRow
	inRow, inCell := false, false
	for n := 1; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		token, err := w.decoder.RawToken()
		if errors.Is(err, io.EOF) {
			if inRow {
				return false, errors.New("it ends in the middle of a row")
			}
			return false, nil
		}
		if errors.Is(err, errRowTooLong) {
			return false, fmt.Errorf("row %d has more than %d MiB", max(w.row, 1), maxRow>>20)
		}
		if err != nil {
			return false, errors.New("its XML is broken")
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "row":
				inRow = true
				if err := w.startRow(t); err != nil {
					return false, err
				}
			case "c":
				inCell = inRow
				if inCell {
					if err := w.startCell(t); err != nil {
						return false, err
					}
				}
			case "v", "t":
				if inCell {
					w.into = &w.raw
				}
			case "f":
				if inCell {
					w.into = &w.formula
				}
			}
		case xml.CharData:
			if w.into != nil {
				w.into.Write(t)
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "v", "t", "f":
				w.into = nil
			case "c":
				if inCell {
					w.endCell()
				}
				inCell = false
			case "row":
				return true, nil
			case "sheetData":
				return false, nil
			}
		}
	}
}

func (w *rowReader) startRow(t xml.StartElement) error {
	w.row++
	w.unnumbered++
	for _, a := range t.Attr {
		if a.Name.Local == "r" {
			w.unnumbered--
			n, err := strconv.Atoi(a.Value)
			if err != nil || n < w.row {
				return fmt.Errorf("row %.20q comes after row %d", a.Value, w.row-1)
			}
			w.row = n
		}
	}
	if w.row > lastRow {
		return fmt.Errorf("row %d: a sheet has %d rows", w.row, lastRow)
	}
	return nil
}

func (w *rowReader) startCell(t xml.StartElement) error {
	c := bookCell{column: 1}
	if n := len(w.cells); n > 0 {
		c.column = w.cells[n-1].column + 1
	}
	for _, a := range t.Attr {
		switch a.Name.Local {
		case "r":
			column, row, ok := parseCell(a.Value)
			if !ok || row != w.row || column < c.column {
				return fmt.Errorf("cell %.20q in row %d is out of order", a.Value, w.row)
			}
			c.column = column
		case "s":
			c.style, _ = strconv.Atoi(a.Value)
		case "t":
			c.kind = a.Value
		}
	}
	if c.column > lastColumn {
		return fmt.Errorf("row %d has more than %d columns", w.row, lastColumn)
	}
	w.cells = append(w.cells, c)
	return nil
}

func (w *rowReader) endCell() {
	c := &w.cells[len(w.cells)-1]
	c.raw, c.formula = w.raw.String(), w.formula.String()
	w.raw.Reset() // the strings keep their bytes
	w.formula.Reset()
}

// value is what a cell holds: nil, string, bool, int64 or float64. A date is a
// string of the ISO form, an error such as #DIV/0! its text, and so is a whole
// number of more digits than an int64 has. Of a formula it is the result that was
// saved with it.
func (b *book) value(c bookCell) any {
	if c.raw == "" && c.formula != "" {
		return nil // no program has worked it out
	}
	switch c.kind {
	case "s":
		if i, err := strconv.Atoi(c.raw); err == nil {
			if text, ok := b.texts.at(i); ok {
				return text
			}
		}
		return nil
	case "str", "inlineStr", "e", "d":
		return c.raw
	case "b":
		return c.raw == "1" || c.raw == "true"
	}
	if c.raw == "" {
		return nil
	}
	n, err := strconv.ParseFloat(c.raw, 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
		return c.raw
	}
	if form := b.format(c.style).form; form != notDate {
		if text, ok := b.date(n, form); ok {
			return text
		}
	}
	if strings.ContainsAny(c.raw, ".eE") {
		return n
	}
	if i, err := strconv.ParseInt(c.raw, 10, 64); err == nil {
		return i
	}
	return c.raw // a float would not keep its digits
}
