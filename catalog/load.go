package catalog

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	"helve/tool"
)

// Options say what to load. A zero field is possible.
type Options struct {
	// Dir is the workspace's folder. Without it there are the built-in tools alone.
	Dir string

	// User is the folder of the user's own helve.yaml, which holds for all workspaces
	// (see [Settings]). It may be missing, or the same as Dir.
	User string

	// Sources make tools of files. Of two tools with one name that of the earlier
	// source counts, then that of the earlier path.
	Sources []Source

	// Builtin returns the tools that are built into the program, for what the settings
	// say, also with an error, which may join [SettingError]s. They come last, so that
	// a workspace may put another in the place of one.
	Builtin func(*Settings) ([]tool.Tool, error)

	// Env looks an environment variable up; nil means os.LookupEnv.
	Env func(string) (string, bool)
}

// Load reads a workspace. What is wrong in its files is in [Catalog.Problems]; the
// error is for a folder that can't be read at all.
func Load(ctx context.Context, options Options) (*Catalog, error) {
	return load(ctx, options, nil)
}

// load reads a workspace. What was good in previous and is not any more stays as it
// was.
func load(ctx context.Context, options Options, previous *Catalog) (*Catalog, error) {
	if options.Env == nil {
		options.Env = os.LookupEnv
	}
	if previous == nil {
		previous = &Catalog{}
	}
	l := &loader{options: options, previous: previous, catalog: &Catalog{dir: options.Dir, files: map[string]*made{}}}
	if options.Dir != "" {
		dir, err := filepath.Abs(options.Dir)
		if err != nil {
			return nil, err
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, fmt.Errorf("the workspace: %w", err)
		}
		defer root.Close()
		l.catalog.dir, l.folder = dir, &folder{root: root}
	}
	l.settings()
	for _, s := range options.Sources {
		if err := l.source(ctx, s); err != nil {
			l.abandon()
			return nil, err
		}
	}
	l.builtin()
	l.catalog.index()
	l.sets()
	l.agents()
	l.defaultAgent()
	l.catalog.hold()
	sortProblems(l.catalog.problems)
	return l.catalog, nil
}

// abandon closes what was made for a catalog that will not be.
func (l *loader) abandon() {
	for path, m := range l.catalog.files {
		if l.previous.files[path] != m {
			_ = m.close() // nobody is left who could be told
		}
	}
}

type loader struct {
	options  Options
	previous *Catalog
	catalog  *Catalog
	folder   *folder // nil without a workspace
	resolver *resolver
}

// each reads the files that patterns match and makes something of each by decode. A
// file that fails keeps what it had been good for. With a file that did not change,
// what was made of it stays, if it may.
func (l *loader) each(patterns []string, decode func(*File) (value any, keep bool, err error)) []*made {
	if l.folder == nil {
		return nil
	}
	paths, problems := l.folder.match(patterns)
	l.catalog.problems = append(l.catalog.problems, problems...)
	var all []*made
	for _, path := range paths {
		data, err := l.folder.data(path)
		if errors.Is(err, errGone) {
			continue
		}
		before := l.previous.files[path]
		m := &made{file: &File{Path: path, Dir: l.catalog.dir, Data: data, Settings: &l.catalog.settings, Env: l.options.Env}, sum: sha256.Sum256(data)}
		keep := false
		switch {
		case err != nil:
		case data != nil && before != nil && before.good && before.sum == m.sum && l.sameSettings():
			m = before
		default:
			m.value, keep, err = decode(m.file)
			m.good = err == nil
		}
		if err != nil {
			found := problemsOf(path, err)
			if before != nil && before.value != nil && !keep {
				m = before
				found[len(found)-1].Hint = joinHints(found[len(found)-1].Hint, "until then its last good version is in use")
			}
			l.catalog.problems = append(l.catalog.problems, found...)
		}
		m.file.Data, m.file.Settings = nil, nil // it was read; the settings would keep a whole catalog
		l.catalog.files[path] = m
		if m.value != nil {
			all = append(all, m)
		}
	}
	return all
}

func joinHints(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

func (l *loader) sameSettings() bool {
	return reflect.DeepEqual(l.previous.settings, l.catalog.settings)
}

// settings reads helve.yaml, and the user's below it.
func (l *loader) settings() {
	read := func(f *File) (any, bool, error) {
		var s Settings
		if err := f.Decode(&s); err != nil {
			return nil, false, err
		}
		if errs := s.check(f); len(errs) > 0 {
			return nil, false, errs
		}
		s.place(f.Dir)
		return &s, false, nil
	}
	files := l.each([]string{SettingsFile}, read)
	for _, m := range files {
		l.catalog.settings = *m.value.(*Settings)
	}
	if len(files) == 0 {
		l.unsettled()
	}
	user, err := filepath.Abs(l.options.User)
	if l.options.User == "" || err != nil || user == l.catalog.dir {
		return
	}
	root, err := os.OpenRoot(user)
	if err != nil {
		return // most people have none
	}
	defer root.Close()
	data, err := (&folder{root: root}).data(SettingsFile)
	if errors.Is(err, errGone) {
		return
	}
	path := filepath.Join(user, SettingsFile)
	var s any
	if err == nil {
		s, _, err = read(&File{Path: path, Dir: user, Data: data, Env: l.options.Env})
	}
	if err != nil {
		l.report(err, path, "")
		if l.previous.user == nil {
			l.unsettled()
			return
		}
		s = l.previous.user
	}
	l.catalog.user = s.(*Settings)
	l.catalog.settings.under(*l.catalog.user)
}

// unsettled remembers the last problem, if there is one, as that of the settings.
func (l *loader) unsettled() {
	if n := len(l.catalog.problems); n > 0 && l.catalog.unsettled == nil {
		last := l.catalog.problems[n-1]
		l.catalog.unsettled = &last
	}
}

// source loads the tools of one kind.
func (l *loader) source(ctx context.Context, s Source) error {
	files := l.each(s.Patterns(), func(f *File) (any, bool, error) {
		found, err := s.Load(ctx, f)
		if len(found) == 0 && err != nil {
			return nil, false, err
		}
		return found, len(found) > 0, err
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, m := range files {
		for _, found := range m.value.([]Found) {
			l.add(Entry{Tool: found.Tool, Kind: s.Kind(), File: cmp.Or(found.File, m.file.Path), Line: found.Line, of: m})
		}
	}
	return nil
}

func (l *loader) builtin() {
	if l.options.Builtin == nil {
		return
	}
	tools, err := l.options.Builtin(&l.catalog.settings)
	l.catalog.problems = append(l.catalog.problems, problemsOf(SettingsFile, l.placed(err))...)
	program := &made{}
	var found []Found
	for _, t := range tools {
		found = append(found, Found{Tool: t})
		l.add(Entry{Tool: t, Kind: "builtin", of: program})
	}
	program.value = found
}

// placed finds the lines of what is wrong in the settings.
func (l *loader) placed(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, one := range joined.Unwrap() {
			all = append(all, l.placed(one))
		}
		return errors.Join(all...)
	}
	var wrong *SettingError
	if m := l.catalog.files[SettingsFile]; m != nil && errors.As(err, &wrong) {
		return m.file.errorf(wrong.Pointer, "", "%v", err)
	}
	return err
}

func (l *loader) add(e Entry) {
	if e.Tool == nil {
		return
	}
	if err := e.Tool.Definition().Check(); err != nil {
		l.catalog.problems = append(l.catalog.problems, Problem{File: e.File, Line: e.Line, Message: err.Error()})
		return
	}
	l.catalog.entries = append(l.catalog.entries, e)
}
