package gofunc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"helve/catalog"
)

// Options say how the programs of a workspace run. The zero value is fine.
type Options struct {
	Cache string       // where [Build] put them; "" means [CacheDir]
	Log   *slog.Logger // of what the programs write to their standard error; slog.Default()
}

// Folder is the place of Go functions in a workspace.
const Folder = "tools/builtin"

// Source returns the tools of a workspace's folder of Go functions, as they were built.
// Each tool is an io.Closer. The program ends when the last one of its tools is closed,
// also of those that a later Load returned for the same program.
func Source(options Options) catalog.Source {
	if options.Log == nil {
		options.Log = slog.Default()
	}
	return &source{options: options, programs: map[string]*program{}}
}

type source struct {
	options Options

	mu       sync.Mutex
	programs map[string]*program // those that have tools, by digest and environment
}

func (s *source) Kind() string       { return "go" }
func (s *source) Patterns() []string { return []string{Folder} }

// Load looks the folder up in the cache. A folder without Go files is none of ours:
// other kinds of tools may lie there too.
func (s *source) Load(_ context.Context, f *catalog.File) ([]catalog.Found, error) {
	dir, err := realPath(filepath.Join(f.Dir, filepath.FromSlash(f.Path)))
	if err != nil {
		return nil, err
	}
	if source, err := filepath.Glob(filepath.Join(dir, "*.go")); err != nil || len(source) == 0 {
		return nil, err
	}
	built, err := look(dir, s.options.Cache)
	if err != nil {
		return nil, &catalog.Problem{
			File: f.Path, Message: err.Error(), Warning: errors.Is(err, ErrStale), // a new workspace is whole without it
			Hint: fmt.Sprintf("run \"helve gen %s\", if you trust its code", filepath.Join(f.Dir, filepath.FromSlash(f.Path))),
		}
	}
	var env []string
	if f.Settings != nil {
		env = f.Settings.Builtin.GoEnv
	}
	return s.found(f.Path, built.manifest, &program{
		name: f.Path, path: filepath.Join(built.dir, programName), dir: f.Dir, env: env, log: s.options.Log,
		key: filepath.Base(built.dir) + strings.Join(env, " "), source: s, // an environment is for a process's whole life
	})
}

// found makes the tools of a program, of the one that runs the same already if there is
// one.
func (s *source) found(folder string, m *manifest, p *program) ([]catalog.Found, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if running := s.programs[p.key]; running != nil {
		p = running
	}
	var found []catalog.Found
	for _, d := range m.Tools {
		definition, err := d.tool()
		if err != nil {
			return nil, fmt.Errorf("the tool %s in the cache: %w: build it again", d.Name, err)
		}
		one := catalog.Found{Tool: &function{definition: definition, program: p}}
		if d.File != "" {
			one.File, one.Line = path.Join(folder, d.File), d.Line
		}
		found = append(found, one)
	}
	if len(found) > 0 {
		p.tools += len(found)
		s.programs[p.key] = p
	}
	return found, nil
}

// release is told that a tool of p was closed. It reports whether that was the last.
func (s *source) release(p *program) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.tools--
	if p.tools > 0 {
		return false
	}
	delete(s.programs, p.key)
	return true
}

// inherited are the environment variables that a program on this machine needs. None of
// them holds a key.
var inherited = []string{"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR", "XDG_RUNTIME_DIR"}

// environment picks the variables that a program may see.
func environment(all, also []string) []string {
	var picked []string
	for _, variable := range all {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "LC_") || contains(inherited, name) || contains(also, name) {
			picked = append(picked, variable)
		}
	}
	return append(picked, "HELVE_GOFUNC=1")
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}
