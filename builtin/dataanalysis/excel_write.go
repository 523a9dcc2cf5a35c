package dataanalysis

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/xuri/excelize/v2"

	"helve/tool"
)

const (
	maxWriteCells  = 200_000
	maxExcelText   = 32_767 // Excel's own
	maxChangeCells = 500_000
	maxChangeRows  = 200_000
	maxUnnumbered  = 2000     // rows that do not say which they are: excelize takes quadratic time for them
	maxChangePart  = 32 << 20 // any part of a workbook that is changed, unpacked
	maxChangeBook  = 64 << 20 // all of them
)

type writeAnswer struct {
	File  string `json:"file"`
	Sheet string `json:"sheet"`
	Range string `json:"range"`
	Rows  int    `json:"rows"` // without the header
	Bytes int64  `json:"bytes"`
	Note  string `json:"note,omitempty"`
}

// write makes or changes a workbook of the output folder, as a whole: a reader
// sees it before or after.
func (e *excel) write(ctx context.Context, in excelInput) (tool.Result, error) {
	if e.data.Output == nil {
		return tool.Result{}, denied("excel_tool can't write: this host gave it no output folder")
	}
	if in.Mode == "" {
		in.Mode = "new"
	}
	w, err := newSheetWriter(in)
	if err != nil {
		return tool.Result{}, err
	}
	e.writing.Lock()
	defer e.writing.Unlock()
	f, note, err := e.toChange(ctx, in, w)
	if err != nil {
		return tool.Result{}, err
	}
	defer f.Close()
	w.file = f
	if err := guarded(func() error { return w.fill(ctx) }); err != nil {
		return tool.Result{}, err
	}
	var content bytes.Buffer
	if err := guarded(func() error { return f.Write(&content) }); err != nil {
		return tool.Result{}, err
	}
	if err := ctx.Err(); err != nil {
		return tool.Result{}, err
	}
	saved, err := e.save(in, content.Bytes())
	if err != nil {
		return tool.Result{}, err
	}
	if in.Formulas {
		note = strings.TrimPrefix(note+"; formulas have results only once a spreadsheet program has opened the workbook", "; ")
	}
	answer := writeAnswer{saved.Path, w.sheet, w.written.String(), len(in.Rows), saved.Size, note}
	return tool.WithArtifact(answer, saved), nil
}

// guarded turns a panic into an error: excelize reads more of a workbook than we
// can check, and a damaged part may surprise it.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &tool.Error{Kind: tool.KindExecution, Message: "excel_tool: the workbook is damaged: it can't be changed; write a new one", Err: fmt.Errorf("excelize panicked: %v", p)}
		}
	}()
	return f()
}

// toChange returns the workbook that will be written into.
func (e *excel) toChange(ctx context.Context, in excelInput, w *sheetWriter) (f *excelize.File, note string, err error) {
	if in.Mode == "new" {
		if _, err := e.data.Output.Stat(in.File); err == nil && !in.Overwrite {
			return nil, "", errExists
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, "", outputError(in.File, err)
		}
		return excelize.NewFile(), "", nil
	}
	b, content, folder, err := e.load(in.File)
	if errors.Is(err, fs.ErrNotExist) {
		if in.Mode == "append" || in.Mode == "replace" {
			return excelize.NewFile(), "the workbook did not exist and was made", nil
		}
		return nil, "", err
	}
	if err != nil {
		return nil, "", err
	}
	if err := w.measure(ctx, b); err != nil {
		return nil, "", err
	}
	err = guarded(func() error {
		f, err = excelize.OpenReader(bytes.NewReader(content), excelize.Options{UnzipSizeLimit: maxChangeBook, UnzipXMLSizeLimit: maxChangePart})
		return err
	})
	if err != nil {
		var ours *tool.Error
		if errors.As(err, &ours) {
			return nil, "", err
		}
		return nil, "", fmt.Errorf("can't be changed: %w", err)
	}
	if folder == "data" {
		note = "a copy in the output folder was changed; the workbook in the data folder is as it was"
	}
	return f, note, nil
}

var errExists = errors.New("is there already: choose another name, set overwrite to true, or change it with the mode append, replace or range")

func (e *excel) save(in excelInput, content []byte) (Saved, error) {
	if len(content) > maxBookFile {
		return Saved{}, fmt.Errorf("would have %s, more than the %s that are allowed: write less", size(int64(len(content))), size(maxBookFile))
	}
	name := path.Clean(in.File)
	saved := Saved{Path: name, MediaType: mediaTypeOf(".xlsx"), Size: int64(len(content))}
	root := e.data.Output
	if folder := path.Dir(name); folder != "." {
		if err := root.MkdirAll(folder, 0o755); err != nil {
			return Saved{}, outputError(name, err)
		}
	}
	temp, err := writeHidden(root, path.Dir(name), content)
	if err != nil {
		return Saved{}, outputError(name, err)
	}
	defer root.Remove(temp)
	if in.Mode == "new" && !in.Overwrite {
		err = publish(root, temp, name)
	} else {
		err = root.Rename(temp, name)
	}
	if errors.Is(err, fs.ErrExist) {
		return Saved{}, errExists
	}
	if err != nil {
		return Saved{}, outputError(name, err)
	}
	return saved, nil
}
