package dataanalysis

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

const (
	maxBooks   = 200 // workbooks
	maxOpened  = 20  // workbooks of a list whose sheets are named
	listedSize = 4 << 20
)

type workbookList struct {
	Workbooks []workbookEntry `json:"workbooks"`
	Note      string          `json:"note,omitempty"`
}

type workbookEntry struct {
	File   string   `json:"file"`
	Folder string   `json:"folder"` // data or output
	Bytes  int64    `json:"bytes"`
	Sheets []string `json:"sheets,omitempty"`
	Error  string   `json:"error,omitempty"`
}

// list names the workbooks of both folders, and the sheets of the first and
// small ones. Links to folders are not followed.
func (e *excel) list(ctx context.Context) (workbookList, error) {
	list := workbookList{Workbooks: []workbookEntry{}}
	for _, folder := range []struct {
		name string
		root *os.Root
	}{{"data", e.data.Data}, {"output", e.data.Output}} {
		if folder.root == nil {
			continue
		}
		looked := 0
		err := fs.WalkDir(folder.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if looked++; looked > maxEntries || len(list.Workbooks) == maxBooks {
				list.Note = fmt.Sprintf("there may be more: the list ends after %d workbooks, or %d files looked at", maxBooks, maxEntries)
				return fs.SkipAll
			}
			if err != nil {
				return nil // this folder can't be read, others can
			}
			ext := strings.ToLower(path.Ext(name))
			if d.IsDir() || ext != ".xlsx" && ext != ".xlsm" || strings.HasPrefix(d.Name(), "~$") {
				return nil
			}
			if info, err := folder.root.Stat(name); err == nil && info.Mode().IsRegular() {
				list.Workbooks = append(list.Workbooks, workbookEntry{File: strings.ToValidUTF8(name, "\uFFFD"), Folder: folder.name, Bytes: info.Size()})
			}
			return nil
		})
		if err != nil {
			return list, err
		}
	}
	slices.SortStableFunc(list.Workbooks, func(a, b workbookEntry) int { return strings.Compare(a.File, b.File) })
	opened := 0
	for i := range list.Workbooks {
		if err := ctx.Err(); err != nil {
			return list, err
		}
		w := &list.Workbooks[i]
		if opened == maxOpened || w.Bytes > listedSize {
			continue // list with file names them
		}
		opened++
		root := e.data.Data
		if w.Folder == "output" {
			root = e.data.Output
		}
		content, err := readWhole(root, w.File, e.limit())
		if err == nil {
			var b *book
			if b, err = openBook(bytes.NewReader(content), int64(len(content))); err == nil {
				w.Sheets = b.sheetNames()
				continue
			}
		}
		w.Error = err.Error()
	}
	if len(list.Workbooks) == 0 {
		list.Note = "there is no .xlsx file; sql_tool reads CSV and others"
	}
	return list, nil
}

type workbookDescription struct {
	File   string             `json:"file"`
	Folder string             `json:"folder"`
	Sheets []sheetDescription `json:"sheets"`
}

type sheetDescription struct {
	Name   string `json:"name"`
	Hidden bool   `json:"hidden,omitempty"`
	Range  string `json:"range,omitempty"` // that holds all cells with something in them
	Rows   int    `json:"rows"`            // with something in them
	First  []any  `json:"first_row,omitempty"`
	Error  string `json:"error,omitempty"`
}

const maxFirstRow = 50 // cells

// describe counts the cells of every sheet, whatever size the file claims.
func (e *excel) describe(ctx context.Context, in excelInput) (workbookDescription, error) {
	b, _, folder, err := e.load(in.File)
	if err != nil {
		return workbookDescription{}, err
	}
	answer := workbookDescription{File: in.File, Folder: folder}
	for _, s := range b.sheets {
		d := sheetDescription{Name: s.name, Hidden: s.hidden}
		extent := nothing
		err := b.eachRow(ctx, s, func(row int, cells []bookCell) error {
			some := false
			for _, c := range cells {
				v := b.value(c)
				if v == nil || v == "" {
					continue
				}
				some = true
				extent = extent.grow(row, c.column)
				if d.Rows == 0 && len(d.First) < maxFirstRow {
					d.First = append(d.First, brief(v))
				}
			}
			if some {
				d.Rows++
			}
			return nil
		})
		switch {
		case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			return answer, err
		case err != nil:
			d.Error = err.Error()
		}
		if d.Rows > 0 {
			d.Range = extent.String()
		}
		answer.Sheets = append(answer.Sheets, d)
	}
	return answer, nil
}

// brief is v, cut if it is a long text.
func brief(v any) any {
	if s, ok := v.(string); ok {
		return shorten(s, 100)
	}
	return v
}
