package dataanalysis

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// points makes series of columns: x, then a series a column; or, with text in
// the second of three columns, x, the name of the series, and the value.
func (c *chart) points(t *table) error {
	if len(t.columns) < 2 {
		return fmt.Errorf("a %s chart needs two columns or more, x first and then numbers; the query gave %q alone", c.kind, t.columns[0])
	}
	xs, kept, err := c.readX(t)
	if err != nil {
		return err
	}
	if c.long(t) {
		err = c.fromLong(t, xs, kept)
	} else {
		err = c.fromWide(t, xs, kept)
	}
	if err != nil {
		return err
	}
	if c.along == alongCategories {
		return c.oncePerCategory(t)
	}
	if c.kind == "line" {
		for _, s := range c.series {
			s.sort()
		}
	}
	return nil
}

// long reports whether t has a row for each value and not one for each x.
func (c *chart) long(t *table) bool {
	return len(t.columns) == 3 && !numeric(t, 1) && numeric(t, 2)
}

func (c *chart) fromWide(t *table, xs []float64, kept []int) error {
	for col := 1; col < len(t.columns); col++ {
		s := series{name: oneLine(t.columns[col]), x: slices.Clone(xs)}
		for _, row := range kept {
			y, ok := number(t.rows[row][col])
			if !ok {
				return notNumeric(t, row, col)
			}
			s.y = append(s.y, y)
		}
		c.series = append(c.series, s)
	}
	return nil
}

func (c *chart) fromLong(t *table, xs []float64, kept []int) error {
	at := map[string]int{}
	for i, row := range kept {
		name := label(t.rows[row][1])
		y, _ := number(t.rows[row][2])
		n, seen := at[name]
		if !seen {
			if n = len(c.series); n > maxCategories {
				return fmt.Errorf("column %q, which names the series, has more than %d values: at most %d series can be told apart", t.columns[1], maxCategories, maxSeries)
			}
			at[name] = n
			c.series = append(c.series, series{name: name})
		}
		c.series[n].x = append(c.series[n].x, xs[i])
		c.series[n].y = append(c.series[n].y, y)
	}
	return nil
}

// readX reads the first column: as numbers, as dates, or else as categories in
// the order they come. A row without x can't be placed and is left out; kept
// holds the others.
func (c *chart) readX(t *table) (xs []float64, kept []int, err error) {
	c.along = alongCategories
	if c.kind != "bar" {
		c.along = whatIs(t)
	}
	at := map[string]int{}
	for row, values := range t.rows {
		v := values[0]
		switch c.along {
		case alongNumbers:
			x, _ := number(v)
			if math.IsNaN(x) {
				continue
			}
			xs = append(xs, x)
		case alongTime:
			when, ok := moment(v)
			if !ok {
				continue
			}
			xs = append(xs, float64(when.UnixMilli())/1000)
		default:
			name := label(v)
			if _, seen := at[name]; !seen {
				at[name] = len(c.categories)
				c.categories = append(c.categories, name)
			}
			xs = append(xs, float64(at[name]))
		}
		kept = append(kept, row)
	}
	if c.kind == "scatter" && c.along == alongCategories {
		return nil, nil, fmt.Errorf("a scatter plot needs numbers or ISO dates as x; column %q holds %s: use kind bar or box", t.columns[0], sample(t, 0))
	}
	if left := len(t.rows) - len(kept); left > 0 {
		c.note("%s without a value in %q left out", count(left, "row"), t.columns[0])
	}
	if len(kept) == 0 {
		return nil, nil, fmt.Errorf("column %q, which is x, is empty in every row", t.columns[0])
	}
	return xs, kept, nil
}

// whatIs tells what the first column holds, empty values aside.
func whatIs(t *table) along {
	dates := false
	for _, row := range t.rows {
		if row[0] == nil {
			continue
		}
		if _, ok := moment(row[0]); !ok {
			dates = false
			break
		}
		dates = true
	}
	switch {
	case dates:
		return alongTime
	case numeric(t, 0):
		return alongNumbers
	}
	return alongCategories
}

// oncePerCategory refuses two values in one place: bars would hide each other,
// and the picture would lie.
func (c *chart) oncePerCategory(t *table) error {
	for _, s := range c.series {
		seen := map[float64]bool{}
		for _, x := range s.x {
			if seen[x] {
				return severalRows(t, c.categories[int(x)])
			}
			seen[x] = true
		}
	}
	return nil
}

func severalRows(t *table, category string) error {
	x, y := t.columns[0], t.columns[len(t.columns)-1]
	if oneLine(x) == "" || oneLine(y) == "" {
		return fmt.Errorf("several rows have %q in the first column: aggregate, and give the columns names, as in SELECT a AS x, SUM(b) AS y … GROUP BY a", category)
	}
	return fmt.Errorf("%q = %q stands in several rows: aggregate, as in SELECT %s, SUM(%s) … GROUP BY %[3]s", x, category, plain(x), plain(y))
}

// sort puts the points in the order of x, as a line wants them.
func (s series) sort() {
	order := make([]int, len(s.x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.x[a], s.x[b]) })
	x, y := slices.Clone(s.x), slices.Clone(s.y)
	for to, from := range order {
		s.x[to], s.y[to] = x[from], y[from]
	}
}

// grouped reports whether a box plot's first column says to which box the value
// in the second belongs.
func (c *chart) grouped(t *table) bool { return len(t.columns) == 2 && !numeric(t, 0) }

func (c *chart) boxes(t *table) error {
	if !c.grouped(t) {
		return c.distributions(t)
	}
	at := map[string]int{}
	for row, values := range t.rows {
		y, ok := number(values[1])
		switch {
		case !ok:
			return notNumeric(t, row, 1)
		case math.IsNaN(y):
			continue
		}
		name := label(values[0])
		n, seen := at[name]
		if !seen {
			n = len(c.series)
			at[name] = n
			c.series = append(c.series, series{name: name})
			c.categories = append(c.categories, name)
		}
		c.series[n].y = append(c.series[n].y, y)
	}
	return nil
}

// distributions makes of each column the values it holds, empty ones left out.
func (c *chart) distributions(t *table) error {
	for col, name := range t.columns {
		s := series{name: oneLine(name)}
		for row, values := range t.rows {
			y, ok := number(values[col])
			if !ok {
				return notNumeric(t, row, col)
			}
			if !math.IsNaN(y) {
				s.y = append(s.y, y)
			}
		}
		if len(s.y) == 0 {
			return fmt.Errorf("column %q is empty in every row", name)
		}
		c.series = append(c.series, s)
		c.categories = append(c.categories, s.name)
	}
	return nil
}

func notNumeric(t *table, row, col int) error {
	return fmt.Errorf("column %q is not numeric: row %d holds %s; the first column is x, all others must be numbers (CAST it, or leave it out)", t.columns[col], row+1, quoted(t.rows[row][col]))
}

// numeric reports whether every value of a column is a number or empty, and not
// all are empty.
func numeric(t *table, col int) bool {
	some := false
	for _, row := range t.rows {
		y, ok := number(row[col])
		if !ok {
			return false
		}
		some = some || !math.IsNaN(y)
	}
	return some
}

// number reads a value as a number. No value is NaN. Text counts if it is a
// plain decimal number: exact amounts may come as text.
func number(v any) (y float64, ok bool) {
	switch v := v.(type) {
	case nil:
		return math.NaN(), true
	case float64:
		return v, !math.IsInf(v, 0)
	case int64:
		return float64(v), true
	case int:
		return float64(v), true
	case json.Number:
		return number(v.String())
	case string:
		v = strings.TrimSpace(v)
		if v == "" {
			return math.NaN(), true
		}
		if strings.Trim(v, "+-0123456789.eE") != "" {
			return 0, false // neither Inf, NaN nor 0x10
		}
		y, err := strconv.ParseFloat(v, 64)
		return y, err == nil
	}
	return 0, false
}

var momentForms = []string{
	time.DateOnly, "2006-01", time.DateTime, time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", "2006/01/02",
}

// moment reads a value as a date, or a date and a time.
func moment(v any) (time.Time, bool) {
	switch v := v.(type) {
	case time.Time:
		return v, !v.IsZero()
	case string:
		for _, form := range momentForms {
			if when, err := time.Parse(form, v); err == nil {
				return when.UTC(), true
			}
		}
	}
	return time.Time{}, false
}

// label is a value as the name of a category or a series.
func label(v any) string {
	switch v := v.(type) {
	case nil:
		return "(empty)"
	case string:
		if s := oneLine(v); s != "" {
			return s
		}
		return "(empty)"
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []byte:
		return fmt.Sprintf("(%d bytes)", len(v))
	case time.Time:
		return strings.TrimSuffix(v.UTC().Format(time.DateTime), " 00:00:00")
	}
	return oneLine(fmt.Sprint(v))
}

func quoted(v any) string {
	if v == nil {
		return "nothing"
	}
	return strconv.Quote(shorten(label(v), 40))
}

// sample is the first value of a column that is there.
func sample(t *table, col int) string {
	for _, row := range t.rows {
		if row[col] != nil {
			return quoted(row[col])
		}
	}
	return "nothing"
}
