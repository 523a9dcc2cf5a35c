package gofunc

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"helve/gen"
	"helve/gofunc/internal/wire"
)

// digest is what a folder of sources is known by: the place and the contents of all
// its files. What helve gen writes there does not count, nor do tests and hidden files;
// if one of them is compiled in by go:embed, it is a [part].
func digest(ctx context.Context, dir string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "helve gofunc 2 %d\n%s\n", wire.Version, dir)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	r := newReader(ctx)
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
		case d.IsDir(), path == gen.FileName, strings.HasSuffix(name, "_test.go"):
			return nil
		}
		sum, err := r.sum(root, path)
		if errors.Is(err, errIrregular) {
			return nil // the go command compiles no others
		}
		if err != nil {
			return err
		}
		_ = binary.Write(h, binary.BigEndian, uint64(len(path))) // to a hash
		_, _ = io.WriteString(h, path)
		_, _ = io.WriteString(h, sum)
		return nil
	})
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
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
