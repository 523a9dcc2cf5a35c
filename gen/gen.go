package gen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"helve/tool"
)

// File is a generated file.
type File struct {
	Path     string // in the folder, as it was named
	Package  string // import path of its package
	Function string // that returns the tools: Tools, or HelveTools where that name is taken
	Tools    []Tool
	Source   []byte // gofmt's form; the same source makes the same bytes

	abs  string
	main bool
}

// Command reports whether the package is a main, which no other can import.
func (f *File) Command() bool { return f.main }

// Tool is a function that became a tool.
type Tool struct {
	Name     string `json:"name"`
	Function string `json:"function"`
	Place    string `json:"place"` // file:line

	Definition tool.Definition `json:"-"`
}

// Generate reads the Go package in dir and writes its tools in Go. It changes no
// file: see [File.Write]. The error is of type [Problems] where something is wrong
// with the source, and wraps [ErrNoTools] where nothing is marked.
//
// The go command finds and compiles what the package imports; ctx ends it. Nothing
// of the package's is run.
func Generate(ctx context.Context, dir string) (*File, error) {
	p, err := load(ctx, dir)
	if err != nil {
		return nil, err
	}
	list := p.functions()
	if err := p.failed(); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("gen: %s: %w", dir, ErrNoTools)
	}
	f := &File{Path: filepath.Join(dir, FileName), Package: p.path, abs: p.generated(), main: p.pkg.Name() == "main"}
	if f.Source, f.Function, err = p.write(list); err != nil {
		return nil, err
	}
	for _, fn := range list {
		pos := p.position(fn.pos)
		f.Tools = append(f.Tools, Tool{fn.tool, fn.name, fmt.Sprintf("%s:%d", pos.Filename, pos.Line), fn.definition()})
	}
	return f, nil
}

// Stale says how the file on disk differs from f: in no way where it is "".
func (f *File) Stale() (string, error) {
	have, err := os.ReadFile(f.abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f.Path + " is not there", nil
	case err != nil:
		return "", fmt.Errorf("gen: %w", err)
	case bytes.Equal(have, f.Source):
		return "", nil
	}
	old, now := strings.Split(string(have), "\n"), strings.Split(string(f.Source), "\n")
	line := 0
	for line < len(old) && line < len(now) && old[line] == now[line] {
		line++
	}
	at := func(lines []string) string {
		if line < len(lines) {
			return strings.TrimSpace(lines[line])
		}
		return "the end"
	}
	return fmt.Sprintf("%s:%d: has %.120q where the source says %.120q", f.Path, line+1, at(old), at(now)), nil
}

// Write puts the file into its folder, in one step, and reports whether that
// changed anything. It replaces no file that people wrote.
func (f *File) Write() (changed bool, err error) {
	have, err := os.ReadFile(f.abs)
	switch {
	case err == nil && bytes.Equal(have, f.Source):
		return false, nil
	case err == nil && !isGenerated(have):
		return false, fmt.Errorf("gen: %s was not written by helve gen: give your file another name, this one is for the generated code", f.Path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, fmt.Errorf("gen: %w", err)
	}
	temp, err := os.CreateTemp(filepath.Dir(f.abs), ".helve_gen-*")
	if err != nil {
		return false, fmt.Errorf("gen: %w", err)
	}
	defer os.Remove(temp.Name()) // it is gone if all went well
	_, err = temp.Write(f.Source)
	err = errors.Join(err, temp.Chmod(0o644), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), f.abs)
	}
	if err != nil {
		return false, fmt.Errorf("gen: %w", err)
	}
	return true, nil
}

func isGenerated(source []byte) bool {
	first, _, _ := strings.Cut(header, "\n")
	return bytes.HasPrefix(source, []byte(first))
}
