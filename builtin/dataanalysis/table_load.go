package dataanalysis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	sqlite "modernc.org/sqlite/lib"
)

// source is a file that is no database: its rows in order. It can be read more
// than once. header is called once and first; cells belong to the source, and
// no cells at all are no row, but a sign of life.
type source interface {
	scan(ctx context.Context, header func([]string) error, row func(cells []cell) error) error
}

// image is a file made into a database of one table, imageTable. It lies in a
// temporary file without a name, which goes when nobody holds it any more.
type image struct {
	file    *os.File
	size    int64
	columns []column
	rows    int64
	notes   []string
}

// imageTable is a name that no file's table has: identifier makes no spaces.
const imageTable = "the table"

// buildImage reads a source twice: for the types of its columns, which all of
// its values decide, and for its rows. Neither is ever whole in memory.
func buildImage(ctx context.Context, name string, src source, limit int64) (*image, error) {
	img := &image{}
	if err := img.infer(ctx, src); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp("", "helve-*.sqlite")
	if err != nil {
		return nil, fmt.Errorf("no temporary file for %s: %w", name, withoutPath(err))
	}
	path := f.Name()
	f.Close()
	defer os.Remove(path)
	if err := img.fill(ctx, path, src, limit); err != nil {
		var e *engineError
		if errors.As(err, &e) && e.code&0xff == sqlite.SQLITE_FULL {
			return nil, fmt.Errorf("%s is too large: as a table it has more than %s", name, size(limit))
		}
		return nil, err
	}
	if img.file, err = os.Open(path); err != nil {
		return nil, withoutPath(err)
	}
	info, err := img.file.Stat()
	if err != nil {
		return nil, withoutPath(err)
	}
	img.size = info.Size()
	return img, nil
}

// infer finds the columns and their types.
func (img *image) infer(ctx context.Context, src source) error {
	row := 0
	err := src.scan(ctx, func(header []string) error {
		if err := tooManyColumns(len(header)); err != nil {
			return err
		}
		img.columns = nil
		for _, name := range columnNames(header) {
			img.columns = append(img.columns, column{name: name})
		}
		return nil
	}, func(cells []cell) error {
		if cells == nil {
			return ctx.Err()
		}
		row++
		all := 0
		for i, c := range cells {
			if all += len(c.text); len(c.text) > maxCell/2 {
				return fmt.Errorf("a value of %s: at most %s can be read", size(int64(len(c.text))), size(maxCell/2))
			}
			img.columns[i].see(c, row)
		}
		if all > maxCell {
			return fmt.Errorf("a row of %s: at most %s can be read", size(int64(all)), size(maxCell))
		}
		return ctx.Err()
	})
	for i := range img.columns {
		const most = 10
		if note := img.columns[i].settle(); note != "" && len(img.notes) < most {
			img.notes = append(img.notes, note)
		}
	}
	return err
}

func tooManyColumns(n int) error {
	if n > maxColumns {
		return fmt.Errorf("more than %d columns", maxColumns)
	}
	return nil
}

func (img *image) fill(ctx context.Context, path string, src source, limit int64) error {
	e, err := openEngine(path, &guard{ctx: ctx, trusted: true})
	if err != nil {
		return err
	}
	defer e.close()
	if err := e.exec(img.schema(limit)); err != nil {
		return err
	}
	insert, _, err := e.prepare("INSERT INTO " + quote(imageTable) + " VALUES (?" + strings.Repeat(",?", len(img.columns)-1) + ")")
	if err != nil {
		return err
	}
	defer insert.close()
	row := make([]any, len(img.columns))
	err = src.scan(ctx, func(header []string) error {
		if len(header) != len(img.columns) {
			return errChanged
		}
		return nil
	}, func(cells []cell) error {
		if cells == nil {
			return ctx.Err()
		}
		for i, c := range cells {
			row[i] = img.columns[i].value(c)
		}
		img.rows++
		return insert.insert(row)
	})
	if err != nil {
		return err
	}
	return e.exec("COMMIT")
}

func (img *image) schema(limit int64) string {
	const page = 4096
	var b strings.Builder
	fmt.Fprintf(&b, "PRAGMA page_size=%d; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA max_page_count=%d; BEGIN; CREATE TABLE %s (",
		page, max(limit/page, 2), quote(imageTable))
	for i, c := range img.columns {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quote(c.name) + " " + c.typ)
	}
	b.WriteString(")")
	return b.String()
}

// errChanged says that a file was written while it was read.
var errChanged = errors.New("it was changed while it was read: ask again")

// sourceOf returns how the file of e is read. No column of it may have more bytes
// than limit.
func sourceOf(e *entry, r *io.SectionReader, limit int64) (source, error) {
	switch e.format {
	case "csv":
		return &csvFile{name: e.path, r: r}, nil
	case "tsv":
		return &csvFile{name: e.path, r: r, delimiter: '\t'}, nil
	case "jsonl":
		return &jsonlFile{name: e.path, r: r}, nil
	case "parquet":
		return &parquetFile{name: e.path, r: r, limit: limit}, nil
	}
	book, err := openBook(r, r.Size())
	if err != nil {
		return nil, fmt.Errorf("%s %w", e.path, err)
	}
	at, err := book.sheet(e.part)
	if err != nil {
		return nil, fmt.Errorf("%s %w", e.path, err)
	}
	return &sheet{e.path, e.place(), book, at}, nil
}
