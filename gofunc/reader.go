package gofunc

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// What one look reads at most: sources are read each time a workspace is loaded.
const (
	maxFiles = 20_000
	maxBytes = 64 << 20
)

// reader reads files for their digests, and no more of them than it may.
type reader struct {
	ctx   context.Context
	files int   // that it may still read
	bytes int64 // likewise
}

func newReader(ctx context.Context) *reader {
	return &reader{ctx: ctx, files: maxFiles, bytes: maxBytes}
}

// errIrregular is for a folder, a named pipe and the like.
var errIrregular = errors.New("not a regular file")

// sum is the digest of a file.
func (r *reader) sum(in place, path string) (string, error) {
	// A named pipe would block the open; and once more after it, for what was put
	// there in between. O_NONBLOCK keeps that from blocking.
	if err := regular(in.Stat(path)); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	f, err := in.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if err := regular(f.Stat()); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	if r.files--; r.files < 0 {
		return "", fmt.Errorf("there are more than %d source files", maxFiles)
	}
	h := sha256.New()
	n, err := io.Copy(h, &io.LimitedReader{R: withContext{r.ctx, f}, N: r.bytes + 1})
	if err != nil {
		return "", err
	}
	if r.bytes -= n; r.bytes < 0 {
		return "", fmt.Errorf("the source files hold more than %d MiB", maxBytes>>20)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// place is where files are opened: an *os.Root, out of which no symbolic link leads, or
// the whole disk.
type place interface {
	Stat(path string) (fs.FileInfo, error)
	OpenFile(path string, flag int, perm fs.FileMode) (*os.File, error)
}

type disk struct{}

func (disk) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }
func (disk) OpenFile(path string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, perm)
}

func regular(info fs.FileInfo, err error) error {
	if err == nil && !info.Mode().IsRegular() {
		err = errIrregular
	}
	return err
}

// withContext reads until its context ends.
type withContext struct {
	ctx context.Context
	r   io.Reader
}

func (c withContext) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
