package dataanalysis

import (
	"context"
	"encoding/json"
	"fmt"
)

const (
	maxReadCells   = 20_000
	maxReadBytes   = 200 << 10 // of the answer, about
	maxCellShown   = 2000      // characters
	maxFormulas    = 100
	maxFormulaText = 500
)

type cellsAnswer struct {
	File       string            `json:"file"`
	Folder     string            `json:"folder"`
	Sheet      string            `json:"sheet"`
	Range      string            `json:"range,omitempty"` // of the cells in rows
	Rows       [][]any           `json:"rows"`
	Formulas   map[string]string `json:"formulas,omitempty"`
	NextOffset int               `json:"next_offset,omitempty"`
	Note       string            `json:"note,omitempty"`
}

// read returns rows of a sheet, each from the range's first column to its last
// cell with something in it. Of a formula it gives the result that was saved.
func (e *excel) read(ctx context.Context, in excelInput) (cellsAnswer, error) {
	within, err := parseRange(in.Range)
	if err != nil {
		return cellsAnswer{}, err
	}
	b, _, folder, err := e.load(in.File)
	if err != nil {
		return cellsAnswer{}, err
	}
	s, err := b.sheet(in.Sheet)
	if err != nil {
		return cellsAnswer{}, err
	}
	r := cellReader{book: b, within: within, shown: in.Shown, rows: e.data.MaxRows}
	if in.Limit > 0 {
		r.rows = min(in.Limit, e.data.MaxRows)
	}
	if in.Shown {
		r.shower = newShower()
		defer r.shower.scratch.Close()
	}
	r.answer = cellsAnswer{File: in.File, Folder: folder, Sheet: s.name, Rows: [][]any{}}
	r.first = within.row0 + in.Offset
	r.extent = nothing
	if err := b.eachRow(ctx, s, r.row); err != nil {
		return cellsAnswer{}, err
	}
	return r.finish(in), nil
}

type cellReader struct {
	book   *book
	within area
	shown  bool
	shower *shower
	first  int // the first row wanted
	rows   int // how many at most
	cells  int
	bytes  int
	last   int // the last row in the answer
	extent area
	answer cellsAnswer
}

func (r *cellReader) row(row int, cells []bookCell) error {
	if row < r.first || row > r.within.row1 {
		return nil
	}
	values, width := r.values(row, cells)
	if width == 0 {
		return nil
	}
	full := row >= r.first+r.rows || r.cells+width > maxReadCells || r.bytes > maxReadBytes
	if full && len(r.answer.Rows) > 0 || row >= r.first+r.rows {
		r.answer.NextOffset = row - r.within.row0
		return errStop
	}
	for len(r.answer.Rows) < row-r.first { // blank rows keep their place
		r.answer.Rows = append(r.answer.Rows, []any{})
	}
	r.answer.Rows = append(r.answer.Rows, values)
	r.cells += width
	r.last = row
	return nil
}

// values are the cells of a row in the range, and how many up to the last that
// holds something.
func (r *cellReader) values(row int, cells []bookCell) (values []any, width int) {
	for _, c := range cells {
		if !r.within.hasColumn(c.column) {
			continue
		}
		var v any
		if r.shown {
			v = r.shower.show(r.book, c)
		} else {
			v = r.book.value(c)
		}
		if (v == nil || v == "") && c.formula == "" {
			continue
		}
		at := c.column - r.within.column0
		if at >= maxReadCells {
			break
		}
		for len(values) < at {
			values = append(values, nil)
		}
		if text, ok := v.(string); ok {
			v = shorten(text, maxCellShown)
		}
		values = append(values, v)
		encoded, _ := json.Marshal(v)
		r.bytes += len(encoded) + 1
		r.extent = r.extent.grow(row, c.column)
		r.formula(row, c)
	}
	return values, len(values)
}

func (r *cellReader) formula(row int, c bookCell) {
	if c.formula == "" || len(r.answer.Formulas) == maxFormulas {
		return
	}
	if r.answer.Formulas == nil {
		r.answer.Formulas = map[string]string{}
	}
	r.answer.Formulas[cellName(c.column, row)] = "=" + shorten(c.formula, maxFormulaText)
}

func (r *cellReader) finish(in excelInput) cellsAnswer {
	a := &r.answer
	switch {
	case len(a.Rows) > 0:
		a.Range = area{r.first, r.within.column0, r.last, r.extent.column1}.String()
		if a.NextOffset > 0 {
			a.Note = fmt.Sprintf("there are more rows: read on with offset %d", a.NextOffset)
		}
	case a.NextOffset > 0:
		a.Note = fmt.Sprintf("these rows are blank; the next with something in it: offset %d", a.NextOffset)
	case in.Offset > 0:
		a.Note = "there is nothing at this offset and behind"
	default:
		a.Note = "there is nothing in these cells"
	}
	return *a
}
