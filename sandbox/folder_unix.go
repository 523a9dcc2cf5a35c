//go:build linux || darwin

package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"helve/sandbox/internal/memfs"
)

// folder is the directory of a run that has none of its own making: one of the machine, for
// the program's user alone. It is only touched through its root, and only while no process
// of the program is there.
type folder struct {
	path   string
	root   *os.Root
	inputs map[string]int64 // their sizes
}

// longAgo is when a file was changed that a run was given. What the run writes is younger.
var longAgo = time.Unix(946684800, 0)

// newFolder makes one with files in it. The user is 0 where it is the parent's own.
func newFolder(files []File, user int) (*folder, error) {
	made, err := os.MkdirTemp("", "helve-run-")
	if err != nil {
		return nil, err
	}
	f := &folder{inputs: make(map[string]int64, len(files))}
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
	f.inputs[file.Name] = int64(len(file.Data))
	return f.root.Chtimes(file.Name, longAgo, longAgo)
}

func (f *folder) giveTo(user int) error {
	return fs.WalkDir(f.root.FS(), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return f.root.Lchown(name, user, user)
	})
}

// Bounds of what is taken out, as at the other levels.
const (
	mostEntries = 16 << 10 // that are looked at
	mostDepth   = 32       // folders in one another
	mostLeft    = 20       // files of which it is told that they stay
)

// take takes out the regular files that the program made or changed.
func (f *folder) take(limits Limits) (memfs.FS, []string) {
	o := outlet{folder: f, files: limits.Files, bytes: limits.FileBytes, entries: mostEntries, taken: memfs.FS{}}
	o.walk(".", 0)
	if o.more > 0 {
		o.left = append(o.left, fmt.Sprintf("and %d more", o.more))
	}
	return o.taken, o.left
}

type outlet struct {
	folder  *folder
	files   int   // that may still be taken
	bytes   int64 // that they may have
	entries int   // that may still be looked at
	taken   memfs.FS
	left    []string
	more    int
}

func (o *outlet) walk(dir string, depth int) {
	entries, err := o.list(dir)
	if err != nil {
		o.leave(dir, "it can't be read")
		return
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case !utf8.ValidString(name) || !fs.ValidPath(name):
			o.leave(fmt.Sprintf("%q", name), "its name is no text")
		case e.IsDir() && depth == mostDepth:
			o.leave(name, "it lies too deep")
		case e.IsDir():
			o.walk(name, depth+1)
		case e.Type().IsRegular():
			o.file(name)
		default:
			o.leave(name, "it is no regular file")
		}
	}
}

// list is what is in a folder, sorted by name; of too much, some.
func (o *outlet) list(dir string) ([]fs.DirEntry, error) {
	opened, err := o.folder.root.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	entries, err := opened.ReadDir(o.entries + 1)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if len(entries) > o.entries {
		entries = entries[:o.entries]
		o.leave(dir, "there are too many files")
	}
	o.entries -= len(entries)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

func (o *outlet) file(name string) {
	opened, err := o.folder.root.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		o.leave(name, "it can't be read")
		return
	}
	defer opened.Close()
	info, err := opened.Stat()
	if err != nil || !info.Mode().IsRegular() {
		o.leave(name, "it can't be read")
		return
	}
	if size, given := o.folder.inputs[name]; given && size == info.Size() && info.ModTime().Unix() == longAgo.Unix() {
		return // as it was given
	}
	switch {
	case o.files == 0:
		o.leave(name, "there are too many files")
		return
	case info.Size() > o.bytes:
		o.leave(name, fmt.Sprintf("its %d bytes are too many", info.Size()))
		return
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(opened, data); err != nil {
		o.leave(name, "it can't be read")
		return
	}
	o.files--
	o.bytes -= info.Size()
	o.taken[name] = memfs.File{Data: data, Exec: info.Mode()&0o100 != 0}
}

func (o *outlet) leave(name, why string) {
	if len(o.left) == mostLeft {
		o.more++
		return
	}
	o.left = append(o.left, name+": "+why)
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

// names are some of what is in a folder; all, once it is asked often enough.
func (f *folder) names(dir string) ([]string, error) {
	opened, err := f.root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	names, err := opened.Readdirnames(mostEntries)
	if err == io.EOF {
		err = nil
	}
	return names, err
}
