package dataanalysis

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"

	"helve/tool"
)

type excelInput struct {
	Operation string     `json:"operation" jsonschema:"enum=list,enum=read,enum=summarise,enum=write" jsonschema_description:"list: the workbooks, or with file the sheets of one and how large they are. read: cells of a sheet. summarise: each column of a sheet with its type, count, blanks, distinct values, min, max, mean, sum. write: make a workbook or change a sheet."`
	File      string     `json:"file,omitempty" jsonschema:"example=sales.xlsx" jsonschema_description:"The workbook's path, such as sales.xlsx. All operations but list need it."`
	Sheet     string     `json:"sheet,omitempty" jsonschema_description:"The sheet's name. Left out, it is the first."`
	Range     string     `json:"range,omitempty" jsonschema_description:"Only these cells: A1:D20, A:C or 3:10. For write in the mode range, the cell at the top left, such as B2."`
	Offset    int        `json:"offset,omitempty" jsonschema:"minimum=0" jsonschema_description:"read: leave out so many rows first; an answer that was cut says how to go on."`
	Limit     int        `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000" jsonschema_description:"read: at most so many rows."`
	Shown     bool       `json:"shown,omitempty" jsonschema_description:"read: true gives each cell as the sheet shows it, formatted as text (12.5%); false gives its value (0.125)."`
	Mode      string     `json:"mode,omitempty" jsonschema:"enum=new,enum=append,enum=replace,enum=range,default=new" jsonschema_description:"write: new makes a workbook. append adds rows under what the sheet has. replace empties the sheet first. range puts the rows where range says. Those three change a copy in the output folder."`
	Columns   []string   `json:"columns,omitempty" jsonschema_description:"write: the names for a header row, such as [\"region\", \"total\"]. With append they are written to an empty sheet only."`
	Rows      []givenRow `json:"rows,omitempty" jsonschema_description:"write: the rows, such as [[\"North\", 1200.5], [\"South\", 980]]. Numbers, true and false, and null for an empty cell keep their type; a text such as 2026-05-01 becomes a date."`
	Formulas  bool       `json:"formulas,omitempty" jsonschema_description:"write: true makes formulas of texts that begin with =. Otherwise they stay text."`
	Overwrite bool       `json:"overwrite,omitempty" jsonschema_description:"write in the mode new: true replaces a workbook of the output folder that has this name."`
}

// excelTool returns excel_tool: it lists, reads and summarises the workbooks of
// both folders, and writes workbooks in the output folder. A workbook of the data
// folder that it changes is copied there first: the data stays as it is.
//
// The artifact of a write is a [Saved] without the bytes.
func excelTool(d *data) (tool.Tool, error) {
	e := &excel{data: d}
	description := "Work with Excel workbooks (.xlsx): list them, read cells, summarise a sheet's columns, write sheets."
	if d.Output == nil {
		description = "Work with Excel workbooks (.xlsx): list them, read cells, summarise a sheet's columns. It can't write: there is no output folder."
	}
	return tool.New("excel_tool", description, e.call, tool.Timeout(d.Timeout))
}

type excel struct {
	data    *data
	writing sync.Mutex // two changes of one workbook would lose one
}

func (e *excel) call(ctx context.Context, in excelInput) (any, error) {
	var answer any
	var err error
	switch {
	case in.Operation == "list" && in.File == "":
		answer, err = e.list(ctx)
	case in.File == "":
		err = invalid("%s needs file: the operation list shows which there are", in.Operation)
	case in.Operation == "list":
		answer, err = e.describe(ctx, in)
	case in.Operation == "read":
		answer, err = e.read(ctx, in)
	case in.Operation == "summarise":
		answer, err = e.summarise(ctx, in)
	case in.Operation == "write":
		answer, err = e.write(ctx, in)
	default:
		err = invalid("operation %.50q is none of list, read, summarise and write", in.Operation)
	}
	return answer, e.explain(in.File, err)
}

// explain gives an error the name of the file it is about, unless the error is
// already in the words it will have.
func (e *excel) explain(file string, err error) error {
	var ours *tool.Error
	if err == nil || errors.As(err, &ours) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("excel_tool: %.200q %w", file, err)
}

// load opens a workbook by name: of the output folder if it is there, which is
// where a changed copy is, and else of the data folder.
func (e *excel) load(name string) (b *book, content []byte, folder string, err error) {
	content, folder, err = e.content(name)
	if err != nil {
		return nil, nil, "", err
	}
	b, err = openBook(bytes.NewReader(content), int64(len(content)))
	return b, content, folder, err
}

func (e *excel) content(name string) (content []byte, folder string, err error) {
	if ext := strings.ToLower(path.Ext(name)); ext == ".xls" || ext == ".xlsb" || ext == ".ods" {
		return nil, "", fmt.Errorf("can't be read: it is no .xlsx; ask the person to save it as .xlsx")
	}
	if e.data.Output != nil {
		content, err = readWhole(e.data.Output, name, e.limit())
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return content, "output", err
		}
	}
	content, err = readWhole(e.data.Data, name, e.limit())
	return content, "data", err
}

func (e *excel) limit() int64 { return min(maxBookFile, e.data.MaxBytes) }

// readWhole reads a regular file of at most limit bytes.
func readWhole(root *os.Root, name string, limit int64) ([]byte, error) {
	f, info, err := openRegular(root, name)
	if err != nil {
		return nil, inputError(name, err)
	}
	defer f.Close()
	if info.Size() > limit {
		return nil, fmt.Errorf("has %s, more than the %s that are read: ask for a smaller workbook, or the data as CSV", size(info.Size()), size(limit))
	}
	content := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	n, err := content.ReadFrom(io.LimitReader(f, limit+1))
	if err != nil || n > limit {
		return nil, errors.New("changed while it was read")
	}
	return content.Bytes(), nil
}

// missingError is for a file that is not there. It says so to the model, and to
// errors.Is.
type missingError struct{ err error }

func (e missingError) Error() string {
	return "does not exist: the operation list shows which workbooks do"
}
func (e missingError) Unwrap() error { return e.err }

func inputError(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return missingError{err}
	case errors.Is(err, fs.ErrPermission):
		return errors.New("may not be read")
	case errors.Is(err, errNotRegular):
		return errors.New("is no file")
	case leaves(err):
		return denied("excel_tool: file %.200q leaves the folder: write a path relative to it, as the operation list does", name)
	}
	return withoutPath(err)
}
