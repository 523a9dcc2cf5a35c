package builtin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// openIn opens what path names under root for reading, and fails where want does
// not hold of it.
//
// A named pipe would block the open, and a device may do anything when it is
// opened: so the kind is asked first. It is asked again of the open file, since
// another process may have put something else there; O_NONBLOCK keeps that open
// from blocking too.
func openIn(root *os.Root, path string, want func(fs.FileMode) error) (*os.File, fs.FileInfo, error) {
	info, err := root.Stat(path)
	if err != nil {
		return nil, nil, pathError(path, err)
	}
	if err := want(info.Mode()); err != nil {
		return nil, nil, fmt.Errorf("path %.200q %w", path, err)
	}
	f, err := root.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, pathError(path, err)
	}
	info, err = f.Stat()
	if err == nil {
		err = want(info.Mode())
	}
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("path %.200q %w", path, err)
	}
	return f, info, nil
}

func regularFile(mode fs.FileMode) error {
	switch {
	case mode.IsDir():
		return errors.New("is a folder: use list_files")
	case !mode.IsRegular():
		return errors.New("is not a regular file")
	}
	return nil
}

func folder(mode fs.FileMode) error {
	if !mode.IsDir() {
		return errors.New("is not a folder")
	}
	return nil
}

// pathError tells err for a model, and leaves out where the root lies on the
// host.
func pathError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("path %.200q does not exist: list_files shows what does", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("path %.200q may not be read", path)
	case strings.Contains(err.Error(), "path escapes from parent"): // package os exports no name for it
		return denied("path %.200q leaves the folder the tool may read: write a path relative to that folder", path)
	}
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return fmt.Errorf("path %.200q: %w", path, err)
}
