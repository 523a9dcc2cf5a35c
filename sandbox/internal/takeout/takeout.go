//go:build unix

// Package takeout reads what a program left in its folder, once nothing of it runs any
// more: regular files within bounds, and never through a link.
package takeout

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"
)

// Bounds of what is looked at.
const (
	mostEntries = 16 << 10
	mostDepth   = 32 // folders in one another
	mostLeft    = 20 // files of which it is told that they stay
)

// LongAgo is when a file was changed that a program was given, so that what it writes is
// younger, however coarse the clock of the file system is.
var LongAgo = time.Unix(946684800, 0)

// Stamp is what changes with a file, though it was dated back, or another was put in its
// place.
type Stamp struct {
	size, inode, changed int64
	old                  bool
}

// StampOf is the stamp of a file that was dated LongAgo.
func StampOf(info fs.FileInfo) Stamp {
	inode, changed := identity(info)
	return Stamp{info.Size(), inode, changed, info.ModTime().Unix() == LongAgo.Unix()}
}

// Taker takes the files that a program made or changed.
type Taker struct {
	Given map[string]Stamp // of the files that the program was given
	Files int              // that may be taken
	Bytes int64            // that they may have in all

	// Take gets one file. Content has size bytes. An error ends all.
	Take func(name string, exec bool, size int64, content io.Reader) error

	entries int
	left    []string
	more    int
}

// From goes through a folder. It returns what stays there, each with the reason, for
// people, and the error of Take.
func (t *Taker) From(root *os.Root) (left []string, err error) {
	t.entries = mostEntries
	err = t.folder(root, ".", 0)
	if t.more > 0 {
		t.left = append(t.left, fmt.Sprintf("and %d more", t.more))
	}
	return t.left, err
}

func (t *Taker) folder(root *os.Root, dir string, depth int) error {
	entries, err := t.list(root, dir)
	if err != nil {
		t.leave(dir, "it can't be read")
		return nil
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case !utf8.ValidString(name) || !fs.ValidPath(name) || strings.ContainsFunc(name, unicode.IsControl):
			t.leave(fmt.Sprintf("%q", name), "its name is no text")
		case e.IsDir() && depth == mostDepth:
			t.leave(name, "it lies too deep")
		case e.IsDir():
			err = t.folder(root, name, depth+1)
		case e.Type().IsRegular():
			err = t.file(root, name)
		default:
			t.leave(name, "it is no regular file")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// list is what is in a folder, sorted by name; of too much, some.
func (t *Taker) list(root *os.Root, dir string) ([]fs.DirEntry, error) {
	f, err := root.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(t.entries + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(entries) > t.entries {
		entries = entries[:t.entries]
		t.leave(dir, "there are too many files")
	}
	t.entries -= len(entries)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

func (t *Taker) file(root *os.Root, name string) error {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.leave(name, "it can't be read")
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		t.leave(name, "it can't be read")
		return nil
	}
	if stamp, given := t.Given[name]; given && stamp == StampOf(info) {
		return nil // as it was given
	}
	switch {
	case t.Files == 0:
		t.leave(name, "there are too many files")
		return nil
	case info.Size() > t.Bytes:
		t.leave(name, fmt.Sprintf("its %d bytes are too many", info.Size()))
		return nil
	}
	t.Files--
	t.Bytes -= info.Size()
	return t.Take(name, info.Mode()&0o100 != 0, info.Size(), f)
}

func (t *Taker) leave(name, why string) {
	if len(t.left) == mostLeft {
		t.more++
		return
	}
	t.left = append(t.left, name+": "+why)
}
