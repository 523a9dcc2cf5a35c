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
// As long as the folder is what it was, a later Load returns the same tools, so that
// nobody has to replace them.
//
// Each tool is an io.Closer, to be closed once for each Load that returned it. The
// program ends when the last one of its tools is closed for the last time.
func Source(options Options) catalog.Source {
	if options.Log == nil {
		options.Log = slog.Default()
	}
	return &source{options: options, programs: map[string]*program{}}
}

type source struct {
	options Options

	mu       sync.Mutex
	programs map[string]*program // whose tools are all in use, by build and environment
}

func (s *source) Kind() string       { return "go" }
func (s *source) Patterns() []string { return []string{Folder} }

// Load looks the folder up in the cache. A folder without Go files is none of ours:
// other kinds of tools may lie there too.
func (s *source) Load(ctx context.Context, f *catalog.File) ([]catalog.Found, error) {
	dir, err := realPath(filepath.Join(f.Dir, filepath.FromSlash(f.Path)))
	if err != nil {
		return nil, err
	}
	if source, err := filepath.Glob(filepath.Join(dir, "*.go")); err != nil || len(source) == 0 {
		return nil, err
	}
	built, err := look(ctx, dir, s.options.Cache)
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

// found makes the tools of a program, or returns those that there are of it already.
func (s *source) found(folder string, m *manifest, p *program) ([]catalog.Found, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var functions []*function
	if same := s.programs[p.key]; same != nil {
		functions = same.functions
	} else {
		for _, d := range m.Tools {
			definition, err := d.tool()
			if err != nil {
				return nil, fmt.Errorf("the tool %s in the cache: %w: build it again", d.Name, err)
			}
			functions = append(functions, &function{definition: definition, program: p})
		}
		if len(functions) == 0 {
			return nil, nil
		}
		p.functions, p.open = functions, len(functions)
		s.programs[p.key] = p
	}
	var found []catalog.Found
	for i, f := range functions {
		f.users++
		one := catalog.Found{Tool: f}
		if d := m.Tools[i]; d.File != "" { // the same build has the same manifest
			one.File, one.Line = path.Join(folder, d.File), d.Line
		}
		found = append(found, one)
	}
	return found, nil
}

// release is told that f was closed. It reports whether that was for the last time;
// then no later Load returns it.
func (s *source) release(f *function) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.users == 0 {
		return false
	}
	if f.users--; f.users > 0 {
		return false
	}
	if s.programs[f.program.key] == f.program {
		delete(s.programs, f.program.key)
	}
	return true
}

// idle is told that a tool of p has ended its calls. It reports whether that was the
// last one.
func (s *source) idle(p *program) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.open--
	return p.open == 0
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
