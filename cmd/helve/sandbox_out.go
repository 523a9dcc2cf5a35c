package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// outlet puts the files that a program made into a folder. Nothing that the program does,
// and no symbolic link there, makes it write elsewhere.
type outlet struct {
	dir   string
	root  *os.Root
	force bool
}

// openOutlet opens the folder before anything runs: what a program made can't be made
// again at will. It is nil where none is wanted.
func openOutlet(dir string, force bool) (*outlet, error) {
	if dir == "" {
		return nil, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, usage("--out: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, usage("--out: %w", err)
	}
	return &outlet{dir, root, force}, nil
}

func (o *outlet) close() {
	if o != nil {
		o.root.Close()
	}
}

// take writes all files that it can. It returns where they are, and why others are not.
func (o *outlet) take(files fs.FS) (taken []string, problems []error) {
	if o == nil {
		return nil, nil
	}
	for _, name := range made(files) {
		where, err := o.put(files, name)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		taken = append(taken, where)
	}
	return taken, problems
}

func (o *outlet) put(files fs.FS, name string) (string, error) {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return "", err
	}
	mode := fs.FileMode(0o644)
	if info, err := fs.Stat(files, name); err == nil && info.Mode()&0o111 != 0 {
		mode = 0o755
	}
	return o.write(name, data, mode)
}

// write makes one file, and returns where it is.
func (o *outlet) write(name string, data []byte, mode fs.FileMode) (string, error) {
	name = filepath.FromSlash(name)
	where := filepath.Join(o.dir, name)
	if err := o.root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return "", err
	}
	if o.force {
		if err := o.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	f, err := o.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s: %w", where, fs.ErrExist)
	}
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		_ = o.root.Remove(name) // half of a file is none
	}
	return where, err
}

// made are the names of the files that a program made.
func made(files fs.FS) []string {
	names := []string{}
	_ = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path.Clean(name))
		}
		return nil
	})
	return names
}
