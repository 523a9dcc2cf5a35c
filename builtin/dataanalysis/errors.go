package dataanalysis

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"helve/tool"
)

// invalid is an error about arguments that the schema alone can't tell.
func invalid(format string, args ...any) *tool.Error {
	return &tool.Error{Kind: tool.KindInvalidParameters, Message: fmt.Sprintf(format, args...)}
}

// denied is an error about what the host does not allow.
func denied(format string, args ...any) *tool.Error {
	return &tool.Error{Kind: tool.KindPermissionDenied, Message: fmt.Sprintf(format, args...)}
}

// leaves reports whether err says that a path leads out of the folder.
func leaves(err error) bool {
	return strings.Contains(err.Error(), "path escapes from parent") // package os exports no name for it
}

// reason is why a file can't be had, without where the folder lies on the host.
func reason(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("it is gone")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("it may not be read")
	case errors.Is(err, syscall.ELOOP):
		return errors.New("it is a link that leads nowhere")
	case leaves(err):
		return errors.New("it is a link that leaves the folder")
	}
	return withoutPath(err)
}

// withoutPath is err without where the file lies on the host.
func withoutPath(err error) error {
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		err = link.Err
	}
	return err
}

var errNotRegular = errors.New("it is not a regular file")

// openRegular opens a file for reading. A named pipe would block: so only a
// regular file is opened, and O_NONBLOCK keeps a pipe that took its place from
// blocking. The error may tell the path.
func openRegular(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errNotRegular
	}
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}
