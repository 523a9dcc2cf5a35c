package dataanalysis

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"strconv"
)

const (
	maxSummaryColumns = 100
	maxDistinct       = 10_000
	maxSamples        = 3
)

type sheetSummary struct {
	File    string          `json:"file"`
	Folder  string          `json:"folder"`
	Sheet   string          `json:"sheet"`
	Range   string          `json:"range,omitempty"`
	Header  bool            `json:"header"` // the first row names the columns
	Rows    int             `json:"rows"`   // without the header
	Columns []columnSummary `json:"columns"`
	Note    string          `json:"note,omitempty"`
}

// columnSummary says what a column holds. Min and max are those of its numbers,
// or where it has none, of its texts and dates.
type columnSummary struct {
	Column   string         `json:"column"` // its letters
	Name     string         `json:"name,omitempty"`
	Types    map[string]int `json:"types"` // number, text, date, boolean, error: how many cells
	Count    int            `json:"count"`
	Blanks   int            `json:"blanks"`
	Distinct string         `json:"distinct"`
	Min      any            `json:"min,omitempty"`
	Max      any            `json:"max,omitempty"`
	Mean     *float64       `json:"mean,omitempty"`
	Sum      *float64       `json:"sum,omitempty"`
	Samples  []any          `json:"samples,omitempty"`
}

// summarise goes over a sheet once and keeps no row.
func (e *excel) summarise(ctx context.Context, in excelInput) (sheetSummary, error) {
	within, err := parseRange(in.Range)
	if err != nil {
		return sheetSummary{}, err
	}
	b, _, folder, err := e.load(in.File)
	if err != nil {
		return sheetSummary{}, err
	}
	s, err := b.sheet(in.Sheet)
	if err != nil {
		return sheetSummary{}, err
	}
	w := summary{book: b, within: within, extent: nothing, columns: map[int]*columnCount{}}
	w.answer = sheetSummary{File: in.File, Folder: folder, Sheet: s.name, Columns: []columnSummary{}}
	if err := b.eachRow(ctx, s, w.row); err != nil {
		return sheetSummary{}, err
	}
	return w.finish(), nil
}

type summary struct {
	book    *book
	within  area
	extent  area
	header  map[int]string
	started bool
	columns map[int]*columnCount
	left    int // cells in columns beyond the most that are summarised
	answer  sheetSummary
}

func (w *summary) row(row int, cells []bookCell) error {
	if row < w.within.row0 || row > w.within.row1 {
		return nil
	}
	values := map[int]any{}
	dates := map[int]bool{}
	texts := true
	for _, c := range cells {
		v := w.book.value(c)
		if v == nil || v == "" || !w.within.hasColumn(c.column) {
			continue
		}
		values[c.column] = v
		_, isText := v.(string)
		dates[c.column] = isText && (c.kind == "d" || c.kind == "" || c.kind == "n")
		texts = texts && isText && !dates[c.column] && c.kind != "e"
		if c.kind == "e" {
			values[c.column] = cellError(v.(string))
		}
		w.extent = w.extent.grow(row, c.column)
	}
	if len(values) == 0 {
		return nil
	}
	if !w.started {
		w.started = true
		if texts {
			w.header = map[int]string{}
			for column, v := range values {
				w.header[column] = v.(string)
			}
			return nil
		}
	}
	w.answer.Rows++
	for column, v := range values {
		w.column(column).add(v, dates[column])
	}
	return nil
}

type cellError string // such as #DIV/0!

func (w *summary) column(n int) *columnCount {
	c := w.columns[n]
	if c == nil {
		c = &columnCount{types: map[string]int{}, distinct: map[any]struct{}{}}
		if len(w.columns) < maxSummaryColumns {
			w.columns[n] = c
		} else {
			w.left++
		}
	}
	return c
}

func (w *summary) finish() sheetSummary {
	a := &w.answer
	if !w.started {
		a.Note = "there is nothing in these cells"
		return *a
	}
	a.Range, a.Header = w.extent.String(), w.header != nil
	for n := w.extent.column0; n <= w.extent.column1 && len(a.Columns) < maxSummaryColumns; n++ {
		c, named := w.columns[n], w.header[n] != ""
		if c == nil && !named {
			continue
		}
		if c == nil {
			c = &columnCount{types: map[string]int{}}
		}
		a.Columns = append(a.Columns, c.summary(columnName(n), shorten(w.header[n], 100), a.Rows))
	}
	if w.left > 0 {
		a.Note = fmt.Sprintf("there are more columns: %d were summarised; name others by range", maxSummaryColumns)
	}
	return *a
}

// columnCount counts what it is given.
type columnCount struct {
	types    map[string]int
	distinct map[any]struct{}
	more     bool // distinct values than it holds
	sum      exactSum
	numbers  int
	min, max float64
	least    string // of texts and dates
	greatest string
	texts    int
	samples  []any
}

func (c *columnCount) add(v any, date bool) {
	key := v
	if s, ok := v.(string); ok && len(s) > sha256.Size {
		key = sha256.Sum256([]byte(s)) // ten thousand long texts would be much to hold
	}
	if _, seen := c.distinct[key]; !seen {
		if len(c.distinct) < maxDistinct {
			c.distinct[key] = struct{}{}
		} else {
			c.more = true
		}
		if len(c.samples) < maxSamples {
			c.samples = append(c.samples, brief(v))
		}
	}
	switch v := v.(type) {
	case int64:
		c.number(float64(v))
	case float64:
		c.number(v)
	case bool:
		c.types["boolean"]++
	case cellError:
		c.types["error"]++
	case string:
		kind := "text"
		if date {
			kind = "date"
		}
		c.types[kind]++
		if c.texts == 0 || v < c.least {
			c.least = v
		}
		if c.texts == 0 || v > c.greatest {
			c.greatest = v
		}
		c.texts++
	}
}

func (c *columnCount) number(v float64) {
	c.types["number"]++
	if c.numbers == 0 {
		c.min, c.max = v, v
	}
	c.numbers++
	c.min, c.max = min(c.min, v), max(c.max, v)
	c.sum.add(v)
}

func (c *columnCount) summary(letters, name string, rows int) columnSummary {
	s := columnSummary{Column: letters, Name: name, Types: c.types, Samples: c.samples}
	for _, n := range c.types {
		s.Count += n
	}
	s.Blanks = rows - s.Count
	s.Distinct = strconv.Itoa(len(c.distinct))
	if c.more {
		s.Distinct = "more than " + s.Distinct
	}
	switch {
	case c.numbers > 0:
		s.Min, s.Max = c.min, c.max
		sum := fifteenDigits(c.sum.value())
		mean := fifteenDigits(c.sum.value() / float64(c.numbers))
		if !math.IsInf(sum, 0) {
			s.Sum, s.Mean = &sum, &mean
		}
	case c.texts > 0:
		s.Min, s.Max = brief(c.least), brief(c.greatest)
	}
	return s
}

// exactSum adds without the error that grows with the count (Neumaier, 1974).
type exactSum struct{ sum, lost float64 }

func (s *exactSum) add(v float64) {
	t := s.sum + v
	if cmp.Compare(math.Abs(s.sum), math.Abs(v)) >= 0 {
		s.lost += (s.sum - t) + v
	} else {
		s.lost += (v - t) + s.sum
	}
	s.sum = t
}

func (s *exactSum) value() float64 { return s.sum + s.lost }

// fifteenDigits is v as Excel shows it: 0.1 and 0.2 are 0.3.
func fifteenDigits(v float64) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 15, 64), 64)
	if err != nil {
		return v
	}
	return out
}
