package dataanalysis

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"helve/internal/excerpt"
)

// table is what a query returns. A cell is nil, int64, float64, string or
// []byte.
type table struct {
	columns []string
	rows    [][]any
	cut     bool     // there are more rows
	notes   []string // what a model must know of where the rows come from
}

// data is what the tools of one Config share. It is safe for concurrent use.
type data struct {
	Config
	cache cache

	mu    sync.Mutex
	parts map[string]parts // path -> the tables in the file
}

func newData(c Config) *data {
	d := &data{Config: c, parts: map[string]parts{}}
	d.cache.images = map[string]*cached{}
	d.cache.turn = make(chan struct{}, 1)
	d.cache.turn <- struct{}{}
	return d
}

// query runs one SELECT over the files and returns its first maxRows rows. The
// error is a *tool.Error, in words for a model.
func (d *data) query(ctx context.Context, sql string, maxRows int) (*table, error) {
	ctx, cancel := context.WithTimeout(ctx, d.Timeout)
	defer cancel()
	t, err := d.run(ctx, sql, maxRows)
	if err != nil {
		return nil, forModel(ctx, err)
	}
	return t, nil
}

const (
	maxText     = 32 << 10 // bytes of a result that a model is shown
	maxCellText = 1000     // bytes of one value of it
)

// text writes t as CSV, the form that costs a model least and says the most: a
// NULL is nothing, an empty text is "". Where something is left out, a line in
// brackets says so.
func (t *table) text() string {
	var b strings.Builder
	for i, c := range t.columns {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(csvText(c))
	}
	b.WriteByte('\n')
	shown := 0
	for _, row := range t.rows {
		before := b.Len()
		for i, v := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(csvCell(v))
		}
		b.WriteByte('\n')
		if b.Len() > maxText && shown > 0 {
			kept := b.String()[:before]
			b.Reset()
			b.WriteString(kept)
			break
		}
		shown++
	}
	switch {
	case shown < len(t.rows):
		fmt.Fprintf(&b, "[cut here: the first %d rows; more would be too long. Ask for fewer columns or rows, or sum up.]\n", shown)
	case t.cut:
		fmt.Fprintf(&b, "[cut here: the first %d rows; there are more. Use WHERE, GROUP BY, or LIMIT and OFFSET.]\n", shown)
	case shown == 0:
		b.WriteString("[no rows]\n")
	}
	for _, n := range t.notes {
		fmt.Fprintf(&b, "[%s]\n", n)
	}
	return b.String()
}

func csvCell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return realText(v)
	case []byte:
		if !utf8.Valid(v) {
			return fmt.Sprintf("[%s of binary data]", size(int64(len(v))))
		}
		return csvText(string(v))
	case string:
		return csvText(v)
	}
	return fmt.Sprint(v)
}

// realText writes a real with the 15 digits of which each is right, as SQLite
// does: 0.1 + 0.2 is 0.3.
func realText(x float64) string {
	if x == 0 {
		return "0.0" // and not -0.0
	}
	s := strconv.FormatFloat(x, 'g', 15, 64)
	if strings.ContainsAny(s, ".IN") { // Inf and NaN stay as they are
		return s
	}
	if mantissa, exponent, ok := strings.Cut(s, "e"); ok {
		return mantissa + ".0e" + exponent
	}
	return s + ".0"
}

func csvText(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) > maxCellText {
		s = fmt.Sprintf("%s… (%s in all)", excerpt.Head(s, maxCellText), size(int64(len(s))))
	}
	if s == "" || strings.ContainsAny(s, ",\"\r\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}
