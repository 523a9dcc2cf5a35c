package gofunc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"helve/schema"
	"helve/tool"
)

// manifest lies beside a program and says what it serves, so that a workspace is
// loaded without running it.
type manifest struct {
	Folder string            `json:"folder"`
	Built  time.Time         `json:"built"`
	Tools  []definition      `json:"tools"`
	Parts  []part            `json:"parts"`
	Files  map[string]string `json:"files"` // digests of those that the parts stand for
}

type definition struct {
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	Parameters   json.RawMessage `json:"parameters"`
	ReturnDirect bool            `json:"return_direct,omitempty"`
	Sequential   bool            `json:"sequential,omitempty"`
	ReadOnly     bool            `json:"read_only,omitempty"`
	Idempotent   bool            `json:"idempotent,omitempty"`
	Timeout      time.Duration   `json:"timeout_ns,omitempty"`

	File string `json:"file,omitempty"` // of its function, below the folder, with slashes
	Line int    `json:"line,omitempty"`
}

// The names of the two files.
const (
	manifestName = "tools.json"
	programName  = "serve"
)

func newDefinition(d tool.Definition, file string, line int) definition {
	return definition{d.Name, d.Description, d.Schema().JSON(), d.ReturnDirect, d.Sequential, d.ReadOnly, d.Idempotent, d.Timeout, file, line}
}

func (d definition) tool() (tool.Definition, error) {
	s, err := schema.Compile(d.Parameters)
	if err != nil {
		return tool.Definition{}, err
	}
	return tool.Definition{
		Name: d.Name, Description: d.Description, Parameters: s,
		ReturnDirect: d.ReturnDirect, Sequential: d.Sequential, ReadOnly: d.ReadOnly, Idempotent: d.Idempotent, Timeout: d.Timeout,
	}, nil
}

// built is a folder's program in the cache.
type built struct {
	*manifest
	dir string
}

// ErrStale says that a folder was not built as it is now.
var ErrStale = errors.New("the Go functions were never built, or have changed since")

// Check reports whether the program of a folder is in the cache and current. The error
// wraps [ErrStale] if it is not.
func Check(ctx context.Context, dir, cache string) error {
	real, err := realPath(dir)
	if err != nil {
		return fmt.Errorf("gofunc: %w", err)
	}
	_, err = look(ctx, real, cache)
	return err
}

// look finds the program of a folder, whose path has no symbolic links.
func look(ctx context.Context, dir, cache string) (*built, error) {
	if cache == "" {
		var err error
		if cache, err = CacheDir(); err != nil {
			return nil, err
		}
	}
	key, err := digest(ctx, dir)
	if err != nil {
		return nil, err
	}
	all, err := builds(cache, key)
	if err != nil {
		return nil, err
	}
	stale := ErrStale
	for _, b := range all {
		path, err := b.changed(ctx)
		if err != nil {
			return nil, err
		}
		if path == "" {
			return b, nil
		}
		if stale == ErrStale {
			stale = fmt.Errorf("%w: %s is not what it was", ErrStale, path)
		}
	}
	return nil, stale
}

// builds returns what was built under a digest, the newest first. A folder has several
// for one digest where something changed that is not in it.
func builds(cache, key string) ([]*built, error) {
	entries, err := os.ReadDir(cache)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []*built
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), key) {
			continue
		}
		m, err := readManifest(cache, e.Name())
		if errors.Is(err, ErrStale) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, &built{m, filepath.Join(cache, e.Name())})
	}
	slices.SortFunc(all, func(a, b *built) int { return b.Built.Compare(a.Built) })
	return all, nil
}

// readManifest reads what is in a folder of the cache. The cache must be the user's own:
// who can write there, can have anything run.
func readManifest(cache, name string) (*manifest, error) {
	dir := filepath.Join(cache, name)
	for _, d := range []string{cache, dir} {
		info, err := os.Stat(d)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, ErrStale
		}
		if err != nil {
			return nil, err
		}
		if err := private(d, info, os.Geteuid()); err != nil {
			return nil, err
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrStale
	}
	if err != nil {
		return nil, err
	}
	m := &manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, ErrStale
	}
	return m, nil
}
