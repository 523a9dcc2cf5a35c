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

	"golang.org/x/sync/errgroup"

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
	missing  []missing
}

// parallel is how many files are made something of at once: a file may stand for a
// server that takes its time.
const parallel = 8

// each reads the files that patterns match and makes something of each by decode, which
// is called from several goroutines. A file that fails keeps what it had been good for.
// With a file that did not change, nor its version, what was made of it stays, if it may.
func (l *loader) each(patterns []string, version func(*File) uint64, decode func(*File) (value any, keep bool, err error)) []*made {
	if l.folder == nil {
		return nil
	}
	paths, problems := l.folder.match(patterns)
	l.catalog.problems = append(l.catalog.problems, problems...)
	var all []*making
	var group errgroup.Group
	group.SetLimit(parallel)
	for _, path := range paths {
		data, err := l.folder.data(path)
		if errors.Is(err, errGone) {
			continue
		}
		m := &made{file: &File{Path: path, Dir: l.catalog.dir, Data: data, Settings: &l.catalog.settings, Env: l.options.Env}, sum: sha256.Sum256(data)}
		if version != nil {
			m.version = version(m.file) // before it is loaded, so that no change falls in between
		}
		one := &making{made: m, err: err, stays: err == nil && l.stays(m)}
		all = append(all, one)
		if err != nil || one.stays {
			m.file.Data = nil // all files together may be large
			continue
		}
		group.Go(func() error {
			m.value, one.keep, one.err = decode(m.file)
			m.good = one.err == nil
			m.file.Data = nil
			return nil
		})
	}
	_ = group.Wait() // each has its own error
	return l.collect(all)
}

// making is what comes of a file.
type making struct {
	*made
	stays bool // what was made of the file before is as good
	keep  bool // with an error: what came of it counts all the same
	err   error
}

// stays reports whether what was made of the file before is what m would be.
func (l *loader) stays(m *made) bool {
	before := l.previous.files[m.file.Path]
	return m.file.Data != nil && before != nil && before.good && before.sum == m.sum && before.version == m.version && l.sameSettings()
}

// collect returns what counts of what was made, with the problems, in the order of the
// files.
func (l *loader) collect(all []*making) []*made {
	var counts []*made
	for _, one := range all {
		m, path := one.made, one.file.Path
		before := l.previous.files[path]
		if one.stays {
			m = before
		}
		if one.err != nil {
			found := problemsOf(path, one.err)
			if before != nil && before.value != nil && !one.keep {
				m = before
				found[len(found)-1].Hint = joinHints(found[len(found)-1].Hint, "until then its last good version is in use")
			}
			l.catalog.problems = append(l.catalog.problems, found...)
		}
		m.file.Data, m.file.Settings = nil, nil // it was read; the settings would keep a whole catalog
		l.catalog.files[path] = m
		if m.value != nil {
			counts = append(counts, m)
		}
	}
	return counts
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
	files := l.each([]string{SettingsFile}, nil, read)
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
	var version func(*File) uint64
	if changing, ok := s.(Changing); ok {
		version = changing.Version
	}
	files := l.each(s.Patterns(), version, func(f *File) (any, bool, error) {
		found, err := s.Load(ctx, f)
		if len(found) == 0 && err != nil {
			return nil, false, err
		}
		return found, len(found) > 0, err
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	groups := map[string]*made{}
	for _, m := range files {
		told := map[string]bool{}
		for _, found := range m.value.([]Found) {
			e := Entry{Tool: found.Tool, Kind: s.Kind(), File: cmp.Or(found.File, m.file.Path), Line: found.Line, of: m, exact: found.Exact, instead: found.Instead}
			if first, taken := groups[found.Group]; found.Group != "" && taken && first != m {
				if !told[found.Group] {
					l.late(e, found.Group, first)
				}
				told[found.Group] = true
				continue
			}
			groups[found.Group] = m
			if found.Missing != "" {
				l.missing = append(l.missing, missing{found.Missing, found.Group, !m.good})
			}
			if found.Value != nil {
				l.catalog.values = append(l.catalog.values, found.Value)
			}
			l.add(e)
		}
	}
	return nil
}

// late warns of a group that another file defines already.
func (l *loader) late(e Entry, group string, first *made) {
	l.catalog.problems = append(l.catalog.problems, Problem{
		File: e.File, Line: e.Line, Warning: true,
		Message: fmt.Sprintf("%s is defined in %s already, which counts", group, first.file.Path),
		Hint:    "rename one of them, or take one out",
	})
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
