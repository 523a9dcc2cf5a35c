package script

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"

	"helve/catalog"
	"helve/internal/nearest"
	"helve/sandbox"
)

// What a folder may hold: it is kept in memory, and copied for each call.
const (
	maxFiles = 2000
	maxBytes = 32 << 20
)

// folder is what is in a tool's folder, read once.
type folder struct {
	path   string // below the workspace
	files  []sandbox.File
	bytes  int64
	digest string // of the names and contents, in hexadecimal
}

// readFolder reads the folder at path of the workspace dir, and nothing that a symbolic
// link outside of it leads to. Hidden files are an editor's or a system's own, and may
// hold keys: they are left out, as is what Python compiled.
func readFolder(dir, path string) (*folder, error) {
	workspace, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer workspace.Close()
	root, err := workspace.OpenRoot(path)
	if err != nil {
		return nil, problem(path, err)
	}
	defer root.Close()
	f := &folder{path: path}
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return f.problem(name, err)
		case name == ".":
			return nil
		case strings.HasPrefix(d.Name(), "."), d.Name() == "__pycache__":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		return f.add(root, name)
	})
	if err != nil {
		return nil, err
	}
	f.digest = digest(f.files)
	return f, nil
}

func (f *folder) add(root *os.Root, name string) error {
	if !fs.ValidPath(name) {
		return f.problem(name, errors.New("the name is not UTF-8"))
	}
	if len(f.files) == maxFiles {
		return &catalog.Problem{File: f.path, Message: fmt.Sprintf("the folder holds more than %d files", maxFiles), Hint: "take out what the script does not need, or put it into an archive"}
	}
	file, err := f.read(root, name)
	if err != nil {
		return err
	}
	f.files = append(f.files, file)
	return nil
}

// read reads one file. A named pipe would block the open, and once more after it, for
// what was put there in between: O_NONBLOCK keeps that from blocking.
func (f *folder) read(root *os.Root, name string) (sandbox.File, error) {
	if err := regular(root.Stat(name)); err != nil {
		return sandbox.File{}, f.problem(name, err)
	}
	in, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return sandbox.File{}, f.problem(name, err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err := regular(info, err); err != nil {
		return sandbox.File{}, f.problem(name, err)
	}
	data, err := io.ReadAll(io.LimitReader(in, maxBytes-f.bytes+1))
	if err != nil {
		return sandbox.File{}, f.problem(name, err)
	}
	if f.bytes += int64(len(data)); f.bytes > maxBytes {
		return sandbox.File{}, &catalog.Problem{File: f.path, Message: fmt.Sprintf("the files of the folder hold more than %s", sizeText(maxBytes)), Hint: "take out what the script does not need"}
	}
	mode := fs.FileMode(0o644)
	if info.Mode()&0o111 != 0 {
		mode = 0o755
	}
	return sandbox.File{Name: name, Mode: mode, Data: data}, nil
}

var errIrregular = errors.New("this is not a regular file")

func regular(info fs.FileInfo, err error) error {
	if err == nil && !info.Mode().IsRegular() {
		err = errIrregular
	}
	return err
}

func (f *folder) problem(name string, err error) error {
	return problem(path.Join(f.path, name), err)
}

// problem tells what is wrong with a file, without the path, which the reader knows.
func problem(file string, err error) error {
	p := &catalog.Problem{File: file, Message: err.Error()}
	var inner *fs.PathError
	if errors.As(err, &inner) {
		p.Message = inner.Err.Error()
	}
	switch {
	case strings.Contains(err.Error(), "path escapes from parent"): // package os exports no name for it
		p.Message, p.Hint = "a symbolic link leads out of the folder", "copy what it leads to"
	case errors.Is(err, fs.ErrPermission):
		p.Message = "this may not be read"
	case errors.Is(err, errIrregular):
		p.Hint = "only files can go into the sandbox; take it out of the folder"
	}
	return p
}

// find returns the file of that name, which may begin with ./, or nil.
func (f *folder) find(name string) *sandbox.File {
	name = path.Clean(name)
	for i := range f.files {
		if f.files[i].Name == name {
			return &f.files[i]
		}
	}
	return nil
}

// room is what the files take in the sandbox, with that which keeps out.
func (f *folder) room() int64 { return f.bytes + int64(len(f.files)+1)*leastWork }

// has reports whether name is a folder with files in it: python3 and node take one too.
func (f *folder) has(name string) bool {
	name = path.Clean(name)
	return slices.ContainsFunc(f.files, func(file sandbox.File) bool { return name == "." || strings.HasPrefix(file.Name, name+"/") })
}

// meant says which file somebody may have meant who wrote name.
func (f *folder) meant(name string) string {
	return nearest.Name(path.Clean(name), f.names())
}

func (f *folder) names() []string {
	names := make([]string, len(f.files))
	for i, file := range f.files {
		names[i] = file.Name
	}
	return names
}

// digest is what a folder is known by.
func digest(files []sandbox.File) string {
	h := sha256.New()
	for _, f := range files {
		_ = binary.Write(h, binary.BigEndian, []uint64{uint64(len(f.Name)), uint64(f.Mode), uint64(len(f.Data))}) // to a hash
		_, _ = io.WriteString(h, f.Name)
		_, _ = h.Write(f.Data)
	}
	return hex.EncodeToString(h.Sum(nil))
}
