package gofunc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// part is what a program was made of besides the sources in its folder: a package's
// sources, or files that are named. What it stands for is looked up each time, so that
// a file which is new or gone counts too.
type part struct {
	Dir     string `json:"dir"`
	Pattern string `json:"pattern,omitempty"` // as go:embed has it; without one, what the go command compiles
}

// extensions are those of the files that the go command compiles (go help packages).
var extensions = []string{".go", ".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx", ".f", ".F", ".for", ".f90", ".s", ".S", ".sx", ".swig", ".swigcxx", ".syso"}

// parts returns the digests of the files that parts stand for.
func (r *reader) parts(parts []part) (map[string]string, error) {
	sums := map[string]string{}
	for _, p := range parts {
		paths, err := r.paths(p)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if sums[path] != "" {
				continue
			}
			sum, err := r.sum(disk{}, path)
			if errors.Is(err, fs.ErrNotExist) || p.Pattern == "" && errors.Is(err, errIrregular) {
				continue
			}
			if err != nil {
				return nil, err
			}
			sums[path] = sum
		}
	}
	return sums, nil
}

func (r *reader) paths(p part) ([]string, error) {
	if p.Pattern != "" {
		return r.embedded(p)
	}
	entries, err := os.ReadDir(p.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || strings.HasSuffix(name, "_test.go") || !slices.Contains(extensions, filepath.Ext(name)) {
			continue
		}
		paths = append(paths, filepath.Join(p.Dir, name))
	}
	return paths, nil
}

// embedded returns the files that a pattern of go:embed matches; of folders, those
// inside.
func (r *reader) embedded(p part) ([]string, error) {
	pattern, all := strings.CutPrefix(p.Pattern, "all:")
	root := os.DirFS(p.Dir)
	matches, err := fs.Glob(root, pattern)
	if err != nil {
		return nil, fmt.Errorf("go:embed %s: %w", p.Pattern, err)
	}
	var paths []string
	for _, match := range matches {
		err := fs.WalkDir(root, match, func(path string, d fs.DirEntry, err error) error {
			if err = errors.Join(err, r.ctx.Err()); err != nil {
				return err
			}
			hidden := strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_")
			switch {
			case path != match && hidden && (!all || d.Name() == ".git") && d.IsDir():
				return fs.SkipDir
			case d.IsDir(), path != match && (hidden && !all || !d.Type().IsRegular()):
				return nil
			}
			if paths = append(paths, filepath.Join(p.Dir, filepath.FromSlash(path))); len(paths) > maxFiles {
				return fmt.Errorf("go:embed %s in %s: there are more than %d files", p.Pattern, p.Dir, maxFiles)
			}
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return paths, nil
}

// changed returns the first file of m's parts that is not what it was, or "".
func (m *manifest) changed(ctx context.Context) (string, error) {
	now, err := newReader(ctx).parts(m.Parts)
	if err != nil {
		return "", err
	}
	return difference(m.Files, now), nil
}

// difference returns the first path under which two maps have not the same, or "".
func difference(a, b map[string]string) string {
	both := maps.Clone(a)
	if both == nil {
		both = map[string]string{}
	}
	maps.Copy(both, b)
	for _, path := range slices.Sorted(maps.Keys(both)) {
		if a[path] != b[path] {
			return path
		}
	}
	return ""
}

// dependencies finds the parts of the program: what the go command reads about modules,
// and all packages whose source may change where it is. Those in the module cache and
// in Go itself don't; nor, for a folder without a module, does helve.
func (b *build) dependencies(ctx context.Context) error {
	var env struct{ GOMODCACHE, GOWORK string }
	out, err := b.golang(ctx, "env", "-json", "GOMODCACHE", "GOWORK")
	if err == nil {
		err = json.Unmarshal(out, &env)
	}
	if err != nil {
		return err
	}
	list, err := b.golang(ctx, "list", "-deps", "-overlay", b.overlay, "-json=Dir,Standard,EmbedPatterns,Module", "./"+mainDir)
	if err != nil {
		return err
	}
	inCopy := b.source != b.dir
	if !inCopy {
		b.parts = moduleFiles(b.module, env.GOWORK)
	}
	for dec := json.NewDecoder(bytes.NewReader(list)); dec.More(); {
		var p struct {
			Dir           string
			Standard      bool
			EmbedPatterns []string
			Module        *struct{ GoMod string }
		}
		if err := dec.Decode(&p); err != nil {
			return fmt.Errorf("gofunc: go list: %w", err)
		}
		if p.Standard || below(env.GOMODCACHE, p.Dir) || p.Dir == filepath.Join(b.module, mainDir) || inCopy && !below(b.source, p.Dir) {
			continue
		}
		if inCopy {
			rel, err := filepath.Rel(b.source, p.Dir)
			if err != nil {
				return fmt.Errorf("gofunc: %w", err)
			}
			p.Dir = filepath.Join(b.dir, rel)
		} else if p.Module != nil && p.Module.GoMod != "" {
			b.parts = append(b.parts, part{filepath.Dir(p.Module.GoMod), "go.mod"})
		}
		if p.Dir != b.dir { // digest reads that
			b.parts = append(b.parts, part{Dir: p.Dir})
		}
		for _, pattern := range p.EmbedPatterns {
			b.parts = append(b.parts, part{p.Dir, pattern})
		}
	}
	seen := map[part]bool{}
	b.parts = slices.DeleteFunc(b.parts, func(p part) bool {
		was := seen[p]
		seen[p] = true
		return was
	})
	b.files, err = newReader(ctx).parts(b.parts)
	if err != nil {
		return fmt.Errorf("gofunc: %w", err)
	}
	return nil
}

// moduleFiles are those that say which modules a module is compiled with. work is the
// go.work that counts; one that comes to be nearer would too.
func moduleFiles(module, work string) []part {
	parts := []part{{module, "go.mod"}, {module, "go.sum"}, {filepath.Join(module, "vendor"), "modules.txt"}}
	if filepath.IsAbs(work) {
		parts = append(parts, part{filepath.Dir(work), filepath.Base(work)}, part{filepath.Dir(work), filepath.Base(work) + ".sum"})
	}
	for dir := module; dir != filepath.Dir(work) && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		parts = append(parts, part{dir, "go.work"})
	}
	return parts
}

// below reports that path is dir or in it.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return dir != "" && err == nil && filepath.IsLocal(rel)
}
