package builtin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"helve/tool"
)

const (
	maxEntries = 1000   // of one answer
	maxScanned = 20_000 // entries that one call looks at
)

type listFilesInput struct {
	Path    string `json:"path,omitempty" jsonschema:"default=.,example=docs" jsonschema_description:"The folder to list, relative to the root folder, such as docs. A dot is the root folder."`
	Pattern string `json:"pattern,omitempty" jsonschema:"example=*.md" jsonschema_description:"Only names that match this shell pattern, such as *.md."`
	Depth   int    `json:"depth,omitempty" jsonschema:"minimum=1,maximum=10,default=1" jsonschema_description:"How many levels of folders to list: 1 is the folder alone, 10 the most."`
}

type listFilesOutput struct {
	Entries []fileEntry `json:"entries"`
	Cut     string      `json:"cut,omitempty"`
}

// fileEntry is a line of the answer. Type is file, folder, link or other; Size
// is in bytes and there for files alone.
type fileEntry struct {
	Path string `json:"path"`
	Type string `json:"type"`
	Size *int64 `json:"size,omitempty"`
}

// ListFiles returns the tool list_files: it lists a folder under root, to a
// depth the model chooses, in the order of the paths. The result is a JSON
// object:
//
//	{"entries":[{"path":"docs","type":"folder"},{"path":"docs/guide.md","type":"file","size":1234}]}
//
// Links are listed and not followed. Beyond 1,000 entries, or 20,000 looked at,
// the list ends and "cut" says so. root stays open and belongs to the caller.
func ListFiles(root *os.Root) tool.Tool {
	return tool.Must(tool.New("list_files",
		"List what is in a folder: files with their sizes in bytes, and folders.",
		func(ctx context.Context, in listFilesInput) (listFilesOutput, error) {
			return listFiles(ctx, root, in)
		}, tool.ReadOnly(), tool.Idempotent()))
}

func listFiles(ctx context.Context, root *os.Root, in listFilesInput) (listFilesOutput, error) {
	if in.Path == "" {
		in.Path = "."
	}
	if _, err := path.Match(in.Pattern, ""); err != nil || strings.Contains(in.Pattern, "/") {
		return listFilesOutput{}, fmt.Errorf("pattern %.200q: write a shell pattern for the name alone, such as *.md", in.Pattern)
	}
	l := listing{ctx: ctx, root: root, pattern: in.Pattern, entries: []fileEntry{}}
	err := l.folder(path.Clean(in.Path), max(in.Depth, 1))
	switch {
	case errors.Is(err, errEntries):
		return listFilesOutput{l.entries, fmt.Sprintf("there are more than %d entries: name a folder, a pattern or a smaller depth", maxEntries)}, nil
	case errors.Is(err, errScanned):
		return listFilesOutput{l.entries, fmt.Sprintf("there are %d files and folders or more, not all were looked at: name a folder or a smaller depth", maxScanned)}, nil
	case err != nil:
		return listFilesOutput{}, err
	}
	return listFilesOutput{Entries: l.entries}, nil
}

var (
	errEntries = errors.New("too many entries")
	errScanned = errors.New("too much to look at")
)

// listing walks folders in the order of their paths.
type listing struct {
	ctx     context.Context
	root    *os.Root
	pattern string
	entries []fileEntry
	scanned int
}

func (l *listing) folder(name string, depth int) error {
	if err := l.ctx.Err(); err != nil {
		return err
	}
	children, err := l.read(name)
	if err != nil {
		return err
	}
	for _, child := range children {
		at := path.Join(name, child.Name())
		if err := l.add(at, child.Type()); err != nil {
			return err
		}
		if !child.IsDir() || depth == 1 {
			continue
		}
		if err := l.folder(at, depth-1); err != nil && !unreadable(err) {
			return err
		}
	}
	if l.scanned >= maxScanned {
		return errScanned
	}
	return nil
}

// read returns the entries of a folder, sorted, as far as the bound on a call
// lets it look.
func (l *listing) read(name string) ([]fs.DirEntry, error) {
	f, _, err := openIn(l.root, name, folder)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if l.scanned >= maxScanned {
		return nil, errScanned
	}
	children, err := f.ReadDir(maxScanned - l.scanned)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, pathError(name, err)
	}
	l.scanned += len(children)
	slices.SortFunc(children, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return children, nil
}

func (l *listing) add(name string, mode fs.FileMode) error {
	if ok, _ := path.Match(l.pattern, path.Base(name)); l.pattern != "" && !ok {
		return nil
	}
	if len(l.entries) == maxEntries {
		return errEntries
	}
	entry := fileEntry{Path: validText([]byte(name)), Type: kindOf(mode)}
	if mode.IsRegular() {
		info, err := l.root.Lstat(name)
		if err != nil {
			return nil // removed since
		}
		size := info.Size()
		entry.Size = &size
	}
	l.entries = append(l.entries, entry)
	return nil
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "folder"
	case mode.IsRegular():
		return "file"
	case mode&fs.ModeSymlink != 0:
		return "link"
	}
	return "other"
}

// unreadable reports an error that concerns one folder below the one asked for:
// the rest of the list is worth having.
func unreadable(err error) bool {
	return !errors.Is(err, errEntries) && !errors.Is(err, errScanned) &&
		!errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}
