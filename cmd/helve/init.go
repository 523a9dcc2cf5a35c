package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"helve/catalog"
)

// demo is the workspace that init makes. In it, gitignore has lost its dot and Go
// source ends in .txt, so that nothing takes them for its own.
//
//go:embed demo
var demo embed.FS

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init [DIR]",
		Short: "Make a workspace that works",
		Long: `Init makes a workspace in DIR, or here: settings, an agent, a tool set, a tool of
each kind, some data, and a README. It runs at once, with the offline model.

DIR must be new or empty: init never changes a file that is there.`,
		Example: `  helve init demo && cd demo && helve doctor
  helve init`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			return a.initialise(dir)
		},
	}
}

func (a *app) initialise(dir string) error {
	if err := empty(dir); err != nil {
		return err
	}
	files, err := a.demoFiles()
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		target := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return usage("%w", err)
		}
		if err := writeNew(target, files[path]); err != nil {
			return usage("%w", err)
		}
	}
	for _, folder := range []string{"output"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			return err
		}
	}
	fmt.Fprintf(a.std.err, "helve: a workspace is in %s; next:\n", printable(dir))
	if dir != "." {
		fmt.Fprintf(a.std.err, "  cd %s\n", printable(dir))
	}
	fmt.Fprint(a.std.err, "  helve doctor\n  helve run \"What is 17 * 23, and what time is it in Asia/Shanghai?\"\n")
	return nil
}

// empty fails for a folder that has files; those whose names begin with a dot, such as
// .git, don't count.
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return usage("%w", err)
	}
	for _, e := range entries {
		if e.Name() == ".helve" || !strings.HasPrefix(e.Name(), ".") {
			hint := "name a new folder: helve init DIR"
			if _, err := os.Stat(filepath.Join(dir, catalog.SettingsFile)); errors.Is(err, fs.ErrNotExist) {
				hint += "; to make this one a workspace, put an empty " + catalog.SettingsFile + " into it"
			}
			return &failure{exitUsage, "not_empty", fmt.Errorf("%s is not empty: there is %s", dir, e.Name()), hint}
		}
	}
	return nil
}

// demoFiles are the files of a new workspace, by their paths.
func (a *app) demoFiles() (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(demo, "demo", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := demo.ReadFile(path)
		name := strings.TrimSuffix(strings.TrimPrefix(path, "demo/"), ".txt")
		if name == "gitignore" {
			name = ".gitignore"
		}
		files[name] = data
		return err
	})
	if err != nil {
		return nil, err
	}
	schemas, err := catalog.Schemas(a.sources()...)
	for kind, s := range schemas {
		files[".helve/schemas/"+kind+".json"] = s
	}
	return files, err
}

// writeNew writes a file that is not there yet.
func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
