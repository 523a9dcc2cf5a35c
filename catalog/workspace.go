package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"helve/internal/yamlfile"
)

// SettingsFile is the file that makes a folder a workspace.
const SettingsFile = "helve.yaml"

const (
	maxFiles = 10_000    // of one kind
	maxBytes = 256 << 20 // that one load reads
)

// Find returns the workspace that dir is in: dir itself or the nearest folder above it
// that has a helve.yaml. The error is for one that another user owns or that everybody
// may write: nobody has chosen it who is only below it. Then there is no workspace.
func Find(dir string) (workspace string, found bool, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return "", false, err
	}
	for {
		file := filepath.Join(dir, SettingsFile)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			if why := foreign(info); why != "" {
				return "", false, fmt.Errorf("%s %s, so it is not used: name the workspace with --workspace if you trust it", file, why)
			}
			return dir, true, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false, nil
		}
		dir = parent
	}
}

// folder reads a workspace's files, and nothing outside it: a symbolic link that leads
// out is an error.
type folder struct {
	root *os.Root
	read int64 // bytes so far
}

// match returns the paths that patterns match, in their order, each once.
func (d *folder) match(patterns []string) (paths []string, problems []Problem) {
	seen := map[string]bool{}
	for _, pattern := range patterns {
		found, err := fs.Glob(d.root.FS(), pattern)
		if err != nil {
			problems = append(problems, Problem{File: pattern, Message: err.Error()})
		}
		for _, p := range found {
			if strings.HasPrefix(path.Base(p), ".") && p != pattern {
				continue // an editor's or a system's own, if it is not asked for by name
			}
			if !seen[p] {
				seen[p] = true
				paths = append(paths, p)
			}
		}
	}
	slices.Sort(paths)
	if len(paths) > maxFiles {
		problems = append(problems, Problem{File: paths[maxFiles], Message: fmt.Sprintf("the workspace holds %d files of this kind, and at most %d are read", len(paths), maxFiles), Hint: "move some into a workspace of their own"})
		paths = paths[:maxFiles]
	}
	return paths, problems
}

// errGone says that a file vanished after it was listed, which is as good as never
// having been there.
var errGone = errors.New("gone")

// data returns what is in a file, and nil for a folder.
func (d *folder) data(path string) ([]byte, error) {
	// A named pipe would block the open; and once more after it, for what was put
	// there in between. O_NONBLOCK keeps that from blocking.
	info, err := d.root.Stat(path)
	if err != nil {
		return nil, inWords(err)
	}
	if info.IsDir() {
		return nil, nil
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("this is not a regular file")
	}
	f, err := d.root.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, inWords(err)
	}
	defer f.Close()
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = errors.New("this is not a regular file")
	}
	if err != nil {
		return nil, inWords(err)
	}
	data, err := io.ReadAll(io.LimitReader(f, yamlfile.MaxBytes+1))
	if err != nil {
		return nil, inWords(err)
	}
	if d.read += int64(len(data)); d.read > maxBytes {
		return nil, fmt.Errorf("the workspace's files hold more than %d MB, and no more is read", maxBytes>>20)
	}
	return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), nil // a byte order mark
}

// inWords tells an error without the path, which the reader knows.
func inWords(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errGone
	case errors.Is(err, fs.ErrPermission):
		return errors.New("this file may not be read")
	case errors.Is(err, syscall.ELOOP):
		return errors.New("symbolic links lead round in a circle")
	case strings.Contains(err.Error(), "path escapes from parent"): // package os exports no name for it
		return errors.New("a symbolic link leads out of the workspace: copy the file")
	}
	var inner *fs.PathError
	if errors.As(err, &inner) {
		return inner.Err
	}
	return err
}
