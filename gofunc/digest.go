package gofunc

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"helve/gen"
	"helve/gofunc/internal/wire"
)

// What a folder may hold: its files are read each time a workspace is loaded.
const (
	maxFiles = 2000
	maxBytes = 64 << 20
)

// digest is what a folder of sources is known by: the place and the contents of all
// its files, those that are compiled in by go:embed among them. What helve gen writes
// there does not count, nor do tests and hidden files.
func digest(dir string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "helve gofunc %d\n%s\n", wire.Version, dir)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	files, size := 0, int64(0)
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case path != "." && strings.HasPrefix(name, "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir(), name == gen.FileName, strings.HasSuffix(name, "_test.go"):
			return nil
		}
		if files++; files > maxFiles {
			return fmt.Errorf("it has more than %d files", maxFiles)
		}
		n, err := addFile(h, root, path, maxBytes-size)
		size += n
		return err
	})
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// addFile hashes a file, so that no two folders look alike.
func addFile(h io.Writer, root *os.Root, path string, most int64) (int64, error) {
	info, err := root.Stat(path)
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, nil // the go command compiles no others
	}
	f, err := root.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(f, most+1))
	if err != nil {
		return n, err
	}
	if n > most {
		return n, fmt.Errorf("it has more than %d MiB", maxBytes>>20)
	}
	_ = binary.Write(h, binary.BigEndian, uint64(len(path))) // to a hash
	_, _ = io.WriteString(h, path)
	_, _ = h.Write(sum.Sum(nil))
	return n, nil
}

// sum is the digest of a file outside the folder: go.mod, or a source that the folder
// imports. That of a file which is not there is empty.
func sum(path string) (string, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, maxBytes)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// changed returns the first file that is not what it was, or "".
func changed(files map[string]string) string {
	for _, path := range slices.Sorted(maps.Keys(files)) {
		was := files[path]
		if now, err := sum(path); err != nil || now != was {
			return path
		}
	}
	return ""
}

// CacheDir is where programs are kept: below $XDG_CACHE_HOME, or what stands for it on
// this system.
func CacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("gofunc: there is no folder for caches: %w: set XDG_CACHE_HOME or HOME", err)
	}
	return filepath.Join(dir, "helve", "gofunc"), nil
}
