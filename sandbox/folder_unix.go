//go:build linux || darwin

package sandbox

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"

	"helve/sandbox/internal/memfs"
	"helve/sandbox/internal/takeout"
)

// folder is the directory of a run that has none of its own making: one of the machine, for
// the program's user alone. It is only touched through its root, and only while no process
// of the program is there.
type folder struct {
	path   string
	root   *os.Root
	inputs map[string]takeout.Stamp
}

// newFolder makes one with files in it. The user is 0 where it is the parent's own.
func newFolder(files []File, user int) (*folder, error) {
	made, err := os.MkdirTemp("", "helve-run-")
	if err != nil {
		return nil, err
	}
	f := &folder{inputs: make(map[string]takeout.Stamp, len(files))}
	if f.path, err = filepath.EvalSymlinks(made); err != nil { // Seatbelt knows no others
		return nil, errors.Join(err, os.Remove(made))
	}
	if f.root, err = os.OpenRoot(f.path); err != nil {
		return nil, errors.Join(err, os.Remove(f.path))
	}
	for _, file := range files {
		if err := f.put(file); err != nil {
			return nil, errors.Join(err, f.remove())
		}
	}
	if user != 0 {
		if err := f.giveTo(user); err != nil {
			return nil, errors.Join(err, f.remove())
		}
	}
	for _, file := range files {
		info, err := f.root.Lstat(file.Name)
		if err != nil {
			return nil, errors.Join(err, f.remove())
		}
		f.inputs[file.Name] = takeout.StampOf(info)
	}
	return f, nil
}

func (f *folder) put(file File) error {
	if err := f.root.MkdirAll(path.Dir(file.Name), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if file.Mode&0o111 != 0 {
		mode = 0o755
	}
	out, err := f.root.OpenFile(file.Name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = out.Write(file.Data)
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	return f.root.Chtimes(file.Name, takeout.LongAgo, takeout.LongAgo)
}

func (f *folder) giveTo(user int) error {
	return fs.WalkDir(f.root.FS(), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return f.root.Lchown(name, user, user)
	})
}

// take takes out the regular files that the program made or changed.
func (f *folder) take(limits Limits) (memfs.FS, []string) {
	taken := memfs.FS{}
	t := takeout.Taker{Given: f.inputs, Files: limits.Files, Bytes: limits.FileBytes}
	t.Take = func(name string, exec bool, size int64, content io.Reader) error {
		data := make([]byte, size)
		if _, err := io.ReadFull(content, data); err != nil {
			return err
		}
		taken[name] = memfs.File{Data: data, Exec: exec}
		return nil
	}
	left, err := t.From(f.root)
	if err != nil {
		left = append(left, err.Error())
	}
	return taken, left
}

// remove removes it, whatever a program made of it: folders that nobody may read, or so
// many in one another that they have no path. Each is moved up to the top before it is
// emptied, so that none ever lies deep.
func (f *folder) remove() error {
	defer f.root.Close()
	for moved, again := 0, true; again; {
		again = false
		names, err := f.names(".")
		if err != nil {
			return err
		}
		for _, name := range names {
			if f.root.Remove(name) == nil {
				continue
			}
			again = true
			if err := f.flatten(name, &moved); err != nil {
				return err
			}
		}
	}
	return os.Remove(f.path)
}

// flatten empties a folder at the top; the folders in it become its neighbours.
func (f *folder) flatten(dir string, moved *int) error {
	if err := f.root.Chmod(dir, 0o700); err != nil {
		return err
	}
	names, err := f.names(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		name = path.Join(dir, name)
		if f.root.Remove(name) == nil {
			continue
		}
		if err := f.root.Chmod(name, 0o700); err != nil { // it can't be moved without
			return err
		}
		*moved++
		if err := f.root.Rename(name, filepath.Base(f.path)+"-"+strconv.Itoa(*moved)); err != nil {
			return err
		}
	}
	return nil
}

const someNames = 4096 // at once

// names are some of what is in a folder; all, once it is asked often enough.
func (f *folder) names(dir string) ([]string, error) {
	opened, err := f.root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	names, err := opened.Readdirnames(someNames)
	if err == io.EOF {
		err = nil
	}
	return names, err
}
