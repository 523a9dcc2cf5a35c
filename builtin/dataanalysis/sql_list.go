package dataanalysis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"helve/tool"
)

const (
	maxSummary    = 1000            // bytes of the tables in the description
	maxPeek       = 1 << 20         // bytes of a file whose columns the description names
	summaryTime   = 2 * time.Second // for all that the description says
	maxListed     = 100             // tables in a listing
	maxListedCols = 60              // columns of one of them
	maxCounted    = 64 << 20        // bytes of a file whose rows a listing counts
)

// summary names the tables that are there now, so that a model can write SQL in
// its first call: with their columns where those are cheap to find.
func (d *data) summary() string {
	ctx, cancel := context.WithTimeout(context.Background(), summaryTime)
	defer cancel()
	c, err := d.catalog(ctx)
	if err != nil || len(c.entries) == 0 {
		return "Call it without sql to list the tables."
	}
	var b strings.Builder
	for i, e := range c.entries {
		one := plain(e.name)
		if columns := d.peek(ctx, c, e); len(columns) > 0 && len(columns) <= 20 {
			one += "(" + strings.Join(columns, ", ") + ")"
		}
		if b.Len()+len(one) > maxSummary {
			return fmt.Sprintf("Tables: %s and %d more. Call it without sql to list them all with their columns.", b.String(), len(c.entries)-i)
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(one)
	}
	return "Tables: " + b.String() + ". Call it without sql for their types."
}

// peek returns the columns of a small file, without reading its rows.
func (d *data) peek(ctx context.Context, c *catalog, e *entry) (columns []string) {
	if e.info.Size() > maxPeek && e.format != "sqlite" && e.format != "csv" && e.format != "tsv" || ctx.Err() != nil {
		return nil
	}
	if e.format == "sqlite" {
		s, err := d.newSession(ctx)
		if err != nil {
			return nil
		}
		defer s.close()
		if s.cat = c; s.add(e) == nil {
			columns, _ = s.columnsOf(e)
		}
		return columns
	}
	f, info, err := d.open(e.path)
	if err != nil {
		return nil
	}
	defer f.Close()
	columns, _ = header(ctx, e, io.NewSectionReader(f, 0, info.Size()))
	return columns
}

func header(ctx context.Context, e *entry, r *io.SectionReader) (columns []string, err error) {
	defer func() {
		if p := recover(); p != nil { // as in build
			err = errors.New("damaged")
		}
	}()
	src, err := sourceOf(e, r, maxPeek)
	if err != nil {
		return nil, err
	}
	err = src.scan(ctx, func(names []string) error {
		if err := tooManyColumns(len(names)); err != nil {
			return err
		}
		columns = columnNames(names)
		return errEnough
	}, func([]cell) error { return nil })
	return columns, err
}

// Table is what a listing says of one table; the artifact of a call without sql
// is a slice of them. Rows is -1 where they were not counted, because the file
// is large. Err says why a table can't be read.
type Table struct {
	Name    string
	File    string
	Columns []Column
	Rows    int64
	Err     string
}

// Column is one column of a table: its name as SQL takes it, and its type.
type Column struct{ Name, Type string }

// list says what tables there are. It loads the smaller files, which the next
// query then finds ready.
func (d *data) list(ctx context.Context) (tool.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, d.Timeout)
	defer cancel()
	c, err := d.catalog(ctx)
	if err != nil {
		return tool.Result{}, forModel(ctx, err)
	}
	soon, cancel := context.WithTimeout(ctx, d.Timeout/2) // what is known by then is said
	defer cancel()
	tables := []Table{}
	notes := c.notes
	for _, e := range c.entries[:min(len(c.entries), maxListed)] {
		each, cancel := context.WithTimeout(soon, d.Timeout/5) // one slow view costs the others nothing
		t, more := d.describe(each, c, e)
		cancel()
		tables = append(tables, t)
		for _, n := range more {
			if len(notes) < maxListed {
				notes = append(notes, n)
			}
		}
	}
	if ctx.Err() != nil {
		return tool.Result{}, forModel(ctx, ctx.Err())
	}
	result := tool.Text(listing(tables, len(c.entries), notes))
	result.Artifact = tables
	return result, nil
}

func (d *data) describe(ctx context.Context, c *catalog, e *entry) (Table, []string) {
	t := Table{Name: plain(e.name), File: e.place(), Rows: -1}
	if e.format != "sqlite" && e.info.Size() > maxCounted {
		for _, name := range d.peek(ctx, c, e) {
			t.Columns = append(t.Columns, Column{Name: plain(name)})
		}
		return t, nil
	}
	s, err := d.newSession(ctx)
	if err != nil {
		t.Err = err.Error()
		return t, nil
	}
	defer s.close()
	s.cat = c
	if err := s.add(e); err != nil {
		t.Err = reasonText(ctx, err)
		return t, nil
	}
	columns, err := s.engine.selectAll("SELECT name, type FROM pragma_table_info(" + literal(e.name) + ", 'temp')")
	if err != nil {
		t.Err = reasonText(ctx, err)
		return t, nil
	}
	for _, row := range columns {
		name, _ := row[0].(string)
		typ, _ := row[1].(string)
		t.Columns = append(t.Columns, Column{plain(name), typ})
	}
	if e.info.Size() <= maxCounted {
		if rows, err := s.engine.selectAll("SELECT count(*) FROM temp." + quote(e.name)); err == nil {
			t.Rows, _ = rows[0][0].(int64)
		}
	}
	return t, s.notes
}

func reasonText(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return "there was no time left to read it"
	}
	return err.Error()
}

// literal writes a text as SQL does.
func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func listing(tables []Table, all int, notes []string) string {
	if all == 0 && len(notes) == 0 {
		return "The folder holds no tables: no file ends in .db, .sqlite, .sqlite3, .csv, .tsv, .jsonl, .ndjson, .parquet or .xlsx.\n"
	}
	var b strings.Builder
	for _, t := range tables {
		if b.Len() > maxText {
			break
		}
		fmt.Fprintf(&b, "%s (%s", t.Name, t.File)
		if t.Rows >= 0 {
			fmt.Fprintf(&b, ", %d rows", t.Rows)
		}
		b.WriteString("): ")
		if t.Err != "" {
			fmt.Fprintf(&b, "can't be read: %s", t.Err)
		}
		for i, c := range t.Columns {
			if i == maxListedCols {
				fmt.Fprintf(&b, " and %d more", len(t.Columns)-i)
				break
			}
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(strings.TrimSpace(c.Name + " " + c.Type))
		}
		b.WriteByte('\n')
		all--
	}
	if all > 0 {
		fmt.Fprintf(&b, "[and %d more tables]\n", all)
	}
	for _, n := range notes {
		fmt.Fprintf(&b, "[%s]\n", n)
	}
	return b.String()
}
