package gofunc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"helve/schema"
	"helve/tool"
)

// manifest lies beside a program and says what it serves, so that a workspace is
// loaded without running it.
type manifest struct {
	Folder string            `json:"folder"`
	Tools  []definition      `json:"tools"`
	Files  map[string]string `json:"files"` // digests of what it was made of outside the folder
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
	m, err := readManifest(cache, key)
	if err != nil {
		return nil, err
	}
	path, err := changed(ctx, m.Files)
	if err != nil {
		return nil, err
	}
	if path != "" {
		return nil, fmt.Errorf("%w: %s is not what it was", ErrStale, path)
	}
	return &built{m, filepath.Join(cache, key)}, nil
}

// readManifest reads what was built under a digest. The cache must be the user's own:
// who can write there, can have anything run.
func readManifest(cache, key string) (*manifest, error) {
	dir := filepath.Join(cache, key)
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
