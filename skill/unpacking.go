package skill

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
	"unicode/utf8"
)

// What an archive may be, besides what a skill may hold.
const (
	maxArchive = 16 << 20 // bytes
	maxEntries = 2 * maxFiles
	maxRatio   = 200     // of what is in it to its own size,
	freeRatio  = 1 << 20 // from so many bytes on
)

// unpacking writes the files of a skill into an empty folder, which it can't leave.
type unpacking struct {
	root       *os.Root
	seen       map[string]bool
	entries    int
	bytes      int64
	compressed func() int64 // bytes that were read of an archive; nil for a folder
}

// folder copies the regular files of a folder.
func (u *unpacking) folder(from string) error {
	source, err := os.OpenRoot(from)
	if err != nil {
		return inWords(err)
	}
	defer source.Close()
	return fs.WalkDir(source.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", name, inWords(err))
		case name == ".":
			return nil
		case entry.IsDir() && isForeign(entry.Name()):
			return fs.SkipDir
		case isForeign(entry.Name()):
			return nil
		case entry.IsDir():
			return u.count()
		case !entry.Type().IsRegular():
			return fmt.Errorf("%s is no regular file, such as a symbolic link: put a copy in its place", name)
		}
		f, err := source.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a named pipe put there since would block
		if err != nil {
			return fmt.Errorf("%s: %w", name, inWords(err))
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no regular file", name)
		}
		return u.add(name, info.Mode(), f)
	})
}

func (u *unpacking) zip(from string) error {
	f, size, err := openArchive(from)
	if err != nil {
		return err
	}
	defer f.Close()
	archive, err := zip.NewReader(f, size)
	if err != nil {
		return fmt.Errorf("this is no zip archive: %w", err)
	}
	u.compressed = func() int64 { return size }
	for _, entry := range archive.File {
		mode := entry.Mode()
		if strings.HasSuffix(entry.Name, "/") {
			mode |= fs.ModeDir
		}
		err := u.entry(entry.Name, mode, func() (io.ReadCloser, error) { return entry.Open() })
		if err != nil {
			return err
		}
	}
	return nil
}

func (u *unpacking) tarGz(from string) error {
	f, _, err := openArchive(from)
	if err != nil {
		return err
	}
	defer f.Close()
	counted := &counter{Reader: f}
	unzipped, err := gzip.NewReader(counted)
	if err != nil {
		return fmt.Errorf("this is no gzip: %w", err)
	}
	defer unzipped.Close()
	u.compressed = func() int64 { return counted.n }
	// What the archive unpacks to is bounded with all its headers: those of a single name
	// may be as long as it likes.
	all := &io.LimitedReader{R: unzipped, N: 2*maxBytes + 1}
	archive := tar.NewReader(all)
	for {
		header, err := archive.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case all.N == 0:
			return errTooMuch
		case err != nil:
			return fmt.Errorf("this is no tar archive: %w", err)
		case header.Typeflag == tar.TypeXGlobalHeader: // git writes one
			continue
		}
		mode := fs.FileMode(header.Mode) & fs.ModePerm
		switch header.Typeflag {
		case tar.TypeReg:
		case tar.TypeDir:
			mode |= fs.ModeDir
		default: // a link of either kind, a device, a pipe, and what nobody knows
			mode |= fs.ModeIrregular
		}
		if err := u.entry(header.Name, mode, func() (io.ReadCloser, error) { return io.NopCloser(archive), nil }); err != nil {
			return err
		}
	}
}

func openArchive(from string) (*os.File, int64, error) {
	f, err := os.Open(from)
	if err != nil {
		return nil, 0, inWords(err)
	}
	info, err := f.Stat()
	if err == nil && info.Size() > maxArchive {
		err = fmt.Errorf("the archive is %d bytes long, and at most %d are read", info.Size(), maxArchive)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// entry unpacks an entry of an archive. It refuses what no honest archive of a skill holds,
// also where the entry would be left out.
func (u *unpacking) entry(name string, mode fs.FileMode, open func() (io.ReadCloser, error)) error {
	if err := u.count(); err != nil {
		return err
	}
	clean, err := safe(name)
	if err != nil {
		return err
	}
	switch {
	case !mode.IsRegular() && !mode.IsDir():
		return fmt.Errorf("%.200q is no regular file: links and devices are refused", name)
	case mode.IsDir(), hasForeign(clean):
		return nil
	}
	r, err := open()
	if err != nil {
		return fmt.Errorf("%.200q: %w", name, err)
	}
	defer r.Close()
	return u.add(clean, mode, r)
}

func (u *unpacking) count() error {
	if u.entries++; u.entries > maxEntries {
		return fmt.Errorf("it has more than %d entries", maxEntries)
	}
	return nil
}

// safe is the path of an entry, if it stays below the folder on every system.
func safe(name string) (string, error) {
	clean := strings.TrimSuffix(strings.TrimPrefix(name, "./"), "/")
	switch {
	case name == "./" || name == ".":
		return ".", nil
	case !fs.ValidPath(clean) || strings.ContainsAny(clean, "\\:\x00"):
		return "", fmt.Errorf("%.200q leads elsewhere, or is no path: such an archive is refused", name)
	case len(clean) > maxPath || strings.Count(clean, "/") > maxDepth || !utf8.ValidString(clean):
		return "", fmt.Errorf("%.200q is too long or too deep, or not UTF-8", name)
	}
	return clean, nil
}

func hasForeign(name string) bool {
	for _, step := range strings.Split(name, "/") {
		if step != "." && isForeign(step) {
			return true
		}
	}
	return false
}

var errTooMuch = fmt.Errorf("it holds more than %d MiB", maxBytes>>20)

// add writes a file.
func (u *unpacking) add(name string, mode fs.FileMode, r io.Reader) error {
	if len(u.seen) == maxFiles {
		return fmt.Errorf("it has more than %d files", maxFiles)
	}
	if key := strings.ToLower(normal(name)); u.seen[key] {
		return fmt.Errorf("%.200q is there twice, or differs from another in letter case alone", name)
	} else {
		u.seen[key] = true
	}
	if err := u.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return fmt.Errorf("%.200q: %w", name, inWords(err))
	}
	permissions := fs.FileMode(0o644)
	if mode&0o111 != 0 {
		permissions = 0o755
	}
	f, err := u.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, permissions)
	if err != nil {
		return fmt.Errorf("%.200q: %w", name, inWords(err))
	}
	_, err = io.Copy(f, &metered{u, r})
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%.200q: %w", name, err)
	}
	return nil
}

// metered counts what is written of all files, and ends what is too much.
type metered struct {
	*unpacking
	from io.Reader
}

func (m *metered) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	m.bytes += int64(n)
	switch {
	case m.bytes > maxBytes:
		return 0, errTooMuch
	case m.compressed != nil && m.bytes > freeRatio && m.bytes/max(m.compressed(), 1) > maxRatio:
		return 0, fmt.Errorf("it unpacks to more than %d times its size", maxRatio)
	}
	return n, err
}

// counter counts what is read.
type counter struct {
	io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}
