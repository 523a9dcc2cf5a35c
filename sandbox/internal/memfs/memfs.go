// Package memfs is files in memory, to be read: what a run in a sandbox made.
package memfs

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// File is a regular file.
type File struct {
	Data []byte
	Exec bool
}

// FS holds regular files by their paths, which are valid ([fs.ValidPath]); folders are
// what the paths say. It does not change once it is used, and is safe for concurrent use.
type FS map[string]File

// Open makes FS an [fs.FS].
func (f FS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if file, ok := f[name]; ok {
		return &open{Reader: bytes.NewReader(file.Data), info: infoOf(name, file)}, nil
	}
	entries := f.entries(name)
	if entries == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &folder{info: info{name: path.Base(name), mode: fs.ModeDir | 0o755}, entries: entries}, nil
}

// ReadFile makes FS an [fs.ReadFileFS].
func (f FS) ReadFile(name string) ([]byte, error) {
	if file, ok := f[name]; ok {
		return bytes.Clone(file.Data), nil
	}
	if fs.ValidPath(name) && f.entries(name) != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// entries are what is directly in a folder; nil where there is no such folder.
func (f FS) entries(dir string) []fs.DirEntry {
	prefix := dir + "/"
	if dir == "." {
		prefix = ""
	}
	in := map[string]info{}
	for name, file := range f {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		if first, _, deeper := strings.Cut(rest, "/"); deeper {
			in[first] = info{name: first, mode: fs.ModeDir | 0o755}
		} else {
			in[rest] = infoOf(name, file)
		}
	}
	if len(in) == 0 && dir != "." {
		return nil
	}
	entries := make([]fs.DirEntry, 0, len(in))
	for _, i := range in {
		entries = append(entries, fs.FileInfoToDirEntry(i))
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}

// open is a file that is being read.
type open struct {
	*bytes.Reader
	info info
}

func (o *open) Stat() (fs.FileInfo, error) { return o.info, nil }
func (o *open) Close() error               { return nil }

// folder is a folder that is being read.
type folder struct {
	info    info
	entries []fs.DirEntry
}

func (d *folder) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *folder) Close() error               { return nil }
func (d *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.name, Err: fs.ErrInvalid}
}

// ReadDir makes folder an [fs.ReadDirFile].
func (d *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(d.entries)
	} else if len(d.entries) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.entries))
	taken := d.entries[:n:n]
	d.entries = d.entries[n:]
	return taken, nil
}

// info is an [fs.FileInfo].
type info struct {
	name string
	size int64
	mode fs.FileMode
}

func infoOf(name string, f File) info {
	i := info{name: path.Base(name), size: int64(len(f.Data)), mode: 0o644}
	if f.Exec {
		i.mode = 0o755
	}
	return i
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }
